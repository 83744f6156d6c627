package club

import (
	"testing"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

func picture(t *testing.T, c *fakeClub, name string, keys ...string) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, c, page.Target{}))
	d.Press(keys...)
	pagetest.Golden(t, e, d.Page, name)
}

func TestPictures(t *testing.T) {
	picture(t, evening(), "evening")
	picture(t, evening(), "news", "left", "down")
	picture(t, evening(), "talking", "t", "h", "i")
	picture(t, evening(), "filtered", "f", "g", "g", "g", "g")
	guest := evening()
	guest.me = player("guest-maple")
	picture(t, guest, "guest")
	meets := evening()
	meets.liked = []string{"dee", "hana"}
	picture(t, meets, "friends", "right", "right", "down")
	picture(t, &fakeClub{me: player("ana"), snap: &lobby.Snapshot{}}, "empty")
}
