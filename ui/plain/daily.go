package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/rules"
)

// DailyGame says what is played on a day: "classic, 5 rounds".
func DailyGame(c *daily.Config) string {
	if r, err := rules.Parse(c.Rules); err == nil {
		return fmt.Sprintf("%s, %s", r.Preset, text.Number(r.Rounds, "round"))
	}
	return c.Rules
}

// DailyHead says which deal it is, and how long it lasts or that it is over.
func DailyHead(d *daily.Day, now time.Time) string {
	s := fmt.Sprintf("Daily deal %d, %s: %s", d.Number, d.Key, DailyGame(&d.Config))
	left := d.Ends.Sub(now)
	switch {
	case d.Over:
		return s + "; over."
	case left <= 0: // the club does not yet trust the clock
		return s + "; ends soon."
	case left < time.Hour:
		return fmt.Sprintf("%s; ends in %d min.", s, int(left.Minutes())+1)
	case left%time.Hour < time.Minute:
		return fmt.Sprintf("%s; ends in %d h.", s, int(left.Hours()))
	}
	return fmt.Sprintf("%s; ends in %d h %d min.", s, int(left.Hours()), int(left.Minutes())%60)
}

// DailySeed says how to check the deals.
func DailySeed(d *daily.Deal) []string {
	lines := []string{"SHA-256 of the seed; the seed is shown when the day is over:", d.Commit}
	if d.Seed != "" {
		return []string{"The seed, and its SHA-256 as shown the day before:", d.Seed, d.Commit}
	}
	if d.Next != "" {
		lines = append(lines, "SHA-256 of tomorrow's seed:", d.Next)
	}
	return lines
}

// DailyState tells a player how they are doing.
func DailyState(d *daily.Deal) []string {
	var lines []string
	switch {
	case d.Mine == nil && d.MayPlay:
		house := "against a house expert, which always answers"
		if d.Partners() {
			house = "with a house expert as partner, against two others; all three always answer"
		}
		lines = append(lines, "Everybody plays the same deals "+house+" the same play in the same way. You have one attempt; "+
			"if you leave, it resumes where you stopped.")
	case d.Mine == nil && d.Over:
		lines = append(lines, "You haven't played this deal.")
	case d.Mine == nil:
		lines = append(lines, Sentence(daily.ErrMembers))
	case d.Mine.Playing:
		lines = append(lines, "Your attempt is under way; it resumes where you stopped.")
	case !d.Mine.Played:
		lines = append(lines, "Your attempt ended before the last round, so it is not ranked.")
	default:
		who := "You"
		if d.Partners() {
			who = "Your side"
		}
		s := fmt.Sprintf("%s: %s (%d to %d)", who, text.Signed(d.Mine.Diff()), d.Mine.For, d.Mine.Against)
		if d.Mine.Place > 0 {
			s += fmt.Sprintf(", rank %d of %d", d.Mine.Place, d.Placed())
		}
		s += "."
		if len(d.Rounds) > 0 {
			parts := text.Each(d.Rounds, text.Signed)
			s += " Round by round: " + strings.Join(parts, ", ") + "."
		}
		lines = append(lines, s)
	}
	if d.Crowded {
		lines = append(lines, Sentence(lobby.ErrCoachCrowded))
	}
	switch {
	case d.Streak >= daily.MostStreak:
		lines = append(lines, fmt.Sprintf("You have played %d days in a row, or more.", d.Streak))
	case d.Streak > 1:
		lines = append(lines, fmt.Sprintf("You have played %d days in a row.", d.Streak))
	}
	if d.ListedBy != "" {
		lines = append(lines, d.ListedBy)
	}
	return lines
}

// DailyPlace returns a row's place: "4", "apart" for one that is listed apart, or "-".
func DailyPlace(r *daily.Row) string {
	switch {
	case r.Place > 0:
		return strconv.Itoa(r.Place)
	case r.Played:
		return "apart"
	}
	return "-"
}

// DailyHidden says that nobody has played a day yet, or that the results of others are hidden; otherwise it
// is empty.
func DailyHidden(d *daily.Day) string {
	switch {
	case d.Hidden > 0:
		return "Finished by " + text.Number(d.Hidden, "player") + ". The results are shown after your own attempt, or when the day is over."
	case len(d.Rows) == 0:
		return "Nobody has finished it yet."
	}
	return ""
}

// DailyRow puts a row of a day's table into words.
func DailyRow(r *daily.Row) string {
	result := fmt.Sprintf(": %s (%d to %d)", text.Signed(r.Diff()), r.For, r.Against)
	switch {
	case r.Place > 0:
		return strconv.Itoa(r.Place) + ". " + r.Name + result
	case r.Played:
		return r.Name + ", listed apart" + result
	case r.Playing:
		return r.Name + " is playing"
	}
	return r.Name + " did not finish"
}

// DailyDecisions compares the reader's decisions with those of other players and of a master: one by one
// where the master differs, the others in one sentence.
func DailyDecisions(list []daily.Decision) (lines []string) {
	for i := range list {
		if d := &list[i]; d.Played != d.Master {
			lines = append(lines, dailyDecision(d))
		}
	}
	switch same := len(list) - len(lines); {
	case same > 0 && len(lines) == 0:
		lines = append(lines, "A master plays the same.")
	case same > 0:
		lines = append(lines, "In your other decisions a master plays the same.")
	}
	return lines
}

func dailyDecision(d *daily.Decision) string {
	s := fmt.Sprintf("Round %d, move %d: you played %s; a master plays %s.", d.Round, d.Move, Choice(d.Played), Choice(d.Master))
	switch {
	case d.Met == 0:
		return s
	case d.Met == 1 && len(d.Others) == 1:
		return s + " The only other player here played " + Choice(d.Others[0].Choice) + "."
	}
	parts := text.Each(d.Others, func(o daily.Share) string { return fmt.Sprintf("%d %% played %s", o.Percent, Choice(o.Choice)) })
	return s + fmt.Sprintf(" Of %s here, %s.", text.Number(d.Met, "other"), strings.Join(parts, ", "))
}

// Daily describes a day in lines of text.
func Daily(d *daily.Deal, now time.Time) []string {
	lines := append([]string{DailyHead(d.Day, now)}, DailyState(d)...)
	if s := d.Share(); s != "" {
		lines = append(lines, s)
	}
	lines = append(lines, "")
	if s := DailyHidden(d.Day); s != "" {
		lines = append(lines, s)
	}
	for i := range d.Rows {
		lines = append(lines, DailyRow(&d.Rows[i]))
	}
	if len(d.Decided) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, DailyDecisions(d.Decided)...)
	lines = append(lines, "")
	return append(lines, DailySeed(d)...)
}

// DailyMonth says what a month's table of the daily deals counts.
func DailyMonth(month string) string {
	return "The month " + month + ": each past day scores the percentage of the others you beat, and your best 20 days are added up."
}

// DailyMonthRow puts a row of a month's table into words.
func DailyMonthRow(r *daily.MonthRow) string {
	return fmt.Sprintf("%d. %s: %s, %s.", r.Place, r.Name, text.Number(r.Points, "point"), text.Number(r.Days, "day"))
}
