package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	gossh "golang.org/x/crypto/ssh"
)

// description is a call in the form that one node sends to another.
type description struct {
	Node string // the caller's
	*Call
}

// Describe encodes a call for another node; node is the name of this one.
func Describe(node string, c *Call) ([]byte, error) { return json.Marshal(description{node, c}) }

// Described decodes what Describe encoded at another node. The call is cleaned like that of a caller of this
// node.
func Described(content []byte) (node string, c *Call, err error) {
	c = &Call{}
	h := description{Call: c}
	if err := json.Unmarshal(content, &h); err != nil {
		return "", nil, err
	}
	c.KeyRefused, c.Addr, c.User = printable(c.KeyRefused, maxEnvLen), c.Addr.Unmap(), printable(c.User, maxName)
	long := 0
	for _, w := range c.Command {
		long += len(w)
		if !utf8.ValidString(w) || long > maxCommand {
			return "", nil, errors.New("the call's command")
		}
	}
	if len(c.Env) > maxEnv {
		return "", nil, errors.New("the call's environment")
	}
	c.Env = slices.DeleteFunc(c.Env, func(e string) bool {
		name, value, ok := strings.Cut(e, "=")
		return !ok || !envKept(name, value)
	})
	if c.Resume != nil && len(*c.Resume) > MaxKept {
		return "", nil, errors.New("where the caller was")
	}
	if c.AuthorizedKey != "" {
		key, _, _, _, err := gossh.ParseAuthorizedKey([]byte(c.AuthorizedKey))
		if err != nil {
			return "", nil, fmt.Errorf("the call's key: %w", err)
		}
		c.identify(key)
	}
	if t := c.Term; t != nil {
		t.Name, t.Size = printable(t.Name, maxName), clampSize(uint32(max(t.Size.Width, 0)), uint32(max(t.Size.Height, 0)))
	}
	return printable(h.Node, maxName), c, nil
}
