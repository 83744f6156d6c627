package gate_test

import (
	"context"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/charmbracelet/keygen"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
)

func stringsOf(t *testing.T, b []byte) (all [][]byte) {
	t.Helper()
	for len(b) > 0 {
		require.GreaterOrEqual(t, len(b), 4)
		n := int(binary.BigEndian.Uint32(b))
		require.LessOrEqual(t, n, len(b)-4)
		all, b = append(all, b[4:4+n]), b[4+n:]
	}
	return all
}

func stringOf(s []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...)
}

// A client that has logged in learns all host keys, including the next one, and the server proves that it
// holds them.
func TestClientsLearnTheNextHostKey(t *testing.T) {
	next := newKey(t)
	begun := make(chan struct{})
	done := make(chan struct{})
	c := open(t, handlerFunc(func(ctx context.Context, _ *gate.Call) int {
		close(begun)
		<-done
		return 0
	}), func(cfg *gate.Config) { cfg.NextHostKeys = []gossh.Signer{next} })
	var now gossh.PublicKey
	cfg := clientConfig(gossh.PublicKeys(newKey(t)))
	cfg.HostKeyCallback = func(_ string, _ net.Addr, key gossh.PublicKey) error { now = key; return nil }
	conn, channels, requests, err := gossh.NewClientConn(c.mustDialFrom("127.0.0.1"), c.addr, cfg)
	require.NoError(t, err)
	told := make(chan []byte, 1)
	others := make(chan *gossh.Request)
	go func() {
		defer close(others)
		for r := range requests {
			if r.Type == "hostkeys-00@openssh.com" {
				told <- r.Payload
				continue
			}
			others <- r
		}
	}()
	client := gossh.NewClient(conn, channels, others)
	defer client.Close()
	sess, err := client.NewSession()
	require.NoError(t, err)
	require.NoError(t, sess.Start("x"))
	<-begun
	keys := stringsOf(t, <-told)
	require.Equal(t, [][]byte{now.Marshal(), next.PublicKey().Marshal()}, keys)

	ask := func(blobs ...[]byte) (bool, []byte) {
		var payload []byte
		for _, b := range blobs {
			payload = append(payload, stringOf(b)...)
		}
		ok, answer, err := conn.SendRequest("hostkeys-prove-00@openssh.com", true, payload)
		require.NoError(t, err)
		return ok, answer
	}
	ok, _ := ask(newKey(t).PublicKey().Marshal())
	require.False(t, ok, "a key that it does not have")
	ok, answer := ask(keys...)
	require.True(t, ok)
	proofs := stringsOf(t, answer)
	require.Len(t, proofs, 2)
	for i, key := range []gossh.PublicKey{now, next.PublicKey()} {
		var sig gossh.Signature
		require.NoError(t, gossh.Unmarshal(proofs[i], &sig))
		signed := append(stringOf([]byte("hostkeys-prove-00@openssh.com")), stringOf(conn.SessionID())...)
		require.NoError(t, key.Verify(append(signed, stringOf(keys[i])...), &sig))
	}
	ok, _ = ask(keys...)
	require.False(t, ok, "one proof a connection")
	ok, _ = ask()
	require.False(t, ok)
	ok, _, err = conn.SendRequest("hostkeys-prove-00@openssh.com", true, []byte{255, 255, 255, 255, 1})
	require.NoError(t, err)
	require.False(t, ok)
	close(done)
	require.NoError(t, sess.Wait())
}

func TestTwoHostKeysOfOneTypeAreRefused(t *testing.T) {
	dir := t.TempDir()
	_, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	next := filepath.Join(dir, "ssh_host_ed25519_key.next")
	require.NoError(t, errOf(keygen.New(next, keygen.WithKeyType(keygen.Ed25519), keygen.WithWrite())))
	keys, _, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Len(t, keys, 1, "the next key is not in use yet")
	coming, err := gate.LoadNextHostKeys(dir)
	require.NoError(t, err)
	require.Len(t, coming, 1)
	second := filepath.Join(dir, "ssh_host_other_key")
	require.NoError(t, os.Rename(next, second))
	_, _, err = gate.LoadHostKeys(dir)
	require.ErrorContains(t, err, made)
	require.ErrorContains(t, err, second)
	require.ErrorContains(t, err, "both of type ssh-ed25519")
}

