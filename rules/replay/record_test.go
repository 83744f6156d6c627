package replay_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/rules/replay"
	"boneyard/rules/replay/replaytest"
)

// records are the records that package record is tested with.
const records = "../record/testdata/valid"

// At each moment the game is the one that record.Replay has.
func TestGameAtEachMoment(t *testing.T) {
	for _, file := range replaytest.Files(t, records) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			rec := replaytest.Read(t, file)
			i, moves, turns := 0, 0, 0
			ended := false
			for step, err := range record.Replay(strings.NewReader(replaytest.Text(t, file))) {
				require.NoError(t, err)
				kind := replay.Kind(0)
				switch step.Line.(type) {
				case record.Lead:
					kind, ended = replay.Dealt, false
				case record.Play, record.Draw, record.Pass:
					kind = replay.Moved
					moves++
					if step.Event.Kind != rules.Draw {
						turns++
					}
				case record.End:
					kind, ended = replay.Ended, true
				case record.Won:
					if !ended {
						kind = replay.Ended
					}
				}
				if kind == 0 {
					continue
				}
				require.Less(t, i, len(rec.Moments))
				m := rec.Moments[i]
				require.Equal(t, kind, m.Kind, "line %d", step.Number)
				require.Equal(t, step.Game.Round(), m.Round)
				require.Equal(t, moves, m.Number)
				if drew := m.Event.Kind == rules.Draw; drew {
					require.Equal(t, turns+1, m.Turn, "of the play or pass to come")
				} else {
					require.Equal(t, turns, m.Turn)
					require.True(t, kind != replay.Moved || rec.TurnAt(turns) == i)
				}
				require.True(t, step.Game == rec.Game(i), "line %d: another game", step.Number)
				if kind == replay.Moved {
					require.Equal(t, step.Event, m.Event)
				}
				i++
			}
			require.Len(t, rec.Moments, i)
			require.Equal(t, moves, rec.Made)
			require.Equal(t, turns, rec.Turns)
			require.Equal(t, i-1, rec.MoveAt(moves+1), "there are no more")
		})
	}
}

// Left is what trying all plays finds.
func TestLeft(t *testing.T) {
	for _, file := range replaytest.Files(t, records) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			rec := replaytest.Read(t, file)
			want := make([]rules.Points, len(rec.Names))
			for i, m := range rec.Moments {
				if m.Kind != replay.Moved || m.Event.Kind != rules.Play {
					require.Zero(t, m.Left())
					continue
				}
				before := rec.Game(i - 1)
				best := rules.Points(0)
				choices := before.AppendChoices(nil)
				for _, c := range choices {
					_, e, err := before.Apply(before.Move(c))
					require.NoError(t, err)
					best = max(best, e.Points)
				}
				require.Len(t, choices, m.Options)
				require.Equal(t, best-m.Event.Points, m.Left(), "move %d", m.Number)
				want[m.Event.Seat-1] += m.Left()
			}
			for i, l := range rec.Left() {
				require.Equal(t, rules.Seat(i+1), l.Seat)
				require.Equal(t, want[i], l.Points())
				require.LessOrEqual(t, len(l.Worst), 3)
				last := rules.Points(1 << 20)
				for _, at := range l.Worst {
					m := rec.Moments[at]
					require.Equal(t, l.Seat, m.Event.Seat)
					require.Positive(t, m.Left())
					require.LessOrEqual(t, m.Left(), last, "the most expensive first")
					last = m.Left()
				}
			}
		})
	}
}

// One game's numbers: dan's costliest play is move 8, where 5-5 D would have scored 20, and so on.
func TestLeftOfOneGame(t *testing.T) {
	rec := replaytest.Read(t, filepath.Join(records, "azneef-teams-4p-01.dom"))
	var points []rules.Points
	for _, l := range rec.Left() {
		points = append(points, l.Points())
	}
	require.Equal(t, []rules.Points{75, 65, 45, 85}, points)
	require.Equal(t, 8, rec.Moments[rec.Left()[3].Worst[0]].Number)
}

// short is a record with remarks that breaks off in the middle of its first round.
const short = "testdata/short.dom"

func TestRemarks(t *testing.T) {
	rec, err := replay.Read(strings.NewReader(replaytest.Text(t, short)))
	require.NoError(t, err)
	var remarks [][]string
	for _, m := range rec.Moments {
		remarks = append(remarks, m.Remarks)
	}
	require.Equal(t, [][]string{{"ana lost the line"}, {"ana is absent; a bot plays on."}, {"the end of the file has no line feed"}}, remarks)
}

// An invalid record has an error with its line, and what comes before can be viewed.
func TestDamaged(t *testing.T) {
	damaged := strings.Replace(replaytest.Text(t, short), "2 6-0 R = 12", "2 6-0 R = 17", 1)
	rec, err := replay.Read(strings.NewReader(damaged))
	var fault *record.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, 15, fault.Line)
	require.Len(t, rec.Moments, 2)
	require.Len(t, rec.Rounds, 1)
}

func TestUnreadable(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := replay.Read(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)

	endless := strings.NewReader(strings.Repeat("#\n", replay.MaxRecord))
	rec, err := replay.Read(endless)
	require.ErrorIs(t, err, replay.ErrTooLong)
	require.Empty(t, rec.Moments)
	require.Positive(t, endless.Len(), "no more is read than a record may have")

	header, _, _ := strings.Cut(replaytest.Text(t, short), "deal 1")
	rec, err = replay.Read(strings.NewReader(header))
	require.NoError(t, err, "a record may stop before its first round")
	require.Empty(t, rec.Moments)
}
