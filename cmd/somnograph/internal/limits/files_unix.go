//go:build unix

package limits

import (
	"fmt"
	"log/slog"
	"os"

	"golang.org/x/sys/unix"
)

// Limits of open files. Badger keeps its tables open, and every socket is a file.
const (
	recommendedFiles = 4096 // the log warns below this
	requiredFiles    = 256  // the server does not start below this
)

// CheckFiles checks the limit of open files. The Go runtime has raised the soft limit to the
// hard one already. It returns the limit, 0 if it is not known.
func CheckFiles(log *slog.Logger) (limit uint64, err error) {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		log.Warn("can't read the limit of open files", "error", err)
		return 0, nil
	}
	if l.Cur < requiredFiles {
		return 0, fmt.Errorf("the limit of open files is %d, and at least %d are needed; raise it (ulimit -n)", l.Cur, requiredFiles)
	}
	if l.Cur < recommendedFiles {
		log.Warn("the limit of open files is low; raise it (ulimit -n)", "limit", l.Cur, "recommended", recommendedFiles)
	}
	return l.Cur, nil
}

// ProtectFiles keeps what this process writes from other users of the machine. A data directory
// that they can read stays as it is, because somebody may have meant it; the log warns.
func ProtectFiles(dir string, log *slog.Logger) {
	unix.Umask(0o077)
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o077 != 0 {
		log.Warn("other users of this machine can read the data directory; run chmod 700", "data", dir, "mode", info.Mode().Perm().String())
	}
}
