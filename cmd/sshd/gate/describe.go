package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	gossh "golang.org/x/crypto/ssh"
)

// description is a call in the form that one node sends to another.
type description struct {
	Node          string // the caller's
	AuthorizedKey string `json:",omitempty"`
	KeyRefused    string `json:",omitempty"`
	Addr          netip.Addr
	Exempt        bool     `json:",omitempty"`
	Shared        bool     `json:",omitempty"`
	User          string   `json:",omitempty"`
	Command       []string `json:",omitempty"`
	Env           []string `json:",omitempty"`
	Term          *struct {
		Name string
		Size Size
	} `json:",omitempty"`
	Resume *string `json:",omitempty"`
}

// Describe encodes a call for another node; node is the name of this one.
func Describe(node string, c *Call) ([]byte, error) {
	h := description{Node: node, AuthorizedKey: c.AuthorizedKey, KeyRefused: c.KeyRefused, Addr: c.Addr,
		Exempt: c.Exempt, Shared: c.Shared, User: c.User,
		Command: c.Command, Env: c.Env, Resume: c.Resume}
	if c.Term != nil {
		h.Term = &struct {
			Name string
			Size Size
		}{c.Term.Name, c.Term.Size}
	}
	return json.Marshal(h)
}

// Described decodes what Describe encoded at another node. The call is cleaned like that of a caller of this
// node.
func Described(content []byte) (node string, c *Call, err error) {
	var h description
	if err := json.Unmarshal(content, &h); err != nil {
		return "", nil, err
	}
	c = &Call{KeyRefused: printable(h.KeyRefused, maxEnvLen), Addr: h.Addr.Unmap(), Exempt: h.Exempt,
		Shared: h.Shared, User: printable(h.User, maxName),
		Resume: h.Resume}
	long := 0
	for _, w := range h.Command {
		c.Command = append(c.Command, w)
		long += len(w)
		if !utf8.ValidString(w) || long > maxCommand {
			return "", nil, errors.New("the call's command")
		}
	}
	if len(h.Env) > maxEnv {
		return "", nil, errors.New("the call's environment")
	}
	for _, e := range h.Env {
		if name, value, ok := strings.Cut(e, "="); ok && envKept(name, value) {
			c.Env = append(c.Env, e)
		}
	}
	if c.Resume != nil && len(*c.Resume) > MaxKept {
		return "", nil, errors.New("where the caller was")
	}
	if h.AuthorizedKey != "" {
		key, _, _, _, err := gossh.ParseAuthorizedKey([]byte(h.AuthorizedKey))
		if err != nil {
			return "", nil, fmt.Errorf("the call's key: %w", err)
		}
		c.identify(key)
	}
	if t := h.Term; t != nil {
		c.Term = &Terminal{Name: printable(t.Name, maxName), Size: clampSize(uint32(max(t.Size.Width, 0)), uint32(max(t.Size.Height, 0)))}
	}
	return printable(h.Node, maxName), c, nil
}
