package outside

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// feed is an Atom feed (RFC 4287).
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Entries []entry  `xml:"entry"`
}

type entry struct {
	ID       string   `xml:"id"`
	Title    string   `xml:"title"`
	Updated  string   `xml:"updated"`
	Category category `xml:"category"`
	Content  string   `xml:"content"`
}

type category struct {
	Term string `xml:"term,attr"`
}

// atomOf returns the feed of news, newest first. The identifier of a news item never changes.
func atomOf(news []lobby.NewsItem, club, address string) ([]byte, error) {
	f := feed{ID: idOf(club, &lobby.NewsItem{}), Title: "Boneyard: ssh " + address, Updated: stamp(time.Unix(0, 0)), Author: "Boneyard"}
	for i := range news {
		n := &news[i]
		say := text.Printable(n.Text)
		f.Entries = append(f.Entries, entry{idOf(club, n), say, stamp(n.At), category{n.Kind}, say + moreOf(n, address)})
		f.Updated = f.Entries[0].Updated
	}
	b, err := xml.MarshalIndent(f, "", " ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

// moreOf says where to see a game in full.
func moreOf(n *lobby.NewsItem, address string) string {
	if n.Game == 0 {
		return ""
	}
	return fmt.Sprintf(" (ssh %s card %d)", address, n.Game)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// idOf returns the identifier of a club's news item, or of the feed for the zero item: a UUID of version 8.
// The time is part of it, since after a restored backup another item may get the same number.
func idOf(club string, n *lobby.NewsItem) string {
	id := sha256.Sum256(fmt.Appendf(nil, "boneyard news %s %d %s", club, n.ID, stamp(n.At)))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

// stamped finds the time at which a calendar was made.
var stamped = regexp.MustCompile(`DTSTAMP:(\d{8}T\d{6}Z)`)

// calendarOf returns the calendar file; it returns old if only the time at which it was made would differ.
func calendarOf(planned []event.Appointment, club, address string, old []byte) []byte {
	make := func(at time.Time) []byte {
		return []byte(strings.Join(plain.ICalendar(planned, club, address, at, true), "\r\n") + "\r\n")
	}
	if m := stamped.FindSubmatch(old); m != nil {
		if at, err := time.Parse("20060102T150405Z", string(m[1])); err == nil && bytes.Equal(make(at), old) {
			return old
		}
	}
	return make(time.Now())
}
