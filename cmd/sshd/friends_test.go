package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// counted is a person whose keys are counted.
type counted struct {
	*terminal
	keys int
}

// types presses keys one by one.
func (c *counted) types(keys ...string) {
	for _, k := range keys {
		c.press(k)
		c.keys++
	}
}

// answers presses a key as soon as the prompt says what it does.
func (c *counted) answers(prompt, key string) {
	c.shows(prompt, "9 join   0 decline")
	c.types(key)
}

// Four friends who are in the lobby sit at one table, in two teams of two, after twenty keys in all.
func TestFourFriendsInTwentyKeys(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	var all []*counted
	for _, name := range []string{"ana", "ben", "cy", "dee"} {
		all = append(all, &counted{terminal: newcomer(t, m, name, 80, 24)})
	}
	ana := all[0]
	ana.types("n")
	ana.shows("Partners")
	ana.types(down, down, down, right, enter)
	ana.shows("3 seats are free")
	ana.types("i")
	ana.shows("/invite")
	ana.types("b", " ", "c", " ", "d", enter)
	for _, p := range all[1:] {
		p.answers("ana invites you to table ", "9")
	}
	ana.shows("All seats are taken")
	ana.types(" ")
	keys := 0
	for _, p := range all {
		p.shows("Round 1")
		keys += p.keys
	}
	require.LessOrEqual(t, keys, 20)
}

// A prompt takes no key that was meant for something else: no typed digit, and none at all until its keys are
// shown. In other modes it is a question in words.
func TestAPromptSwallowsNoKey(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana, ben := newcomer(t, m, "ana", 80, 24), newcomer(t, m, "ben", 80, 24)
	cy := startLine(t, m, member(t, m, "cy"), "dumb", "")
	cy.until("You are cy")
	ben.press("t")
	ben.shows("Say")
	number := makeTable(ana, "classic", down+down+right+right, never) // four seats
	ana.press("i")
	ana.press("ben cy" + enter)
	ben.shows("ana invites you to table " + number + ": classic to 200")
	ben.press("9 or 0, that is the question" + enter)
	ana.press("1")
	ana.shows("ben  9 or 0, that is the question")
	require.NotContains(t, ben.see(), "0 decline")
	ben.press("\x1b")
	ben.shows("9 join   0 decline")
	ben.press("0")
	ben.shows("You have declined.")
	ana.shows("ben declines your invitation to table " + number)

	cy.until("ana invites you to table " + number + ": classic to 200 (?s:.*)Type yes to join table " + number + ", or no.")
	cy.say("yes")
	cy.until("cy, ready, you")
	require.NotContains(t, ben.see(), "invites you")
}

// A captain challenges another team with one key on its page, and all four play after one key each.
func TestAChallengeIsAnsweredWithOneKey(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	var all []*counted
	for _, name := range []string{"ana", "ben", "cy", "dee"} {
		all = append(all, &counted{terminal: newcomer(t, m, name, 80, 24)})
	}
	makeTeam(all[0].terminal, all[1].terminal, "Night Owls", "OWL")
	makeTeam(all[2].terminal, all[3].terminal, "Early Birds", "BIRD")
	ana := all[0]
	ana.types("2")
	ana.shows("Early Birds")
	ana.types(enter)
	ana.shows("v challenge", "Early Birds", "Roster")
	ana.types("v")
	ana.shows("Challenge", "[two teams]")
	ana.types(enter)
	all[1].answers("ana calls your team to table", "9")
	for _, p := range all[2:] {
		p.answers("ana challenges your team at table", "9")
	}
	keys := 0
	for _, p := range all {
		p.shows("Round 1")
		keys += p.keys
	}
	require.LessOrEqual(t, keys, 20)
}
