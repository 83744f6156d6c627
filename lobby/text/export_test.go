package text

// Words that Propose is made of, for the test that goes through all pairs.
var (
	Adjectives = adjectives
	Nouns      = nouns
)
