package line

// Commands returns all words that name a command.
func Commands() (all []string) {
	for _, c := range commands() {
		all = append(all, c.words...)
	}
	return all
}
