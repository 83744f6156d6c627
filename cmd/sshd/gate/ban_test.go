package gate_test

import (
	"context"
	"net/netip"
	"testing"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func TestTheBannedAreToldWhyAndThenShutOut(t *testing.T) {
	const sentence = "You are banned from this club: enough."
	key := newKey(t)
	bad := netip.MustParseAddr("127.0.5.1")
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		if call.Addr == bad || call.Key == gate.KeyIDOf(key.PublicKey()) {
			t.Error("a banned caller came in")
		}
		return 0
	}), func(cfg *gate.Config) {
		cfg.Banned = func(addr netip.Addr, id gate.KeyID) string {
			if addr == bad || id == gate.KeyIDOf(key.PublicKey()) {
				return sentence
			}
			return ""
		}
	})
	// A network: as a guest, and with any key.
	first := c.mustLogin(bad.String())
	_, said, err := run(first, "x")
	require.Equal(t, sentence+"\n", said)
	require.Equal(t, 1, status(err))
	c.await("refused banned", 1)
	// A key, from anywhere.
	_, said, _ = run(c.mustLogin("127.0.5.2", gossh.PublicKeys(key)), "x")
	require.Equal(t, sentence+"\n", said)
	_, said, _ = run(c.mustLogin("127.0.5.3", gossh.PublicKeys(key)), "x")
	require.Equal(t, sentence+"\n", said)
	c.await("refused banned", 3)

	// Callers who keep trying are turned away before the handshake.
	for range 3 {
		_, said, _ = run(c.mustLogin(bad.String()), "x")
		require.Equal(t, sentence+"\n", said)
	}
	require.Error(t, errOf(c.login(bad.String())))
	c.await("refused penalty", 1)
	require.Equal(t, 6, c.counted("refused banned"))
	_ = first.Wait() // until its line has ended

	// Nobody else notices.
	_, said, err = run(c.mustLogin("127.0.5.4"), "x")
	require.NoError(t, err)
	require.Empty(t, said)

	c.shut()
	require.Zero(t, c.counted("refused done"), "a refusal is counted once")
}
