package backup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/internal/strictjson"
)

// Keys are the keys of a store's backups: the present one, which seals what is written, and the former
// ones, which open older generations.
type Keys struct {
	Key    Key
	former []formerKey // oldest first
}

// formerKey is a key that was replaced.
type formerKey struct {
	Key Key `json:"key"`
	// Heads are the last known ends of the backups when it was replaced: what is signed with it and ends
	// later was not made by the server.
	Heads map[string]head `json:"heads"`
}

// errFormerKey is returned if a former key is in the place of the present one.
var errFormerKey = errors.New("secrets/backup-key in the directory of keys was replaced, and a former one is in its place: put the newest copy of the directory back; if there is none, somnograph keys rotate --kinds backups makes another key")

// errLate is returned for what a former key signed after it was replaced.
var errLate = damaged("it is signed with a former backup key and ends after that was replaced: somebody else who had the key wrote it, or a crash came between it and the replacement; --older accepts it")

func parseFormer(b []byte) (former []formerKey, err error) {
	if b == nil {
		return nil, nil
	}
	if err := strictjson.DecodeExact(b, &former); err != nil || slices.ContainsFunc(former, func(f formerKey) bool { return len(f.Key) != KeySize }) {
		return nil, errors.New("backup: secrets/backup-former in the directory of keys, which holds the former backup keys, is damaged: put its newest copy back, or remove it: generations under those keys can't be opened then")
	}
	return former, nil
}

// readKeys reads the keys. put says that the present key, of the latest replacement, is not in its place
// yet, or not any more.
func readKeys(secrets interface{ Read(string) ([]byte, error) }) (k *Keys, put bool, err error) {
	key, err := secrets.Read(keySecret)
	if err != nil || key == nil {
		return nil, false, err
	}
	if len(key) != KeySize {
		return nil, false, fmt.Errorf("backup: the key has %d bytes, not %d", len(key), KeySize)
	}
	b, err := secrets.Read(formerSecret)
	if err != nil {
		return nil, false, err
	}
	former, err := parseFormer(b)
	if err != nil {
		return nil, false, err
	}
	k = &Keys{key, former}
	if !k.isFormer(key) {
		return k, false, nil
	}
	next, err := secrets.Read(nextSecret)
	if err != nil {
		return nil, false, err
	}
	if len(next) != KeySize || k.isFormer(next) {
		return k, false, errFormerKey
	}
	k.Key = next
	return k, true, nil
}

func (k *Keys) isFormer(key Key) bool {
	return slices.ContainsFunc(k.former, func(f formerKey) bool { return bytes.Equal(f.Key, key) })
}

// errNoKey is returned if there is no key and none is to be made.
var errNoKey = errors.New("the key of the backups, is missing: put its newest copy back; if there is none, begin a new backup at another target, the one there can't be opened any more")

// openKeys reads the keys, and finishes a replacement that was interrupted. Without a key it makes one if first is set. made reports that.
func openKeys(secrets Secrets, first bool) (keys *Keys, made bool, err error) {
	secretsMu.Lock()
	defer secretsMu.Unlock()
	k, put, err := readKeys(secrets)
	if err != nil {
		return nil, false, err
	}
	if k == nil && !first {
		return nil, false, errNoKey
	}
	if k == nil {
		k, put, made = &Keys{Key: make([]byte, KeySize)}, true, true
		if err := secrets.Fill(k.Key); err != nil {
			return nil, false, err
		}
	}
	if put {
		if err := secrets.Write(keySecret, k.Key); err != nil {
			return nil, false, fmt.Errorf("backup: keep the key: %w", err)
		}
	}
	return k, made, nil
}

// keys opens the keys for a target with a signed manifest. The key is made only for a target that has none: another
// key opens nothing that a target has, and it would hide that the key was lost.
func (m *Maker) keys(manifest []byte) (*Keys, error) {
	keys, made, err := openKeys(m.Secrets, len(manifest) == 0)
	if errors.Is(err, errNoKey) {
		return nil, cmp.Or(m.foreign(manifest), fmt.Errorf("%s, %w", filepath.Join(m.Keys, "secrets", keySecret), errNoKey))
	}
	if err != nil || !made || m.Logger == nil {
		return keys, err
	}
	if heads, err := readHeads(m.Secrets); err == nil && heads != nil {
		m.Logger.Warn("[BACKUP] the key of the backups was missing; a new one is made, which opens none of the earlier backups: keep those, and put the newest copy of the file back if there is one",
			"file", filepath.Join(m.Keys, "secrets", keySecret))
	}
	return keys, nil
}

// foreign is the error for the manifest of another store; nil: it is of this one, or none.
func (m *Maker) foreign(manifest []byte) error {
	if there, err := peekManifest(manifest); err == nil && there.Store != m.ID {
		return fmt.Errorf("the backup there is of store %s, and this is store %s: choose another target", there.Store, m.ID)
	}
	return nil
}

// RotateKey replaces the backup key of a store: the next round of each backup is a full export under the
// new one. The former key is kept, so that older generations can be restored. No backup may be running.
// What was interrupted is finished by the next use of the key. changed is false if there was no key.
func RotateKey(secrets Secrets) (changed bool, err error) {
	secretsMu.Lock()
	defer secretsMu.Unlock()
	k, _, err := readKeys(secrets)
	if k == nil || err != nil && !errors.Is(err, errFormerKey) {
		return false, err
	}
	b, err := secrets.Read(headsSecret)
	if err != nil {
		return false, err
	}
	heads, err := parseHeads(b)
	if err != nil {
		return false, err
	}
	next := make(Key, KeySize)
	if err := secrets.Fill(next); err != nil {
		return false, err
	}
	former := k.former
	if !k.isFormer(k.Key) {
		former = append(slices.Clone(former), formerKey{k.Key, heads})
	}
	text, err := json.Marshal(former)
	if err != nil {
		return false, err
	}
	for _, step := range []struct {
		name    string
		content []byte
	}{
		// If the key was not in its place yet, it is put there before the key after it takes the place of "next".
		{keySecret, k.Key}, {nextSecret, next}, {formerSecret, text}, {keySecret, next},
	} {
		if err := secrets.Write(step.name, step.content); err != nil {
			return false, fmt.Errorf("backup: keep the key: %w", err)
		}
	}
	return true, nil
}

// parseManifest parses the text of a manifest and checks its signature, with the former keys too. With
// later, one under a former key may end after what was known when that was replaced.
func (k *Keys) parseManifest(text []byte, later bool) (*Manifest, error) {
	m, err := parseManifest(k.Key, text)
	if err == nil {
		m.key = k.Key
	}
	if !errors.Is(err, errSignature) {
		return m, err
	}
	for _, f := range slices.Backward(k.former) {
		m, err := parseManifest(f.Key, text)
		if errors.Is(err, errSignature) {
			continue
		}
		if err == nil {
			m.key = f.Key
		}
		if err == nil && !later && headOf(m).after(f.Heads[m.Backup]) {
			err = errLate
		}
		return m, err
	}
	return nil, err
}
