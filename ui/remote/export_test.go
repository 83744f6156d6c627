package remote

// Commands are the names of all commands.
func Commands() (all []string) {
	for _, c := range commands() {
		all = append(all, c.name)
	}
	return all
}
