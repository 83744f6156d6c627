// Package ramdir puts the temporary folders of tests into memory. Tests that commit thousands of transactions spend most of
// their time waiting for the disk, and what they prove does not depend on one: a process that is killed loses nothing
// that it has written, and the tests of power loss record what is synced. It must not know what the tests do.
package ramdir

import "os"

// Use makes a file system in memory the place of temporary folders, if there is one with room. It is called by TestMain. A
// TMPDIR that is set stays: so tests are run on a disk.
func Use() error {
	if os.Getenv("TMPDIR") != "" {
		return nil
	}
	if dir := find(); dir != "" {
		return os.Setenv("TMPDIR", dir)
	}
	return nil
}
