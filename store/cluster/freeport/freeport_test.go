package freeport

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody gets a port that somebody has, though nobody listens there at the moment.
func TestPortsAreTakenOnce(t *testing.T) {
	has := map[int]func(){}
	for {
		port, give, err := Take(3)
		if err != nil {
			break
		}
		for i := range 3 {
			require.NotContains(t, has, port+i)
			has[port+i] = func() {}
		}
		has[port] = give
	}
	require.NotContains(t, has, block, "the guard's port")
	require.Greater(t, len(has), ofBlock/2)
	for _, give := range has {
		give()
	}
	_, give, err := Take(3)
	require.NoError(t, err)
	give()
}
