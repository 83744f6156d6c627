package plain

import (
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// TableWords explains the words that ParseTable accepts: each word, its values, and its purpose.
func TableWords() [][3]string {
	return [][3]string{
		{"RULES", strings.Join(rules.PresetNames(), "|"), "the game, and house rules such as target=100; classic if there is none"},
		{"seats", "2|3|4", "seats; 2, or 4 for games with partners"},
		{"access", "open|code|teams", "who may sit: anyone, anyone with the code, or two teams"},
		{"pace", "none|relaxed|normal|fast|slow", "time for a turn: unlimited, 60 s, 30 s, 15 s, or a day"},
		{"bots", "now|soon|never", "when bots take the free seats; soon is after 30 s"},
		{"strength", "novice|casual|regular|expert|master", "how well they play"},
		{"absence", "bot|wait|forfeit", "what happens when a player is away"},
		{"watchers", "on|off", "whether people may watch"},
		{"openhands", "never|2m", "whether watchers see the hands, two minutes late; such games are casual"},
		{"name", "TEXT", "a name for the table; must come last"},
	}
}

// ParseTable parses a table's configuration from words such as "classic target=100 seats=4 bots=now".
// Anything not mentioned is as in [table.DefaultConfig]. The error is a sentence for whoever typed the words.
func ParseTable(words []string) (table.Config, error) {
	cfg := table.DefaultConfig()
	var rule []string
	seats := 0
	all := TableWords()
	for i, w := range words {
		key, value, _ := strings.Cut(w, "=")
		for _, known := range all {
			if known[0] == key && strings.Contains(known[1], "|") && !slices.Contains(strings.Split(known[1], "|"), value) {
				return cfg, text.Refusal("Write " + key + "=" + known[1] + ".")
			}
		}
		switch key {
		case "seats":
			seats, _ = strconv.Atoi(value)
		case "access":
			cfg.Access = table.Access(value)
		case "pace":
			cfg.Pace = table.Pace(value)
		case "bots":
			cfg.Fill = table.Fill(value)
		case "strength":
			cfg.Strength = table.Strength(value)
		case "absence":
			cfg.Absence = table.Absence(value)
		case "watchers":
			cfg.Watchers = value == "on"
		case "openhands":
			cfg.OpenHands = value == "2m"
		case "name":
			if slices.ContainsFunc(words[i+1:], assigns) {
				return cfg, text.Refusal("name= must come last: all that follows it is the name.")
			}
			cfg.Name = strings.TrimPrefix(strings.Join(words[i:], " "), "name=")
			return complete(cfg, rule, seats)
		default:
			if assigns(w) && !slices.ContainsFunc(rules.Keys(), func(k rules.Key) bool { return k.Name == key }) {
				return cfg, text.Refusal("There is no word " + text.Clip(key, 20) + "=; help new lists those for a table.")
			}
			rule = append(rule, w)
		}
	}
	return complete(cfg, rule, seats)
}

// assigns reports whether a word is KEY=VALUE.
func assigns(word string) bool {
	value := strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz")
	return value != word && strings.HasPrefix(value, "=")
}

// IsGame reports whether a word is the name of a game.
func IsGame(word string) bool { return slices.Contains(rules.PresetNames(), word) }

func complete(cfg table.Config, rule []string, seats int) (table.Config, error) {
	if len(rule) > 0 {
		switch game := slices.IndexFunc(rule, IsGame); {
		case game > 0: // it was typed after a house rule
			name := rule[game]
			rule = slices.Insert(slices.Delete(rule, game, game+1), 0, name)
		case strings.Contains(rule[0], "="):
			rule = append([]string{rules.Classic.String()}, rule...)
		}
		r, err := rules.Parse(strings.Join(rule, " "))
		if err != nil {
			return cfg, text.Refusal(Sentence(err))
		}
		cfg.Rules, cfg.RuleText = r, r.String()
	}
	switch {
	case seats != 0:
		cfg.Seats = seats
	case cfg.Rules.Teams || cfg.Access == table.AccessTeams:
		cfg.Seats = rules.MaxSeats
	}
	return cfg, cfg.Validate()
}

// WordsOfTable returns words that [ParseTable] parses into c.
func WordsOfTable(c *table.Config) string {
	words, usual := []string{c.Rules.String(), "seats=" + strconv.Itoa(c.Seats)}, table.DefaultConfig()
	add := func(key, value, usual string) {
		if value != usual {
			words = append(words, key+"="+value)
		}
	}
	add("access", string(c.Access), string(usual.Access))
	add("pace", string(c.Pace), string(usual.Pace))
	add("bots", string(c.Fill), string(usual.Fill))
	add("strength", string(c.Strength), string(usual.Strength))
	add("absence", string(c.Absence), string(usual.Absence))
	add("watchers", map[bool]string{true: "on", false: "off"}[c.Watchers], "on")
	add("openhands", map[bool]string{true: "2m"}[c.OpenHands], "")
	add("name", c.Name, usual.Name)
	return strings.Join(words, " ")
}