// After a key was replaced, its public half is rewritten, so that ssh-keygen -l shows what clients see.
func TestThePublicHalfFollowsItsKey(t *testing.T) {
	dir := t.TempDir()
	_, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	next := made + ".next"
	require.NoError(t, errOf(keygen.New(next, keygen.WithKeyType(keygen.Ed25519), keygen.WithWrite())))
	renewed, err := gate.RenewPublic(dir)
	require.NoError(t, err)
	require.Empty(t, renewed)

	require.NoError(t, os.Rename(next, made))
	renewed, err = gate.RenewPublic(dir)
	require.NoError(t, err)
	require.Equal(t, []string{made + ".pub"}, renewed)
	keys, _, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	half, err := os.ReadFile(made + ".pub")
	require.NoError(t, err)
	require.Equal(t, gossh.MarshalAuthorizedKey(keys[0].PublicKey()), half)

	require.NoError(t, os.WriteFile(made+".pub", nil, 0o644)) // as a power loss may leave it
	renewed, err = gate.RenewPublic(dir)
	require.NoError(t, err)
	require.Len(t, renewed, 1)
	require.NoError(t, os.Remove(made+".pub"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ssh_host_rsa_key.pub"), half, 0o644)) // without a key
	renewed, err = gate.RenewPublic(dir)
	require.NoError(t, err)
	require.Empty(t, renewed)
	require.NoFileExists(t, made+".pub")
}

// A client that exchanges keys again and again loses its connection, and one that does so now and then keeps it.
func TestKeyExchangesWithoutEnd(t *testing.T) {
	for _, key := range []gossh.Signer{newKey(t), newRSAKey(t, 2048)} {
		c := open(t, handlerFunc(func(context.Context, *gate.Call) int { return 0 }),
			func(cfg *gate.Config) { cfg.HostKeys = []gossh.Signer{key} })
		for _, tc := range []struct {
			asked int
			ended bool
		}{{3, false}, {2000, true}} {
			cfg := clientConfig(gossh.PublicKeys(newKey(t)))
			cfg.RekeyThreshold = 256
			conn, channels, requests, err := gossh.NewClientConn(c.mustDialFrom("127.0.0.1"), c.addr, cfg)
			require.NoError(t, err)
			cl := gossh.NewClient(conn, channels, requests)
			for n := 0; err == nil && n < tc.asked; n++ { // one exchange may serve several questions
				_, _, err = cl.SendRequest("unknown", true, make([]byte, 300))
			}
			require.Equal(t, tc.ended, err != nil, "%d requests: %v", tc.asked, err)
			_ = cl.Close()
		}
	}
}

// TestHostKeysAreFound: a folder's keys are used whatever its name, and if it cannot be read no new key is
// made.
func TestHostKeysAreFound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "play[1]*", "host_keys")
	first, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.NotEmpty(t, made)
	again, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Empty(t, made)
	require.Equal(t, first[0].PublicKey().Marshal(), again[0].PublicKey().Marshal())
	_, _, err = gate.LoadHostKeys(filepath.Join(dir, "ssh_host_ed25519_key"))
	require.ErrorContains(t, err, "look for host keys: ")
	if os.Getuid() == 0 {
		return // root reads every folder
	}
	require.NoError(t, os.Chmod(dir, 0o300))
	defer func() { _ = os.Chmod(dir, 0o700) }()
	_, _, err = gate.LoadHostKeys(dir)
	require.ErrorIs(t, err, os.ErrPermission)
}
