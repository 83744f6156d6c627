package lobby_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// faulty is a store with a bug.
type faulty struct{ standings }

type standings = lobby.Standings

func (faulty) Months(context.Context) ([]string, error) { panic("a bug") }

// A bug behind a question that many may ask costs those who ask it their answer, and nobody the club.
func TestAPanicBehindAQuestion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		c.stop()
		c.deps = func(d *lobby.Deps) { d.Stores.Standings = faulty{d.Stores.Standings} }
		c.start()
		_, err := c.come("ana").Months(context.Background())
		require.Error(t, err)
	})
}
