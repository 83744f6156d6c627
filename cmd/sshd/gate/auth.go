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
// A key is an account, and its holder must be recognised by it. Callers without a key are guests. SSH has a
// method for them, "none", but a client tries "none" before it offers any key: accepting it would make
// everybody a guest. So the server refuses "none" and offers publickey and keyboard-interactive. In the
// latter a server may ask any number of questions; this one asks none and says yes, so the caller sees no
// prompt. Clients try publickey first, and keyboard-interactive when they have no key, may not use it (ssh -o
// PubkeyAuthentication=no) or have none that is accepted. (With ssh -o BatchMode=yes a client does not try
// it, and needs a key.)
//
// A client may offer keys it cannot sign with, so an offer proves nothing: a session's key is the one whose
// signature completed the login.

// Bounds on the size of RSA keys, in bits.
const (
	minRSA = 2048
	maxRSA = 8192
)

// serverConfig returns the library's settings for one connection.
func (s *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	const maxAuthTries = 6 // how many failed attempts a connection may make; an agent may hold several old keys
	l := lineOf(ctx)
	return &gossh.ServerConfig{
		// The library's defaults without SHA-1 and without finite-field Diffie-Hellman, which costs the
		// server a hundred times what it costs a client to ask for it.
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

// acceptKey reports whether a key that a client offers may be an account. The client has not yet proved that
// it holds the key.
func (s *Server) acceptKey(ctx ssh.Context, key ssh.PublicKey) bool {
	if err := checkKey(key); err != nil {
		lineOf(ctx).keyRefused = err.Error()
		return false
	}
	return true
}

// checkKey returns an error if a key cannot be an account.
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
	// This includes certificates: the same key with and without one would be two accounts.
	return fmt.Errorf("keys of type %s are not used here", printable(key.Type(), maxName))
}
