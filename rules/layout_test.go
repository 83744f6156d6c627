package rules

import (
	"testing"
)

// The worked example of text 003 (docs/rules.md, "Worked examples"), step by step.
func TestWorkedExample(t *testing.T) {
	checkLayouts(t, []layoutCase{
		{"1: lead 5-5", "classic", "5-5", "<5>", "10, scores 10", "L5 R5 U5 D5"},
		{"2: 5-0 on R", "classic", "5-5, 5-0 R", "<5> 5-0", "10 + 0 = 10, scores 10", "L5 R0 U5 D5"},
		{"3: 5-3 on L", "classic", "5-5, 5-0 R, 5-3 L", "3-5 <5> 5-0", "3 + 0 + 10 = 13, no score", "L3 R0 U5 D5"},
		{"3: 0-2 on R", "classic", "5-5, 5-0 R, 5-3 L, 0-2 R", "3-5 <5> 5-0 0-2", "3 + 2 + 10 = 15, scores 15", "L3 R2 U5 D5"},
		{"4: 5-4 on U", "classic", "5-5, 5-0 R, 5-3 L, 0-2 R, 5-4 U", `
			     4
			     5
			3-5 <5> 5-0 0-2
			`, "3 + 2 + 4 + 5 = 14, no score", "L3 R2 U4 D5"},
		{"4: 2-2 on R", "classic", "5-5, 5-0 R, 5-3 L, 0-2 R, 5-4 U, 2-2 R", `
			     4
			     5
			3-5 <5> 5-0 0-2 [2]
			`, "3 + 4 + 4 + 5 = 16, no score", "L3 R2 U4 D5"},
		{"4: 2-5 on R", "classic", "5-5, 5-0 R, 5-3 L, 0-2 R, 5-4 U, 2-2 R, 2-5 R", `
			     4
			     5
			3-5 <5> 5-0 0-2 [2] 2-5
			`, "3 + 5 + 4 + 5 = 17, no score", "L3 R5 U4 D5"},
		{"4: 3-3 on L", "classic", "5-5, 5-0 R, 5-3 L, 0-2 R, 5-4 U, 2-2 R, 2-5 R, 3-3 L", `
			         4
			         5
			[3] 3-5 <5> 5-0 0-2 [2] 2-5
			`, "6 + 5 + 4 + 5 = 20, scores 20", "L3 R5 U4 D5"},
	})
}

