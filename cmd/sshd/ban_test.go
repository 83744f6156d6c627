package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby"
	"boneyard/table"
)

func TestABannedNetworkDoesNotComeInAndIsPutOut(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.Metrics = "127.0.0.1:0"
	})
	from := func(ip string, key gossh.Signer) *gossh.Session {
		t.Helper()
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}).Dial("tcp", m.Addr().String())
		require.NoError(t, err)
		auth := gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
		if key != nil {
			auth = gossh.PublicKeys(key)
		}
		ssh, channels, requests, err := gossh.NewClientConn(conn, "", &gossh.ClientConfig{
			User: "ben", Auth: []gossh.AuthMethod{auth}, HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: patience,
		})
		require.NoError(t, err)
		client := gossh.NewClient(ssh, channels, requests)
		late := time.AfterFunc(patience, func() { _ = client.Close() })
		t.Cleanup(func() { late.Stop(); _ = client.Close() })
		sess, err := client.NewSession()
		require.NoError(t, err)
		return sess
	}
	ben := member(t, m, "ben")
	inside := from("127.9.0.1", ben)
	_, err := inside.StdinPipe()
	require.NoError(t, err)
	var last bytes.Buffer
	inside.Stderr = &last
	require.NoError(t, inside.Start("play new classic seats=2 bots=never --json --bot"))
	ctx := context.Background()
	club := m.club.(*club).lobby
	until(t, "ben to sit", func() bool { return club.Stats().Tables == 1 })

	v, err := club.Enter(ctx, nil, lobby.Origin{Net: "127.0.0.1", Operator: true})
	require.NoError(t, err)
	defer v.Close(table.Left)
	reply, err := v.Say(ctx, "/ban 127.9.0.0/16 2h flood")
	require.NoError(t, err)
	require.Equal(t, "127.9.0.0/16 is banned by network (2h); sessions ended: 1.", reply)
	require.Error(t, inside.Wait())

	for _, key := range []gossh.Signer{nil, ben, newKey(t)} {
		sess := from("127.9.200.7", key)
		var said bytes.Buffer
		sess.Stderr = &said
		require.Error(t, sess.Run("who"))
		require.Regexp(t, `^You are banned from this club until [-0-9: ]+ UTC: flood\n$`, said.String())
	}
	_, text := get(t, fmt.Sprintf("http://%s/metrics", m.MetricsAddr()))
	require.Contains(t, text, `boneyard_refused_total{reason="banned"} 3`)

	require.NoError(t, from("127.10.0.1", nil).Run("who"))
	_, err = v.Say(ctx, "/unban 127.9.0.0/16")
	require.NoError(t, err)
	require.NoError(t, from("127.9.200.7", nil).Run("who"))
}
