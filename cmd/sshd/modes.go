package main

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
)

// warnOfModes logs which files others can access and should not. A host key like that is refused; the data
// may have been shared with a group on purpose, for backups, so there is only a warning.
func warnOfModes(s Settings, log *slog.Logger) {
	if runtime.GOOS == "windows" {
		return // it has no such modes
	}
	for _, f := range []struct {
		path   string
		others fs.FileMode // permissions that others should not have
		why    string
	}{
		{s.Data, 0o077, "it contains the seeds of games in progress"},
		{filepath.Dir(s.Data), 0o002, "anybody on this machine can replace the data"},
		{s.HostKeys, 0o022, "others can replace the host keys"},
	} {
		info, err := os.Stat(f.path)
		if err != nil {
			continue // reported when the file is used
		}
		mode := info.Mode()
		if exposed := mode.Perm() & f.others; exposed != 0 && mode&fs.ModeSticky == 0 {
			log.Warn("not only its owner has access to this: "+f.why, "file", f.path, "mode", fmt.Sprintf("%04o", mode.Perm()),
				"try", fmt.Sprintf("chmod %03o", mode.Perm()&^f.others))
		}
	}
}
