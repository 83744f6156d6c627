package gate

import (
	"crypto/rsa"
	"errors"
	"fmt"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// How callers log in.
//
// A key is an account, and whoever has one must be recognised by it. Callers without one are guests.
// SSH has a method for them, "none", but a client tries "none" before it offers any key: letting it
// succeed would make everybody a guest. So "none" is refused, and what the client is then told it may
// try is publickey and keyboard-interactive, in which a server may ask any number of questions. Here
// it asks none and says yes. Clients try publickey first, and get to keyboard-interactive when they
// have no key, may not use it (ssh -o PubkeyAuthentication=no) or have none that is accepted. The
// caller sees no prompt. (ssh -o BatchMode=yes does not try it, and needs a key.)
//
// A client may offer keys it cannot sign with, so nothing is concluded from an offer: the key of a
// session is the one whose signature ended the login.

// Sizes of RSA keys that are accepted, in bits.
const (
	minRSA = 2048
	maxRSA = 8192
)

// maxAuthTries is how many refused attempts a connection has; an agent may hold several old keys.
const maxAuthTries = 6

// serverConfig returns the library's settings for one connection.
func (s *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	l := lineOf(ctx)
	return &gossh.ServerConfig{
		// The library's defaults without SHA-1 and without finite-field Diffie-Hellman, which costs a
		// server a hundred times what a stranger pays for asking.
		Config: gossh.Config{
			Rand: lineRand{l},
			KeyExchanges: []string{
				gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519,
				gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP384, gossh.KeyExchangeECDHP521,
			},
			Ciphers: []string{
				gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305,
				gossh.CipherAES128CTR, gossh.CipherAES192CTR, gossh.CipherAES256CTR,
			},
			MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM, gossh.HMACSHA256, gossh.HMACSHA512},
		},
		PublicKeyAuthAlgorithms: []string{
			gossh.KeyAlgoED25519, gossh.KeyAlgoSKED25519, gossh.KeyAlgoSKECDSA256,
			gossh.KeyAlgoECDSA256, gossh.KeyAlgoECDSA384, gossh.KeyAlgoECDSA521,
			gossh.KeyAlgoRSASHA256, gossh.KeyAlgoRSASHA512,
		},
		MaxAuthTries: maxAuthTries,
		PreAuthConnCallback: func(conn gossh.ServerPreAuthConn) {
			l.keyed.Store(true)
			l.readAhead = readAheadOf(conn)
			close(l.login)
		},
		AuthLogCallback: func(_ gossh.ConnMetadata, method string, err error) {
			switch {
			case err == nil:
				l.loggedIn.Store(true)
				s.cfg.Hooks.Authenticated(method == "publickey")
			case !errors.Is(err, gossh.ErrNoAuth):
				l.failures++
			}
		},
	}
}

// acceptKey decides whether a key that a client offers can be an account. It says nothing about
// whether the client holds it.
func (s *Server) acceptKey(ctx ssh.Context, key ssh.PublicKey) bool {
	if err := checkKey(key); err != nil {
		lineOf(ctx).keyRefused = err.Error()
		return false
	}
	return true
}

// checkKey reports why a key cannot be an account.
func checkKey(key gossh.PublicKey) error {
	switch key.Type() {
	case gossh.KeyAlgoED25519, gossh.KeyAlgoSKED25519, gossh.KeyAlgoSKECDSA256,
		gossh.KeyAlgoECDSA256, gossh.KeyAlgoECDSA384, gossh.KeyAlgoECDSA521:
		return nil
	case gossh.KeyAlgoRSA:
		k, ok := key.(gossh.CryptoPublicKey)
		if !ok {
			break
		}
		pub, ok := k.CryptoPublicKey().(*rsa.PublicKey)
		if !ok {
			break
		}
		if bits := pub.N.BitLen(); bits < minRSA || bits > maxRSA {
			return fmt.Errorf("your RSA key has %d bits; it must have %d to %d", bits, minRSA, maxRSA)
		}
		return nil
	}
	// Certificates among them: the same key with and without one would be two accounts.
	return fmt.Errorf("keys of type %s are not used here", printable(key.Type(), maxName))
}