// What the spinner counts, by edges covered (docs/rules.md, "The count").
func TestSpinnerCounts(t *testing.T) {
	checkLayouts(t, []layoutCase{
		{"flank, none", "azneef", "6-6", "<6>", "12, no score", "L6 R6"},
		{"flank, one side", "azneef", "6-6, 6-3 R", "<6> 6-3", "12 + 3 = 15, scores 15", "L6 R3"},
		{"flank, both sides", "azneef", "6-6, 6-3 R, 6-2 L", "2-6 <6> 6-3", "2 + 3 = 5, scores 5", "L2 R3 U6 D6"},
		{"flank, three edges", "azneef", "6-6, 6-3 R, 6-2 L, 6-1 U", `
			     1
			     6
			2-6 <6> 6-3
			`, "2 + 3 + 1 = 6, no score", "L2 R3 U1 D6"},
		{"flank, four edges", "azneef", "6-6, 6-3 R, 6-2 L, 6-1 U, 6-4 D", `
			     1
			     6
			2-6 <6> 6-3
			     6
			     4
			`, "2 + 3 + 1 + 4 = 10, scores 10", "L2 R3 U1 D4"},

		{"sniff, both sides", "sniff", "6-6, 6-3 R, 6-2 L", "2-6 <6> 6-3", "2 + 3 + 12 = 17, no score", "L2 R3 U6 D6"},
		{"sniff, three edges", "sniff", "6-6, 6-3 R, 6-2 L, 6-1 U", `
			     1
			     6
			2-6 <6> 6-3
			`, "2 + 3 + 1 + 6 = 12, no score", "L2 R3 U1 D6"},
		{"sniff, four edges", "sniff", "6-6, 6-3 R, 6-2 L, 6-1 U, 6-4 D", `
			     1
			     6
			2-6 <6> 6-3
			     6
			     4
			`, "2 + 3 + 1 + 4 = 10, scores 10", "L2 R3 U1 D4"},

		{"sniff, any order: an end before the sides", "classic", "6-6, 6-1 U", `
			 1
			 6
			<6>
			`, "12 + 1 = 13, no score", "L6 R6 U1 D6"},
		{"sniff, any order: both ends", "classic", "6-6, 6-1 U, 6-4 D", `
			 1
			 6
			<6>
			 6
			 4
			`, "12 + 1 + 4 = 17, no score", "L6 R6 U1 D4"},
		{"sniff, any order: both ends and a side", "classic", "6-6, 6-1 U, 6-4 D, 6-3 R", `
			 1
			 6
			<6> 6-3
			 6
			 4
			`, "6 + 3 + 1 + 4 = 14, no score", "L6 R3 U1 D4"},
		{"flank, any order: both ends and a side", "classic count=flank", "6-6, 6-1 U, 6-4 D, 6-3 R", `
			 1
			 6
			<6> 6-3
			 6
			 4
			`, "12 + 3 + 1 + 4 = 20, scores 20", "L6 R3 U1 D4"},
		{"flank, any order: all four", "classic count=flank", "6-6, 6-1 U, 6-4 D, 6-3 R, 6-2 L", `
			     1
			     6
			2-6 <6> 6-3
			     6
			     4
			`, "2 + 3 + 1 + 4 = 10, scores 10", "L2 R3 U1 D4"},

		{"a spinner inside the line: its chain covers a side", "azneef", "6-4, 4-4 R", "6-4 <4>", "6 + 8 = 14, no score", "L6 R4"},
		{"its far side opens the ends", "azneef", "6-4, 4-4 R, 4-1 R", "6-4 <4> 4-1", "6 + 1 = 7, no score", "L6 R1 U4 D4"},
		{"a spinner on the left", "classic", "4-6, 4-4 L", "<4> 4-6", "8 + 6 = 14, no score", "L4 R6 U4 D4"},
		{"a later double is none", "classic", "4-6, 4-4 L, 6-6 R, 6-0 R", "<4> 4-6 [6] 6-0", "8 + 0 = 8, no score", "L4 R0 U4 D4"},
	})
}

func TestPlainCounts(t *testing.T) {
	checkLayouts(t, []layoutCase{
		{"a lone tile counts both halves", "classic", "6-4", "6-4", "6 + 4 = 10, scores 10", "L6 R4"},
		{"turned round", "classic", "4-6", "4-6", "4 + 6 = 10, scores 10", "L4 R6"},
		{"a lead keeps the half that is open", "classic", "6-4, 4-1 R", "6-4 4-1", "6 + 1 = 7, no score", "L6 R1"},
		{"or the other one", "classic", "6-4, 6-1 L", "1-6 6-4", "1 + 4 = 5, scores 5", "L1 R4"},
		{"a double at an end counts both halves", "classic", "2-2, 2-3 R, 3-3 R", "<2> 2-3 [3]", "4 + 6 = 10, scores 10", "L2 R3 U2 D2"},
		{"and nothing once it is covered", "classic", "2-2, 2-3 R, 3-3 R, 3-1 R", "<2> 2-3 [3] 3-1", "4 + 1 = 5, scores 5", "L2 R1 U2 D2"},
		{"a count of nothing scores nothing", "classic", "0-0", "<0>", "0, no score", "L0 R0 U0 D0"},
		{"without a spinner a led double has two ends", "classic spinner=none", "5-5", "[5]", "10, scores 10", "L5 R5"},
		{"it counts while either half is open", "classic spinner=none", "5-5, 5-0 R", "[5] 5-0", "10 + 0 = 10, scores 10", "L5 R0"},
		{"and nothing with both covered", "classic spinner=none", "5-5, 5-0 R, 5-3 L", "3-5 [5] 5-0", "3 + 0 = 3, no score", "L3 R0"},
		{"block counts nothing", "block", "6-6, 6-4 R", "[6] 6-4", "", "L6 R4"},
		{"All Threes", "classic multiple=3", "6-3", "6-3", "6 + 3 = 9, scores 9", "L6 R3"},
		{"a cribbage board", "classic pegs=on target=61", "6-4", "6-4", "6 + 4 = 10, scores 2", "L6 R4"},
		{"one peg", "classic pegs=on", "2-3", "2-3", "2 + 3 = 5, scores 1", "L2 R3"},
	})
}

