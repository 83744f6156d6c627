package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"boneyard/cmd/sshd/gate"

	gossh "golang.org/x/crypto/ssh"
)

// Operators is the set of operators' keys.
type Operators map[gate.KeyID]bool

// ReadOperators reads a list of fingerprints, as ssh-keygen -l prints them, and of files. A file's lines are
// fingerprints or public keys in authorized_keys format; it skips empty lines and comments.
func ReadOperators(list []string) (Operators, error) {
	ops := make(Operators)
	for _, item := range list {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		lines, file := []string{item}, !strings.HasPrefix(item, "SHA256:")
		if file {
			text, err := os.ReadFile(item)
			if err != nil {
				return nil, err
			}
			lines = strings.Split(string(text), "\n")
		}
		for n, line := range lines {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			id, err := parseOperator(line)
			if err != nil && file {
				err = fmt.Errorf("%s:%d: %w", item, n+1, err)
			}
			if err != nil {
				return nil, err
			}
			ops[id] = true
		}
	}
	return ops, nil
}

// parseOperator parses a fingerprint or a public key. A fingerprint is the base64 of a gate.KeyID.
func parseOperator(text string) (gate.KeyID, error) {
	first, _, _ := strings.Cut(text, " ")
	if sum, ok := strings.CutPrefix(first, "SHA256:"); ok {
		var id gate.KeyID
		b, err := base64.RawStdEncoding.DecodeString(sum)
		if err != nil || len(b) != len(id) {
			return gate.KeyID{}, fmt.Errorf("%q is not a fingerprint", first)
		}
		copy(id[:], b)
		return id, nil
	}
	key, _, _, _, err := gossh.ParseAuthorizedKey([]byte(text))
	if err != nil {
		return gate.KeyID{}, fmt.Errorf("neither a fingerprint nor a public key")
	}
	return gate.KeyIDOf(key), nil
}
