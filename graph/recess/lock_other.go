//go:build !unix

package recess

import (
	"fmt"
	"os"
	"path/filepath"
)

// lockDir opens the lock file; nothing keeps another process out here.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recess: open lock: %w", err)
	}
	return f, nil
}
