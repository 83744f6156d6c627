package client

import (
	"crypto/ed25519"
	"math/rand/v2"

	"golang.org/x/crypto/ssh"
)

// NewKey makes a key without an account.
func NewKey() (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(private)
}

// nameLetters are letters that nobody mixes up, as the club does not have two names that look alike.
const nameLetters = "abdefhkptx"

// ProgramName is a name for the n-th program of a run.
func ProgramName(run string, n int) string {
	name := []byte("prog" + run)
	for range 4 {
		name = append(name, nameLetters[n%len(nameLetters)])
		n /= len(nameLetters)
	}
	return string(name)
}

// RunName tells the programs of one run from those of another.
func RunName() string {
	var b []byte
	for range 4 {
		b = append(b, nameLetters[rand.IntN(len(nameLetters))])
	}
	return string(b)
}
