// Package sameseed makes rapid try the same values each time, so that no change is blamed for what chance
// finds. Tests of laws import it; -rapid.seed=0 tries others. It must not know any law.
package sameseed

import "os"

// rapid reads the variable when it is initialized, which is after this package: it imports less, and its path
// sorts first.
func init() {
	const seed = "RAPID_SEED"
	if _, given := os.LookupEnv(seed); given {
		return
	}
	if err := os.Setenv(seed, "1"); err != nil {
		panic(err)
	}
}
