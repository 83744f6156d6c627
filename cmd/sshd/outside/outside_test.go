package outside

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// fakeClub is a club whose news and calendar tests can change.
type fakeClub struct {
	mu   sync.Mutex
	told lobby.Public
	fail error
}

func (c *fakeClub) ClubID() string { return "0123abcd" }

func (c *fakeClub) Public(context.Context) (*lobby.Public, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	told := c.told
	return &told, c.fail
}

func (c *fakeClub) set(told lobby.Public, fail error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told, c.fail = told, fail
}

// hostile are texts as a damaged or an old file may have them.
var hostile = []string{
	"ana beat ben at classic, 100:95", `<script>alert("&amp;")</script>]]>`, "a\x00b\x1b[31mc\u0085d\ufffe", "x\r\nBEGIN:VEVENT\r\nSUMMARY:y",
	`one, two; three: four\ five`, strings.Repeat("a long name, ", 40), strings.Repeat("żółć", 60), "\xff\xfe", "",
	"@everyone [x](https://evil.example) *b*",
}

// icsLines reads a calendar strictly by RFC 5545: lines of at most 75 octets that end with CRLF, folded ones put together, of text in UTF-8
// without control characters; each is a property with a value.
func icsLines(t *testing.T, b []byte) (lines [][2]string) {
	t.Helper()
	require.True(t, utf8.Valid(b))
	rest, ok := strings.CutSuffix(string(b), "\r\n")
	require.True(t, ok)
	for _, l := range strings.Split(rest, "\r\n") {
		require.LessOrEqual(t, len(l), 75, "%q", l)
		require.True(t, utf8.ValidString(l), "%q is folded within a character", l)
		require.Negative(t, strings.IndexFunc(l, func(r rune) bool { return r < ' ' || r == 0x7f }), "%q", l)
		if folded, ok := strings.CutPrefix(l, " "); ok {
			require.NotEmpty(t, lines)
			lines[len(lines)-1][1] += folded
			continue
		}
		name, value, ok := strings.Cut(l, ":")
		require.True(t, ok, "%q", l)
		lines = append(lines, [2]string{name, value})
	}
	return lines
}

// component is a part of a calendar.
type component struct {
	name  string
	props map[string]string
	parts []*component
}

func readICS(t *testing.T, b []byte) *component {
	t.Helper()
	top := &component{}
	stack := []*component{top}
	for _, l := range icsLines(t, b) {
		at := stack[len(stack)-1]
		switch l[0] {
		case "BEGIN":
			part := &component{name: l[1], props: map[string]string{}}
			at.parts = append(at.parts, part)
			stack = append(stack, part)
		case "END":
			require.Equal(t, at.name, l[1])
			stack = stack[:len(stack)-1]
		default:
			require.NotContains(t, at.props, l[0], "twice in %s", at.name)
			at.props[l[0]] = l[1]
		}
	}
	require.Len(t, stack, 1)
	require.Len(t, top.parts, 1)
	return top.parts[0]
}

