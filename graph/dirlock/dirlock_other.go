//go:build !unix

package dirlock

import (
	"fmt"
	"os"
	"path/filepath"
)

// Lock opens the lock file. It does not keep other processes out on this system.
func Lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, fileName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w", err)
	}
	return f, nil
}
