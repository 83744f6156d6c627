package rules

// Version is the version of the rules in this package. It is incremented by each change after which an older
// record could not be replayed, or would mean something else.
const Version = 1

// Plays reports whether this package plays by a version of the rules.
func Plays(version int) bool { return version == Version }
