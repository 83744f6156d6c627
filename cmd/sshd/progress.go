package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"boneyard/store"
)

// progressOn shows a job's progress if w is a terminal; done removes it.
func progressOn(w io.Writer, job string) (progress store.Progress, done func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return nil, func() {}
	}
	return bar(w, job, time.Now)
}

// bar draws a progress bar in place, at most ten times a second.
func bar(w io.Writer, job string, now func() time.Time) (progress store.Progress, done func()) {
	const guessable = 50 // the part of a job, 1 in so many, after which the remaining time can be estimated
	const barWidth = 30  // the width of a full bar in columns
	began := now()
	var drawn time.Time
	progress = func(done, of int) {
		t := now()
		if of <= 0 || done < of && t.Sub(drawn) < 100*time.Millisecond {
			return
		}
		drawn = t
		full := barWidth * done / of
		left := ""
		if took := t.Sub(began); guessable*done >= of && done < of && took > time.Second {
			left = fmt.Sprintf(", %v left", time.Duration(float64(took)*float64(of-done)/float64(done)).Round(time.Second))
		}
		fmt.Fprintf(w, "\r%s [%s%s] %d %%%s\x1b[K", job, strings.Repeat("#", full), strings.Repeat("-", barWidth-full), 100*done/of, left)
	}
	return progress, func() { fmt.Fprint(w, "\r\x1b[K") }
}