// With spinner=all the layout is a tree.
func TestAllSpinners(t *testing.T) {
	checkLayouts(t, []layoutCase{
		{"a later double opens branches named by its ordinal", "classic spinner=all", "6-6, 6-3 R, 3-3 R",
			"<6> 6-3 <3>", "12 + 6 = 18, no score", "L6 R3 U6 D6 3U3 3D3"},
		{"a branch counts like an arm", "classic spinner=all", "6-6, 6-3 R, 3-3 R, 3-5 3U", `
			         5
			         3
			<6> 6-3 <3>
			`, "12 + 6 + 5 = 23, no score", "L6 R3 U6 D6 3U5 3D3"},
		{"an inner double with three edges covered counts one half", "classic spinner=all", "6-6, 6-3 R, 3-3 R, 3-5 3U, 3-1 R", `
			         5
			         3
			<6> 6-3 <3> 3-1
			`, "12 + 1 + 5 + 3 = 21, no score", "L6 R1 U6 D6 3U5 3D3"},
		{"with four none", "classic spinner=all", "6-6, 6-3 R, 3-3 R, 3-5 3U, 3-1 R, 3-4 3D", `
			         5
			         3
			<6> 6-3 <3> 3-1
			         3
			         4
			`, "12 + 1 + 5 + 4 = 22, no score", "L6 R1 U6 D6 3U5 3D4"},
		{"under flank both sides end it", "classic spinner=all count=flank", "6-6, 6-3 R, 3-3 R, 3-1 R",
			"<6> 6-3 <3> 3-1", "12 + 1 = 13, no score", "L6 R1 U6 D6 3U3 3D3"},
		{"under flank its ends do not", "classic spinner=all count=flank", "6-6, 6-3 R, 3-3 R, 3-5 3U, 3-4 3D", `
			         5
			         3
			<6> 6-3 <3>
			         3
			         4
			`, "12 + 6 + 5 + 4 = 27, no score", "L6 R3 U6 D6 3U5 3D4"},
		{"sides first: no branch yet", "classic spinner=all order=sides", "6-6, 6-3 R, 3-3 R",
			"<6> 6-3 <3>", "12 + 6 = 18, no score", "L6 R3"},
		{"sides first: the far side opens them", "classic spinner=all order=sides", "6-6, 6-3 R, 3-3 R, 3-1 R",
			"<6> 6-3 <3> 3-1", "12 + 1 + 6 = 19, no score", "L6 R1 3U3 3D3"},
		{"the first double has U and D whenever it is laid", "classic spinner=all", "6-4, 4-2 R, 2-2 R",
			"6-4 4-2 <2>", "6 + 4 = 10, scores 10", "L6 R2 U2 D2"},
		{"a double on a branch has branches of its own", "classic spinner=all", "6-6, 6-3 U, 3-3 U, 3-5 3D, 5-5 3D, 5-2 3D, 5-4 5U, 3-0 3U",
			`
			             4
			             5
			0-3 <3> 3-5 <5> 5-2
			     3
			     6
			    <6>
			`, "12 + 3 + 0 + 2 + 4 + 5 = 26, no score", "L6 R6 U3 D6 3U0 3D2 5U4 5D5"},
	})
}
