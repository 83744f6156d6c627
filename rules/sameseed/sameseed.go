// Package sameseed has rapid try the same values each time, so that no change is blamed for what chance finds. Tests of laws import it for
// that; -rapid.seed=0 tries others. It must not know any law.
package sameseed

import (
	"flag"

	_ "pgregory.net/rapid" // has the flag
)

func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil { // the command line has the last word
		panic(err)
	}
}
