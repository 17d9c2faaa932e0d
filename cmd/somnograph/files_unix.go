//go:build unix

package main

import (
	"fmt"
	"log/slog"

	"golang.org/x/sys/unix"
)

// Open files: Badger keeps tables open, each socket is one.
const (
	fewFiles  = 4096 // below this the log warns
	leastFile = 256  // below this the server refuses to start
)

// checkFiles looks at the limit of open files; the Go runtime has raised the soft
// limit to the hard one already.
func checkFiles(log *slog.Logger) error {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		log.Warn("the limit of open files can't be read", "error", err)
		return nil
	}
	if l.Cur < leastFile {
		return fmt.Errorf("only %d files may be open at once, at least %d are needed; raise the limit (ulimit -n)", l.Cur, leastFile)
	}
	if l.Cur < fewFiles {
		log.Warn("few files may be open at once; raise the limit (ulimit -n)", "limit", l.Cur, "advised", fewFiles)
	}
	return nil
}
