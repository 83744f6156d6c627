package store_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/ramdir"
	"boneyard/table"
)

// The tests below run this test program again, as a server would be run beside or after another.
const roleVar, fileVar = "STORE_TEST_ROLE", "STORE_TEST_FILE"

func TestMain(m *testing.M) {
	useVFS()
	switch os.Getenv(roleVar) {
	case "":
		if err := ramdir.Use(); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	case "open":
		s, err := store.Open(ctx, os.Getenv(fileVar), store.DefaultOptions())
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("opened")
		s.Close()
	case "write":
		if err := writeForever(os.Getenv(fileVar)); err != nil {
			fmt.Println("!", err)
			os.Exit(1)
		}
	default:
		roles[os.Getenv(roleVar)](os.Getenv(fileVar))
	}
}

// roles are those that not every system has.
var roles = make(map[string]func(path string))

// again is this program in another role.
func again(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role, fileVar+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

func TestSecondServerIsRefused(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	out, err := again(t, "open", path).Output()
	require.Error(t, err)
	require.Contains(t, string(out), store.ErrInUse.Error()+fmt.Sprintf(": process %d", os.Getpid()))
	require.ErrorIs(t, errOf(store.Open(ctx, path, options(t))), store.ErrInUse, "also in one process")
	mustCreate(t, s, "ana")

	mustClose(t, s)
	out, err = again(t, "open", path).Output()
	require.NoError(t, err)
	require.Equal(t, "opened\n", string(out))
}

const writers = 8

// writeForever plays at several tables at once, going on where the journal stops, and prints each
// acknowledged step, until the process is killed.
func writeForever(path string) error {
	s, err := store.Open(ctx, path, store.DefaultOptions())
	if err != nil {
		return err
	}
	saved, err := s.Load(ctx)
	if err != nil {
		return err
	}
	lines := make(map[table.ID]int)
	for _, v := range saved {
		lines[v.Table] = len(v.Rows)
	}
	failed := make(chan error)
	for id := table.ID(1); id <= writers; id++ {
		go func() {
			n, known := lines[id]
			for {
				b := &table.Batch{Table: id, Game: table.GameID(id), Seq: n, State: fmt.Appendf(nil, `{"lines":%d}`, n+2)}
				for i := range 2 {
					b.Rows = append(b.Rows, table.Row{Line: fmt.Sprintf("# %d", n+i+1), At: noon, Command: fmt.Sprint(n + i + 1)})
				}
				if !known {
					b.Start = &table.Start{Rules: "classic", Seats: []table.Player{{Name: "a"}, {Name: "b"}}}
					known = true
				}
				if err := commit(s, b); err != nil {
					failed <- err
					return
				}
				n += 2
				fmt.Printf("%d %d\n", id, n) // one write, so that a line is whole or not there
			}
		}()
	}
	return <-failed
}

func TestNothingAcknowledgedIsLostWhenTheProcessIsKilled(t *testing.T) {
	const kills = 20
	path := newPath(t)
	rng := rand.New(rand.NewPCG(1, 0))
	acknowledged := make(map[table.ID]int)
	for kill := range kills {
		cmd := again(t, "write", path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		left := 1 + rng.IntN(400)
		var once sync.Once
		lines := bufio.NewScanner(out)
		for lines.Scan() { // to the end: lines before the kill count
			require.False(t, strings.HasPrefix(lines.Text(), "!"), lines.Text())
			var id table.ID
			var n int
			require.NoError(t, errOf(fmt.Sscan(lines.Text(), &id, &n)))
			acknowledged[id] = n
			if left--; left <= 0 {
				once.Do(func() { require.NoError(t, cmd.Process.Kill()) })
			}
		}
		require.Error(t, cmd.Wait(), "it was killed")

		s := mustOpen(t, path, options(t))
		saved := mustLoad(t, s)
		kept := make(map[table.ID]int)
		for _, v := range saved {
			kept[v.Table] = len(v.Rows)
			for i, r := range v.Rows {
				require.Equal(t, fmt.Sprintf("# %d", i+1), r.Line, "table %d", v.Table)
			}
			require.JSONEq(t, fmt.Sprintf(`{"lines":%d}`, len(v.Rows)), string(v.State))
			require.Zero(t, len(v.Rows)%2, "half a batch")
		}
		for id := table.ID(1); id <= writers; id++ {
			// A batch may be on the disk and the process dead before it could say so.
			require.GreaterOrEqual(t, kept[id], acknowledged[id], "kill %d, table %d", kill, id)
			require.LessOrEqual(t, kept[id], acknowledged[id]+2, "kill %d, table %d", kill, id)
			acknowledged[id] = kept[id]
		}
		mustClose(t, s)
	}
}
