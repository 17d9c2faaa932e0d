//go:build unix

package recess

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/somnograph/somnograph/graph"
)

// lockDir takes the directory for this process, or answers ErrLocked.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recess: open lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = fmt.Errorf("%w: %s is open in another process; talk to that one, or stop it first", graph.ErrLocked, dir)
		} else {
			err = fmt.Errorf("recess: lock %s: %w", dir, err)
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
