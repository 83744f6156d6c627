package gate_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func newRSAKey(tb testing.TB, bits int) gossh.Signer {
	tb.Helper()
	k, err := rsa.GenerateKey(rand.Reader, bits)
	require.NoError(tb, err)
	s, err := gossh.NewSignerFromKey(k)
	require.NoError(tb, err)
	return s
}

func TestKeysAndNothingElse(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Penalties.AuthFail = 0
	})
	require.ErrorContains(t, errOf(c.login("127.0.0.1", gossh.Password(""))), "attempted methods [none]", "passwords are not offered")

	// A client that prefers to be a guest may be one.
	out, _, _ := run(c.mustLogin("127.0.0.1", guestAuth(t), gossh.PublicKeys(newKey(t))), "x")
	require.Equal(t, "guest", out)

	refused := make(chan string, 1)
	c = open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		refused <- call.KeyRefused
		return 0
	}), nil)
	_, _, err := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(newRSAKey(t, 1024)), guestAuth(t)), "x")
	require.NoError(t, err)
	require.Contains(t, <-refused, "1024 bits", "the guest can be told why the key did not count")
}

func TestGuestsCanBeKeptOut(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) { cfg.Guests = false })
	require.ErrorContains(t, errOf(c.login("127.0.0.1")), "attempted methods [none]")
	c.mustLogin("127.0.0.1", gossh.PublicKeys(newKey(t)))
}

// twoFaced offers another key than the one it signs with.
type twoFaced struct {
	gossh.Signer
	offered gossh.PublicKey
	asked   int
	sign    func() (*gossh.Signature, error)
}

func (k *twoFaced) PublicKey() gossh.PublicKey { return twoFacedKey{k.offered, k} }

func (k *twoFaced) SignWithAlgorithm(r io.Reader, data []byte, algo string) (*gossh.Signature, error) {
	if k.sign != nil {
		return k.sign()
	}
	return k.Signer.Sign(r, data)
}

type twoFacedKey struct {
	gossh.PublicKey
	k *twoFaced
}

// Marshal returns the offered key for the query and the check of its answer, and the other one for the signed
// request: that is how often and when the client library calls it.
func (p twoFacedKey) Marshal() []byte {
	p.k.asked++
	if p.k.asked <= 2 {
		return p.k.offered.Marshal()
	}
	return p.k.Signer.PublicKey().Marshal()
}

func TestAnOfferedKeyProvesNothing(t *testing.T) {
	c := open(t, whoami, nil)
	victim, own := newKey(t), newKey(t)
	liar := &twoFaced{Signer: own, offered: victim.PublicKey()}
	out, _, _ := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(liar)), "x")
	require.Equal(t, 3, liar.asked, "the victim's key was offered")
	require.Equal(t, gossh.FingerprintSHA256(own.PublicKey()), out)
}

// hugeKey is an RSA key of 16,384 bits without a private half; verifying a signature costs the same.
type hugeKey struct {
	gossh.Signer
	pub gossh.PublicKey
}

func newHugeKey(tb testing.TB) gossh.PublicKey {
	tb.Helper()
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 16384))
	require.NoError(tb, err)
	n.SetBit(n, 16383, 1).SetBit(n, 0, 1)
	key, err := gossh.NewPublicKey(&rsa.PublicKey{N: n, E: 1<<24 - 1})
	require.NoError(tb, err)
	return key
}

func (k hugeKey) PublicKey() gossh.PublicKey { return k.pub }

