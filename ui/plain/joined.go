package plain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Joined tells somebody who asked for any game, or for a seat, which game they got, with whom, and whether it counts:
// "Classic to 200 against ben; rated." It is empty if they have no seat.
func Joined(s *table.Summary, me table.PlayerID) string {
	game := text.Capital(s.Config.Game())
	playing := s.Round > 0 && !s.State.Gathers() && s.State != table.Finished
	var others []string
	mine, next := rules.Seat(0), rules.Seat(0)
	for i := range s.Seats {
		switch q := &s.Seats[i]; {
		case q.Player.ID == me:
			mine = rules.Seat(i + 1)
		case q.Next.ID == me:
			next = rules.Seat(i + 1)
		case !q.Free():
			others = append(others, text.Printable(q.Name()))
		}
	}
	with := " with " + text.List(others)
	switch {
	case len(others) == 0:
		with = ""
	case len(s.Seats) == 2:
		with = " against " + others[0]
	}
	switch {
	case next != 0:
		say := game + ": after round " + strconv.Itoa(s.Round) + " you take " + text.Printable(s.Seats[next-1].Name()) + "'s seat"
		if side := int(rules.SideOf(next, s.Config.Rules.Teams)); side <= len(s.Scores) {
			say += ", with " + text.Number(s.Scores[side-1], "point")
		}
		return say + "."
	case mine == 0:
		return ""
	case playing && s.Round > 1:
		return "Back in your game: " + game + with + ", round " + strconv.Itoa(s.Round) + "."
	case len(s.Seats) == 2 && s.Seats[2-mine].House != "" && !s.Config.Guide:
		all := table.Strengths()
		level := 1 + slices.Index(all, s.Seats[2-mine].House)
		return fmt.Sprintf("%s, level %d of %d by your results; casual.", game+with, level, len(all))
	}
	return game + with + stake(s) + "."
}

// stake says whether a game is rated, as far as is known, to follow a description of the game.
func stake(s *table.Summary) string {
	switch why := s.Casual(); {
	case s.Rated:
		return "; rated"
	case why != "":
		return "; casual: " + why
	}
	return ""
}

// WatchInstead asks somebody who was refused a seat whether to watch the table; empty if they cannot.
func WatchInstead(id table.ID, refused error) string {
	if id == 0 || !slices.ContainsFunc([]error{table.ErrInGame, table.ErrFull, table.ErrEvent, table.ErrHouse},
		func(err error) bool { return errors.Is(refused, err) }) {
		return ""
	}
	return fmt.Sprintf("You can't sit down at table %d now. Watch it?", id)
}

// Invitation returns the command that leads to a table: to a seat while one may be free, otherwise to
// watching. It is empty if nobody may come. address is the club's address for ssh.
func Invitation(v *table.View, address string) string {
	id := strconv.FormatInt(int64(v.Table), 10)
	ssh := "ssh -t " + address
	switch {
	case v.HasRoom() && v.Config.Access != table.AccessCode:
		return ssh + " join " + id
	case v.HasRoom() && v.Code != "":
		return ssh + " join " + v.Code
	case v.Config.Watchers:
		return ssh + " watch " + id
	}
	return ""
}

// Befriended says that somebody is now a friend, or no longer.
func Befriended(name string, on bool) string {
	if on {
		return name + " is among your friends now; they are not told."
	}
	return name + " is no longer among your friends."
}
