package line

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
)

// A person reads what a question is about before how to answer it, even if both come while another question
// is being answered.
func TestWhatIsAskedIsSaidFirst(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		come := func(name string) *lobby.Visit {
			key := club.NewKey()
			a, err := club.Register(t.Context(), lobby.Origin{Key: key, Net: "10.0.0." + name}, name)
			require.NoError(t, err)
			v, err := club.Enter(t.Context(), a, lobby.Origin{Key: key, Net: "10.0.0." + name})
			require.NoError(t, err)
			return v
		}
		ana, ben := come("ana"), come("ben")
		var out strings.Builder
		s := &Session{Caller: feature.Caller{Club: club.Lobby}, In: strings.NewReader(""), Err: io.Discard}
		m := &mode{Session: s, visit: ben, out: newWriter(&out, false, 0)}
		made, err := ana.NewTable(t.Context(), table.DefaultConfig())
		require.NoError(t, err)
		m.answer = func(ctx context.Context, _ string) error {
			_, err := ana.SayAt(ctx, made.ID(), "/invite ben")
			return err
		}
		require.NoError(t, m.line(t.Context(), "yes"))
		require.NoError(t, m.out.flush(""))
		require.Regexp(t, `(?s)ana invites you.*Type yes to join table`, out.String())
	})
}
