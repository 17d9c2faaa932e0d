package backup

import (
	"context"
	"path"
	"regexp"
)

// AsVersion1 makes the manifest and the names of a backup those of version 1.
func AsVersion1(key Key, text []byte) ([]byte, error) {
	m, err := parseManifest(key, text)
	if err != nil {
		return nil, err
	}
	m.Version, m.Ledger = 1, nil
	return m.encode(key)
}

// ReadKeys reads the keys among secrets.
func ReadKeys(secrets Secrets) (*Keys, error) {
	k, _, err := readKeys(secrets)
	return k, err
}

var hashes = regexp.MustCompile(`-[0-9a-f]{16}\.seg$`)

// NameOfVersion1 is the name of an object in version 1.
func NameOfVersion1(name string) string {
	return path.Dir(name) + "/" + hashes.ReplaceAllString(path.Base(name), ".seg")
}

// After makes the round of a running server after a manifest.
func (r *Runner) After(ctx context.Context, manifest []byte) (*Made, error) {
	return r.after(ctx, manifest)
}