func TestAHugeKeyIsCheap(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) { cfg.Penalties.AuthFail, cfg.Penalties.NoAuth = 0, 0 })
	huge := newHugeKey(t)

	// Offered: refused for its size, and the client goes on.
	out, _, _ := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(hugeKey{newKey(t), huge}), guestAuth(t)), "x")
	require.Equal(t, "guest", out)

	// Signed without an offer: the library verifies the signature before the refusal matters. The shortest of
	// some tries is what that costs, the rest is the machine's other work. A key of this length takes some
	// milliseconds, fifty times as long as a usual one, and the library allows exponents of up to 24 bits;
	// larger ones would take seconds.
	offered := newRSAKey(t, 2048).PublicKey()
	try := func(key gossh.PublicKey, blob int) time.Duration {
		var signed time.Time
		liar := &twoFaced{Signer: hugeKey{newKey(t), key}, offered: offered}
		liar.sign = func() (*gossh.Signature, error) {
			blob := make([]byte, blob)
			_, _ = rand.Read(blob)
			signed = time.Now()
			return &gossh.Signature{Format: gossh.KeyAlgoRSASHA512, Blob: blob}, nil
		}
		require.Error(t, errOf(c.login("127.0.0.1", gossh.PublicKeys(liar))))
		require.False(t, signed.IsZero(), "the key that was offered first is accepted")
		return time.Since(signed)
	}
	const much = 1000 // times
	usual, best, other := time.Hour, time.Hour, newRSAKey(t, 2048).PublicKey()
	for tries := 0; tries < 30 && (tries < 3 || best >= much*usual); tries++ {
		usual = min(usual, try(other, 256))
		best = min(best, try(huge, 2048))
	}
	t.Logf("a signature of a 16,384-bit key costs %s, one of a usual key %s", best, usual)
	require.Less(t, best, much*usual)
}

// The client that nearly everybody has: with a key, without one, and with one that it may not use.
func TestOpenSSH(t *testing.T) {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("there is no ssh here")
	}
	c := open(t, whoami, nil)
	dir := t.TempDir()
	keys, made, err := gate.LoadHostKeys(dir) // any key file
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(c.addr)
	require.NoError(t, err)

	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"key":          {[]string{"-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
		"no key":       {[]string{"-i", filepath.Join(dir, "none")}, "guest"},
		"key not used": {[]string{"-i", made, "-o", "PubkeyAuthentication=no"}, "guest"},
		"agent":        {[]string{"-A", "-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
		"no terminal":  {[]string{"-T", "-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			args := append([]string{"-F", "none", "-p", port, "-o", "StrictHostKeyChecking=no", "-o", "IdentitiesOnly=yes",
				"-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "IdentityAgent=none"}, tc.args...)
			cmd := exec.CommandContext(ctx, ssh, append(args, "someone@"+host, "one two")...)
			out, err := cmd.Output()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 2, exit.ExitCode(), "%s", exit.Stderr)
			require.Equal(t, tc.want, string(out))
		})
	}
}

// A key that others may read is refused, wherever it is.
func TestHostKeysAreTheOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	_, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	for mode := range os.FileMode(0o1000) {
		if mode&0o400 == 0 {
			continue // root may read it all the same
		}
		require.NoError(t, os.Chmod(made, mode))
		_, _, err = gate.LoadHostKeys(dir)
		if mode&0o077 == 0 {
			require.NoError(t, err, "%04o", mode)
		} else {
			require.ErrorContains(t, err, fmt.Sprintf("%s has mode %04o", made, mode))
			require.ErrorContains(t, err, "chmod 600 "+made)
		}
	}

	// The link's own mode is 0777 and means nothing; its target's counts.
	linked := t.TempDir()
	link := filepath.Join(linked, "ssh_host_ed25519_key")
	require.NoError(t, os.Symlink(made, link))
	require.NoError(t, os.Chmod(made, 0o644))
	_, _, err = gate.LoadHostKeys(linked)
	require.ErrorContains(t, err, "has mode 0644")
	require.NoError(t, os.Chmod(made, 0o600))
	_, _, err = gate.LoadHostKeys(linked)
	require.NoError(t, err)

	for name, put := range map[string]func(path string) error{
		"folder":        func(path string) error { return os.Mkdir(path, 0o700) },
		"pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"dangling link": func(path string) error { return os.Symlink("nowhere", path) },
		"too long":      func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0o600) },
	} {
		dir := t.TempDir()
		require.NoError(t, put(filepath.Join(dir, "ssh_host_rsa_key")))
		_, _, err := gate.LoadHostKeys(dir)
		require.ErrorContains(t, err, "ssh_host_rsa_key", name)
	}
}

func TestHostKeysAreMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "host_keys")
	first, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Len(t, first, 1)
	require.Equal(t, gossh.KeyAlgoED25519, first[0].PublicKey().Type())
	info, err := os.Stat(made)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "the key and its public half, nothing else")

	again, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Empty(t, made)
	require.Equal(t, first[0].PublicKey().Marshal(), again[0].PublicKey().Marshal())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "ssh_host_rsa_key"), []byte("half a ke"), 0o600))
	_, _, err = gate.LoadHostKeys(dir)
	require.ErrorContains(t, err, "ssh_host_rsa_key")
}
