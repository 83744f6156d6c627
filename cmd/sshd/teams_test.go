package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// makeTeam has a captain make a team and a second member join it.
func makeTeam(captain, second *terminal, name, tag string) {
	captain.t.Helper()
	captain.press("2")
	captain.shows("make a team")
	captain.press("c")
	captain.shows("Name")
	captain.press(name + enter)
	captain.press(tag + enter)
	captain.shows("i invite", name, "Roster") // the page before it says "invite", too
	captain.press("i")
	captain.shows("enter invite")
	captain.press(second.name + enter)
	captain.shows("invited: " + second.name)

	second.press("2")
	second.shows(name, "You are invited: press a")
	second.press("a")
	second.shows(name, "Roster")
	for _, p := range []*terminal{captain, second} {
		p.press("1")
		p.until("the lobby", inLobby)
	}
}

func TestTwoTeamsPlayBlock(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	ben := newcomer(t, m, "ben", 80, 24)
	cleo := newcomer(t, m, "cleo", 120, 40)
	dan := newcomer(t, m, "dan", 80, 24)
	eve := newcomer(t, m, "eve", 80, 24)
	makeTeam(ana, cleo, "Night Owls", "OWL")
	makeTeam(ben, dan, "Early Birds", "BIRD")

	const twoTeams = down + down + down + down + right + right // "Who may sit"
	number := makeTable(ana, "block target=150", twoTeams)
	ben.join(number)
	eve.shows("People 5", "OWL ana") // the lobby follows by itself
	eve.press("j")
	eve.shows("enter join")
	eve.press(number + enter)
	eve.shows("team")
	require.NotContains(t, eve.see(), "space ready", "a stranger has no seat")
	cleo.join(number)
	dan.join(number)
	require.NotContains(t, dan.shows("Night Owls v Early Birds", "All seats are taken", "Rated  yes"), "b bot", "bots don't play for teams")
	for _, p := range []*terminal{ana, ben, cleo, dan} {
		p.press(" ")
	}
	playOut(ana, ben, cleo, dan)
	record := export(t, m, ana.shows("team   Night Owls", "team   Early Birds"))
	require.Contains(t, record, "\nseat 1 ana\nseat 2 ben\nseat 3 cleo\nseat 4 dan\n")

	eve.press("3")
	eve.shows("Night Owls", "Early Birds", "1515", "1485")
}
