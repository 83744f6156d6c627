package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"boneyard/rules"
	"boneyard/ui/theme"
)

func TestLook(t *testing.T) {
	if os.Getenv("LOOK") == "" {
		t.Skip()
	}
	w, _ := strconv.Atoi(os.Getenv("W"))
	h, _ := strconv.Atoi(os.Getenv("H"))
	f, _ := theme.ParseFaces(os.Getenv("F"))
	p := colorprofile.TrueColor
	if os.Getenv("MONO") != "" {
		p = colorprofile.NoTTY
	}
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	every, _ := strconv.Atoi(os.Getenv("EVERY"))
	r, _ := rules.Parse(os.Getenv("LOOK"))
	th := theme.Get(theme.Dark, p, f)
	rng := rand.New(rand.NewPCG(uint64(seed), 2))
	done := false
	playRounds(r, 4, rng, func(l *rules.Layout, end bool) {
		if done {
			return
		}
		done = end
		if end || every > 0 && l.Len()%every == 0 {
			plan := Lay(l, w, h, 0)
			fmt.Println("----", l.Len(), plan.Size())
			for _, s := range plan.Draw(Options{Theme: th, Ghost: os.Getenv("GHOST") != ""}) {
				fmt.Println(s)
			}
		}
	})
}
