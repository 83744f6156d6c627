// Package ramdir puts the temporary folders of tests into memory. Tests that commit thousands of transactions
// mostly wait for the disk, and do not depend on one: a killed process loses nothing that it has written, and
// the tests of power loss record what is synced. It must not know what the tests do.
package ramdir

import "os"

// Use makes a file system in memory the place of temporary folders, if there is one with room. TestMain calls
// it. If TMPDIR is set, Use changes nothing: set it to run tests on a disk.
func Use() error {
	if os.Getenv("TMPDIR") != "" {
		return nil
	}
	if dir := find(); dir != "" {
		return os.Setenv("TMPDIR", dir)
	}
	return nil
}
