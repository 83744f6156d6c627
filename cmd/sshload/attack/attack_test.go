package attack

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The operators' handbook covers exactly these attacks: what each costs and what limits it.
func TestTheHandbookNamesTheAttacks(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operation.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(b), "| attack | in the soak |")
	require.True(t, ok)
	table, _, _ := strings.Cut(rest, "\n\n")
	var named, there []string
	for line := range strings.SplitSeq(table, "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[2], -1) {
				named = append(named, name[1])
			}
		}
	}
	for _, a := range Kinds() {
		there = append(there, a.Name)
	}
	slices.Sort(named)
	slices.Sort(there)
	require.Equal(t, there, slices.Compact(named))
}

// Attacks on other machines are refused.
func TestOnlyThisMachineIsAttacked(t *testing.T) {
	err := Run(strings.NewReader(`{"Club":"192.0.2.1:22","Hostile":1}`), io.Discard)
	require.ErrorContains(t, err, "not on this machine")
}

// A client that is turned away reads something other than SSH's greeting, or nothing.
func TestWhoIsTurnedAway(t *testing.T) {
	for greeting, away := range map[string]bool{"SSH-2.0-x\r\n": false, "Not allowed at this time\r\n": true, "": true} {
		server, conn := net.Pipe()
		go func() {
			_, _ = io.WriteString(server, greeting)
			_ = server.Close()
		}()
		g := &greeted{Conn: conn}
		_, err := io.Copy(io.Discard, g)
		require.Equal(t, away, errors.Is(g.end(err), errTurnedAway), "%q", greeting)
	}
}

// Hostile clients that share an address share the next one, too.
func TestGroupsMoveTogether(t *testing.T) {
	o := &Campaign{Hostile: 8, began: time.Now()}
	a, b := &attacker{Campaign: o, group: 0}, &attacker{Campaign: o, group: 4}
	first := a.address(o.began)
	require.Equal(t, first, a.address(o.began.Add(addressTime-1)))
	require.NotEqual(t, first, b.address(o.began))
	require.NotEqual(t, first, a.address(o.began.Add(2*addressTime)))
}
