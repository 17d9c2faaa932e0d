//go:build !unix

package badgerstore

import (
	"fmt"
	"os"
	"path/filepath"
)

// lockDir opens the lock file; here only Badger's own lock keeps others out.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: open lock: %w", err)
	}
	return f, nil
}
