package ramdir

import "golang.org/x/sys/unix"

// find returns the folder of a file system in memory, or "".
func find() string {
	const room = 1 << 30 // the required space in bytes: several times what the tests of a package write
	const dir = "/dev/shm"
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Type != unix.TMPFS_MAGIC ||
		int64(s.Bavail)*int64(s.Bsize) < room || unix.Access(dir, unix.W_OK) != nil {
		return ""
	}
	return dir
}
