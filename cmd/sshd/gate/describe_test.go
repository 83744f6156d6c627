package gate

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// relayedCall is a call with every field set.
func relayedCall(t testing.TB) *Call {
	public := newTestKey(t)
	at := "pages watch 12"
	c := &Call{Addr: netip.MustParseAddr("2001:db8::7"), Exempt: true, Shared: true, User: "ana",
		Command: []string{"play", "new", "höchst <classic>"},
		Env:     []string{"LANG=de_AT.UTF-8", "NO_COLOR="}, Term: &Terminal{Name: "xterm", Size: Size{Width: 120, Height: 40}}, Resume: &at}
	c.identify(public)
	return c
}

func newTestKey(t testing.TB) gossh.PublicKey {
	key, _, _, _, err := gossh.ParseAuthorizedKey([]byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS"))
	require.NoError(t, err)
	return key
}

func TestACallIsDescribed(t *testing.T) {
	want := relayedCall(t)
	b, err := Describe("one", want)
	require.NoError(t, err)
	node, got, err := Described(b)
	require.NoError(t, err)
	require.Equal(t, "one", node)
	require.Equal(t, want, got)

	guest := &Call{KeyRefused: "keys of that type are not used here", Addr: netip.MustParseAddr("192.0.2.1")}
	b, err = Describe("two", guest)
	require.NoError(t, err)
	_, got, err = Described(b)
	require.NoError(t, err)
	require.Equal(t, guest, got)
}

// What a node of the previous version sends and understands. Change it only with a new version of the relay.
func TestADescriptionKeepsItsForm(t *testing.T) {
	const form = `{"Node":"one","AuthorizedKey":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS",` +
		`"Addr":"2001:db8::7","Exempt":true,"User":"ana","Command":["play","7"],"Env":["LANG=de_DE.UTF-8"],` +
		`"Term":{"Name":"xterm","Size":{"Width":120,"Height":40}},"Resume":"watch 12"}`
	node, c, err := Described([]byte(form))
	require.NoError(t, err)
	again, err := Describe(node, c)
	require.NoError(t, err)
	require.Equal(t, form, string(again))
	_, _, err = Described([]byte(strings.Replace(form, `"Node"`, `"Newer":{"Field":1},"Node"`, 1)))
	require.NoError(t, err, "a newer version may say more")
	_, c, err = Described([]byte(`{"Addr":"192.0.2.1","HasKey":true,"Key":[1],"Fingerprint":"SHA256:x","Outcome":{"Why":"x"},"In":1}`))
	require.NoError(t, err)
	require.Equal(t, &Call{Addr: netip.MustParseAddr("192.0.2.1")}, c, "what the key alone says is not taken from another node")
}

// Another node believes what is sent of a call: a new field says whether it is, and is then cleaned by Described.
func TestWhatIsSentOfACall(t *testing.T) {
	sent := func(of reflect.Type) (all []string) {
		for _, f := range reflect.VisibleFields(of) {
			if f.IsExported() && f.Tag.Get("json") != "-" {
				all = append(all, f.Name)
			}
		}
		return all
	}
	require.Equal(t, []string{"AuthorizedKey", "KeyRefused", "Addr", "Exempt", "Shared", "User", "Command", "Env", "Term", "Resume"},
		sent(reflect.TypeFor[Call]()))
	require.Equal(t, []string{"Name", "Size"}, sent(reflect.TypeFor[Terminal]()))
	require.Equal(t, []string{"Width", "Height"}, sent(reflect.TypeFor[Size]()))
}

// The largest call that the gate lets in fits into a header.
func TestTheLargestCallIsDescribed(t *testing.T) {
	c := relayedCall(t)
	c.Command = []string{strings.Repeat("<", maxCommand)}
	c.Env = nil
	for range maxEnv {
		c.Env = append(c.Env, "LC_X="+strings.Repeat("<", maxEnvLen-5))
	}
	c.User, c.Term.Name = strings.Repeat("<", maxName), strings.Repeat("<", maxName)
	at := strings.Repeat("<", MaxKept)
	c.Resume = &at
	b, err := Describe(strings.Repeat("n", maxName), c)
	require.NoError(t, err)
	require.Less(t, len(b), 64<<10, "a header of package relay")
	_, got, err := Described(b)
	require.NoError(t, err)
	require.Equal(t, c, got)
}

// Another node's description of a call is cleaned like a client's input.
func TestADescriptionIsCleaned(t *testing.T) {
	said := func(change func(c *Call)) (*Call, error) {
		h := description{"one", &Call{Addr: netip.MustParseAddr("192.0.2.1")}}
		change(h.Call)
		b, err := json.Marshal(h)
		require.NoError(t, err)
		_, c, err := Described(b)
		return c, err
	}
	c, err := said(func(c *Call) {
		c.User = "ana\x1b[2J" + strings.Repeat("x", 1000)
		c.Env = []string{"LANG=C\n", "PATH=/bin", "LC_ALL=C"}
		c.Term = &Terminal{Name: "xterm\a", Size: Size{Width: 1 << 40, Height: -5}}
	})
	require.NoError(t, err)
	require.Equal(t, "ana[2J"+strings.Repeat("x", maxName-6), c.User)
	require.Equal(t, []string{"LC_ALL=C"}, c.Env)
	require.Equal(t, "xterm", c.Term.Name)
	require.LessOrEqual(t, c.Term.Size.Width, MaxWidth)
	require.Equal(t, DefaultHeight, c.Term.Size.Height)
	for name, change := range map[string]func(c *Call){
		"command":     func(c *Call) { c.Command = []string{strings.Repeat("x", maxCommand), "y"} },
		"environment": func(c *Call) { c.Env = make([]string, maxEnv+1) },
		"key":         func(c *Call) { c.AuthorizedKey = "ssh-ed25519 AAAA" },
		"place":       func(c *Call) { at := strings.Repeat("x", MaxKept+1); c.Resume = &at },
	} {
		_, err := said(change)
		require.Error(t, err, name)
	}
}
