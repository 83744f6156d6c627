package client

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"strings"

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

// RunName tells the programs of one run from those of another.
func RunName() string { return letters(rand.IntN(1e4)) }

// Name is a name for the n-th program of a run.
func Name(run string, n int) string { return "prog" + run + letters(n) }

// letters writes the last four digits of a number as letters that nobody mixes up, as the club does not have two names that
// look alike.
func letters(n int) string {
	return strings.Map(func(digit rune) rune { return rune("abdefhkptx"[digit-'0']) }, fmt.Sprintf("%04d", n%1e4))
}
