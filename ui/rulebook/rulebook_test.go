package rulebook_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/rulebook"
)

func open(t *testing.T, ruleText string, keys ...string) *pagetest.Driver {
	d := pagetest.Drive(rulebook.New(pagetest.Env(t, nil), page.Target{Rules: ruleText}))
	read(d, 80, 20)
	d.Press(keys...)
	return d
}

func read(d *pagetest.Driver, w, h int) string {
	return ansi.Strip(strings.Join(d.Lines(w, h), "\n"))
}

// whole is all that a leaf says.
func whole(d *pagetest.Driver) string { return read(d, 80, 200) }

func TestAllGamesAreTold(t *testing.T) {
	d := open(t, "")
	for _, g := range rules.Presets() {
		require.Contains(t, whole(d), "["+g.String()+"]")
		first, _, _ := strings.Cut(english.Describe(g.Rules(), 0)[0], " ")
		require.Contains(t, whole(d), first)
		require.Equal(t, g.Rules().Multiple != 0, strings.Contains(whole(d), "How a layout counts"), "%v", g)
		d.Press("right")
	}
	for _, k := range rules.Keys() {
		require.Contains(t, whole(d), k.Name)
	}
	d.Press("right")
	require.Contains(t, whole(d), "[azneef]")
	d.Click(9, 0)
	require.Contains(t, whole(d), "[sniff]")
	d.Click(9, 1)
	d.Click(79, 0)
	d.Lines(40, 12)
	d.Click(3, 0) // where the names have no room, they have no places
	require.Contains(t, whole(d), "[sniff]")
}

// The counts of the example are those of docs/rules.md.
func TestExampleOfClassic(t *testing.T) {
	d := open(t, "classic")
	for _, count := range []string{"5-5  leads  10, scores 10", "10+0 = 10, scores 10", "= 13", "= 15, scores 15", "= 14", "= 16", "= 17",
		"= 20, scores 20"} {
		require.Contains(t, whole(d), count)
	}
}

func TestTableComesFirst(t *testing.T) {
	d := open(t, "classic target=100 spinner=none")
	require.Contains(t, whole(d), "[your table]")
	require.Contains(t, whole(d), "classic spinner=none target=100")
	require.Contains(t, whole(open(t, "no such game")), "[azneef]")
	d.Press("right", "right")
	again := rulebook.New(pagetest.Env(t, nil), d.Page.Chrome().Reopen)
	require.Equal(t, whole(d), whole(pagetest.Drive(again)), "the page opens as it was left")
}

func TestScrollsToTheEndAndNotBeyond(t *testing.T) {
	d := open(t, "", "end")
	last := read(d, 80, 20)
	require.Contains(t, last, "100%")
	require.Contains(t, last, "target")
	d.Press("down", "pgdown")
	require.Equal(t, last, read(d, 80, 20))
	d.Press("up")
	require.NotEqual(t, last, read(d, 80, 20))
	d.Press("home")
	require.Contains(t, read(d, 80, 20), "Azneef.")
}

func TestFitsEverySize(t *testing.T) {
	d := open(t, "azneef draw=all")
	for range 7 {
		for w := 40; w < 160; w += 7 {
			pagetest.CheckFits(t, d.Lines(w, 10), w, 10)
			pagetest.CheckFits(t, d.Lines(w, 300), w, 300)
		}
		d.Press("right")
	}
}

func TestPictures(t *testing.T) {
	for name, keys := range map[string][]string{"azneef": nil, "classic-end": {"right", "right", "right", "end"}, "house": {"left"}} {
		e := pagetest.Env(t, nil)
		d := pagetest.Drive(rulebook.New(e, page.Target{}))
		read(d, 80, 20)
		d.Press(keys...)
		pagetest.Golden(t, e, d.Page, name)
	}
}
