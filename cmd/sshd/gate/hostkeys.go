package gate

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Once a client has verified the server, the server may send it all its host keys: the client adds those that
// the server proves to hold, and drops those that it no longer lists. See section 2.5 of OpenSSH's file
// PROTOCOL.
const (
	hostKeysAll   = "hostkeys-00@openssh.com"
	hostKeysProve = "hostkeys-prove-00@openssh.com"
)

// blob is a byte string in SSH encoding, and what follows it.
type blob struct {
	Bytes []byte
	Rest  []byte `ssh:"rest"`
}

func (s *Server) allHostKeys() []gossh.Signer {
	return slices.Concat(s.cfg.HostKeys, s.cfg.NextHostKeys)
}

// announceHostKeys sends all public host keys to a client that has logged in.
func (s *Server) announceHostKeys(conn gossh.Conn) {
	var all []byte
	for _, k := range s.allHostKeys() {
		all = append(all, gossh.Marshal(blob{Bytes: k.PublicKey().Marshal()})...)
	}
	_, _, _ = conn.SendRequest(hostKeysAll, false, all) // the line may be gone
}

// proveHostKeys signs for each key that a client asks about, the only global request that is answered. It
// signs at most once for each key, and answers a connection once: a signature takes up to a thousand times
// the work of the request.
func (s *Server) proveHostKeys(ctx ssh.Context, _ *ssh.Server, req *gossh.Request) (ok bool, proofs []byte) {
	conn, ok := ctx.Value(ssh.ContextKeyConn).(gossh.Conn)
	if l := lineOf(ctx); !ok || l.proved {
		s.cfg.Hooks.Refused(ReasonForbidden)
		return false, nil
	}
	asked := req.Payload
	left := s.allHostKeys()
	for len(asked) > 0 {
		var key blob
		if gossh.Unmarshal(asked, &key) != nil {
			return false, nil
		}
		asked = key.Rest
		i := slices.IndexFunc(left, func(k gossh.Signer) bool { return bytes.Equal(k.PublicKey().Marshal(), key.Bytes) })
		if i < 0 {
			return false, nil
		}
		lineOf(ctx).proved = true
		proof, err := sign(left[i], gossh.Marshal(struct {
			Request        string
			SessionID, Key []byte
		}{hostKeysProve, conn.SessionID(), key.Bytes}))
		if err != nil {
			return false, nil
		}
		proofs = append(proofs, gossh.Marshal(blob{Bytes: gossh.Marshal(proof)})...)
		left = slices.Delete(left, i, i+1)
	}
	return len(proofs) > 0, proofs
}

// How often a client may exchange keys again. OpenSSH does so once a gigabyte; a client may also be set to do
// so by time.
const (
	keyingsAtOnce = 10
	keyingEvery   = 15 * time.Second
)

// meteredKey is a host key that ends a connection for which it signs too often: each key exchange needs a
// signature, which costs as much work as thousands of the bytes that ask for it.
type meteredKey struct{ gossh.MultiAlgorithmSigner }

func metered(key gossh.Signer) gossh.Signer {
	if m, ok := key.(gossh.MultiAlgorithmSigner); ok {
		return meteredKey{m}
	}
	return key
}

func (k meteredKey) Sign(r io.Reader, data []byte) (*gossh.Signature, error) {
	if err := keyAgain(r); err != nil {
		return nil, err
	}
	return k.MultiAlgorithmSigner.Sign(r, data)
}

func (k meteredKey) SignWithAlgorithm(r io.Reader, data []byte, algo string) (*gossh.Signature, error) {
	if err := keyAgain(r); err != nil {
		return nil, err
	}
	return k.MultiAlgorithmSigner.SignWithAlgorithm(r, data, algo)
}

// lineRand is the source of random bytes for a line's key exchanges; through it a host key learns for which
// line it signs.
type lineRand struct{ *line }

func (lineRand) Read(p []byte) (int, error) { return rand.Read(p) }

var errKeyings = errors.New("too many key exchanges")

// keyAgain counts a key exchange, and ends the line after too many.
func keyAgain(r io.Reader) error {
	l, ok := r.(lineRand)
	if !ok {
		return nil
	}
	l.signed.Store(true)
	if l.keyings.Allow() {
		return nil
	}
	l.end(ReasonFlood)
	return errKeyings
}

// sign uses SHA-2 for RSA keys too, whose default is SHA-1.
func sign(key gossh.Signer, data []byte) (*gossh.Signature, error) {
	if a, ok := key.(gossh.AlgorithmSigner); ok && key.PublicKey().Type() == gossh.KeyAlgoRSA {
		return a.SignWithAlgorithm(rand.Reader, data, gossh.KeyAlgoRSASHA512)
	}
	return key.Sign(rand.Reader, data)
}
