package keyring

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// tenantKeyData is the additional data of the file with the key of a tenant.
func tenantKeyData(dir string) []byte { return joined("tenant key", filepath.Base(dir)) }

// openTenantKey reads the key of a tenant; nil: it has none yet. former is the key before it, if a
// rotation is not finished.
func openTenantKey(dir string, master *masterKeys) (key, former []byte, err error) {
	path := filepath.Join(dir, tenantName)
	keys, err := master.read(path, tenantKeyData(dir))
	switch {
	case err == nil && len(keys) == KeySize:
		return keys, nil, nil
	case err == nil && len(keys) == 2*KeySize:
		return keys[KeySize:], keys[:KeySize:KeySize], nil
	case err == nil:
		return nil, nil, fmt.Errorf("keyring: %w", damaged(path, fmt.Errorf("%w: a key of %d bytes", graph.ErrIntegrity, len(keys))))
	case errors.Is(err, graph.ErrIntegrity):
		return nil, nil, fmt.Errorf("keyring: %w", err)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, stateName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errors.Join(damaged(path, fmt.Errorf("%w: it is missing, and there are keys that it seals", graph.ErrIntegrity)), err)
	}
	return nil, nil, nil
}

// makeTenantKey makes the directory and the key of a tenant.
func makeTenantKey(dir string, master *masterKeys, random io.Reader) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	key, err := newKey(random)
	if err != nil {
		return nil, err
	}
	return key, errors.Join(master.write(filepath.Join(dir, tenantName), key, tenantKeyData(dir), false), syncDir(filepath.Dir(dir)))
}
