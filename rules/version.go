package rules

// Version is the version of the rules by which this package plays. It goes up with each change after which a record made
// before could not be replayed, or would say something else.
const Version = 1

// Plays reports whether this package plays by a version of the rules.
func Plays(version int) bool { return version == Version }