func TestCalendarIsValid(t *testing.T) {
	var planned []event.Appointment
	for i, s := range hostile {
		planned = append(planned, event.Appointment{Key: "arena-" + string(rune('a'+i)), Kind: "arena", Event: event.ID(i + 1), Begins: noon,
			Ends: noon.Add(time.Hour), Title: s})
	}
	off := planned[0]
	off.Key, off.Off, off.Change = "arena-off", true, 3
	deadline := planned[1]
	deadline.Key, deadline.Ends = "league-1", deadline.Begins
	planned = append(planned, off, deadline,
		event.Appointment{Key: "daily", Begins: noon, Ends: noon.Add(24 * time.Hour), Title: "Daily deal"})
	b := calendarOf(planned, "0123abcd", "-p 2222 localhost", nil)
	c := readICS(t, b)
	require.Equal(t, "VCALENDAR", c.name)
	require.Equal(t, "2.0", c.props["VERSION"])
	require.NotEmpty(t, c.props["PRODID"])
	require.Len(t, c.parts, len(planned))
	uids := map[string]bool{}
	for i, e := range c.parts {
		require.Equal(t, "VEVENT", e.name)
		require.False(t, uids[e.props["UID"]])
		uids[e.props["UID"]] = true
		for _, p := range []string{"UID", "DTSTAMP", "DTSTART", "SEQUENCE"} {
			require.NotEmpty(t, e.props[p], p)
		}
		unescaped := strings.NewReplacer(`\\`, "", `\;`, "", `\,`, "", `\n`, "", `\N`, "").Replace(e.props["SUMMARY"])
		require.NotContains(t, unescaped, ",")
		require.NotContains(t, unescaped, ";")
		require.NotContains(t, unescaped, `\`)
		want := []string{"-PT30M", "-PT5M"}
		if i >= len(hostile) {
			want = nil // called off, a deadline, and what is there every day
		}
		var alarms []string
		for _, a := range e.parts {
			require.Equal(t, "VALARM", a.name)
			require.Equal(t, "DISPLAY", a.props["ACTION"])
			alarms = append(alarms, a.props["TRIGGER"])
		}
		require.Equal(t, want, alarms, "%d", i)
	}
	require.Equal(t, "CANCELLED", c.parts[len(hostile)].props["STATUS"])
	require.Equal(t, "3", c.parts[len(hostile)].props["SEQUENCE"])
	require.Equal(t, b, calendarOf(planned, "0123abcd", "-p 2222 localhost", b), "not written again")
	planned[0].Begins = planned[0].Begins.Add(time.Minute)
	require.NotEqual(t, b, calendarOf(planned, "0123abcd", "-p 2222 localhost", b))
}

func TestFeedIsValid(t *testing.T) {
	var news []lobby.NewsItem
	for i, s := range hostile {
		news = append(news, lobby.NewsItem{ID: int64(100 - i), At: noon.Add(-time.Duration(i) * time.Minute), Kind: lobby.NewsResult, Text: s,
			Game: 7})
	}
	read := func(news []lobby.NewsItem) (f feed) {
		b, err := atomOf(news, "0123abcd", "play.example.org")
		require.NoError(t, err)
		d := xml.NewDecoder(strings.NewReader(string(b)))
		require.NoError(t, d.Decode(&f))
		_, err = d.Token()
		for err == nil {
			_, err = d.Token()
		}
		require.Equal(t, io.EOF, err)
		return f
	}
	f := read(news)
	require.Equal(t, "http://www.w3.org/2005/Atom", f.XMLName.Space)
	require.Equal(t, "2026-11-21T12:00:00Z", f.Updated)
	require.NotEmpty(t, f.Author)
	require.Len(t, f.Entries, len(hostile))
	require.Equal(t, "ana beat ben at classic, 100:95", f.Entries[0].Title)
	require.Equal(t, "ana beat ben at classic, 100:95 (ssh play.example.org card 7)", f.Entries[0].Content)
	ids := map[string]bool{f.ID: true}
	for i, e := range f.Entries {
		require.Regexp(t, `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, e.ID)
		require.False(t, ids[e.ID])
		ids[e.ID] = true
		require.Equal(t, e.ID, read(news[i:]).Entries[0].ID, "an identifier stays")
	}
	empty := read(nil)
	require.Equal(t, f.ID, empty.ID)
	require.NotEmpty(t, empty.Updated)
}

// lockedLog is a log that may be read while others write.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Files are written only after changes; an error is logged once, and the files follow as soon as possible.
func TestFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "public")
		c, log := &fakeClub{}, &lockedLog{}
		teller := New(Config{Folder: folder, Address: "localhost", Log: slog.New(slog.NewTextHandler(log, nil))})
		teller.Start(c)
		time.Sleep(5 * again)
		synctest.Wait()
		require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
		require.NoError(t, os.Mkdir(folder, 0o755))
		time.Sleep(2 * again)
		synctest.Wait()
		require.Contains(t, log.String(), "written again")
		look := func() (all map[string]os.FileInfo) {
			all = map[string]os.FileInfo{}
			entries, err := os.ReadDir(folder)
			require.NoError(t, err)
			for _, e := range entries {
				all[e.Name()], err = e.Info()
				require.NoError(t, err)
			}
			return all
		}
		before := look()
		require.Len(t, before, 2)
		teller.Told(nil)
		time.Sleep(2 * pause)
		synctest.Wait()
		for name, info := range look() {
			require.True(t, os.SameFile(before[name], info), "%s was written, and says the same", name)
		}
		c.set(lobby.Public{News: []lobby.NewsItem{{ID: 1, At: noon, Text: "ana beat ben"}}}, nil)
		teller.Told(&lobby.NewsItem{})
		time.Sleep(2 * pause)
		synctest.Wait()
		after := look()
		require.Len(t, after, 2)
		require.False(t, os.SameFile(before["feed.atom"], after["feed.atom"]))
		require.True(t, os.SameFile(before["calendar.ics"], after["calendar.ics"]))
		c.set(lobby.Public{}, errors.New("no disk"))
		teller.Told(nil)
		time.Sleep(2 * pause)
		synctest.Wait()
		require.Contains(t, log.String(), "no disk")
		teller.Close()
		teller.Told(nil)
	})
}
