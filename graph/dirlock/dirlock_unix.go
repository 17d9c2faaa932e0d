//go:build unix

package dirlock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/somnograph/somnograph/graph"
)

// Lock locks the directory until the file is closed. It returns an error that wraps
// graph.ErrLocked if another process holds it.
func Lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, fileName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = fmt.Errorf("%w: %s is open in another process; use that process, or stop it first", graph.ErrLocked, dir)
		} else {
			err = fmt.Errorf("lock %s: %w", dir, err)
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
