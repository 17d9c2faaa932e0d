package keyring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/somnograph/somnograph/graph"
)

// RotateMaster puts a new master key in the place of the present one, and seals the keys of all
// tenants and the secrets under it. Keys can be taken meanwhile. A rotation that was interrupted is
// finished by the next call and by the next Open. A file that is damaged keeps the former key in
// use; the error then wraps graph.ErrIntegrity.
func (k *Keyring) RotateMaster() error {
	k.rotating.Lock()
	defer k.rotating.Unlock()
	if err := k.master.beginRotation(); err != nil {
		return err
	}
	return k.master.finishRotation()
}

// beginRotation makes the next master key, unless a rotation is under way.
func (m *masterKeys) beginRotation() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.former != nil {
		return nil
	}
	key, err := newKey(m.random)
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(m.dir, nextName), masterText(key), false); err != nil {
		return err
	}
	m.current, m.former = key, m.current
	return nil
}

// finishRotation seals every file under the present key, which then takes the place of the former
// one.
func (m *masterKeys) finishRotation() error {
	files, err := m.files()
	if err != nil {
		return err
	}
	var damaged []error
	for path, additional := range files {
		if err := m.rewrap(path, additional); errors.Is(err, graph.ErrIntegrity) {
			damaged = append(damaged, err)
		} else if err != nil {
			return err
		}
	}
	if len(damaged) > 0 {
		return errors.Join(damaged...)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := replaceFile(filepath.Join(m.dir, masterName), masterText(m.current), true); err != nil {
		return err
	}
	if err := removeFile(filepath.Join(m.dir, nextName)); err != nil {
		return err
	}
	clear(m.former)
	m.former = nil
	return nil
}

// files returns the files that the master key seals, with their additional data.
func (m *masterKeys) files() (map[string][]byte, error) {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if dir := filepath.Join(m.dir, e.Name()); e.IsDir() && e.Name() != secretsName {
			files[filepath.Join(dir, tenantName)] = tenantKeyData(dir)
		}
	}
	secrets, err := os.ReadDir(filepath.Join(m.dir, secretsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range secrets {
		if filepath.Ext(e.Name()) == "" {
			files[filepath.Join(m.dir, secretsName, e.Name())] = joined("secret", e.Name())
		}
	}
	return files, nil
}

// rewrap seals a file under the present key. A missing one is no error.
func (m *masterKeys) rewrap(path string, additional []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	wrapped, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, underFormer, err := openEither(m.current, m.former, wrapped, additional)
	if err != nil || !underFormer {
		return damaged(path, err)
	}
	defer clear(text)
	return m.replace(path, text, additional, true)
}

// RotateKey puts a new key of the tenant in the place of the present one, and seals everything of
// the tenant under it. Copies of the files from before can't be opened with it. Keys can be taken
// and destroyed meanwhile. A rotation that was interrupted is finished by the next call and by the
// next opening. A segment that is damaged keeps the former key in use; the error then wraps
// graph.ErrIntegrity.
func (r *Ring) RotateKey() error {
	r.rotating.Lock()
	defer r.rotating.Unlock()
	if begun, err := r.beginRotation(); err != nil || !begun {
		return err
	}
	stored, err := r.storedSegments()
	if err != nil {
		return err
	}
	var damaged []error
	for _, index := range stored {
		if err := r.rewrap(index); errors.Is(err, graph.ErrIntegrity) {
			damaged = append(damaged, err)
		} else if err != nil {
			return err
		}
	}
	if len(damaged) > 0 {
		return errors.Join(damaged...)
	}
	return r.endRotation()
}

// beginRotation makes the next key of the tenant, unless a rotation is under way. It returns false
// if the tenant has no key yet.
func (r *Ring) beginRotation() (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.key == nil || r.former != nil {
		return r.key != nil, nil
	}
	key, err := newKey(r.random)
	if err != nil {
		return false, err
	}
	if err := r.master.write(filepath.Join(r.dir, tenantName), slices.Concat(r.key, key), tenantKeyData(r.dir), false); err != nil {
		return false, err
	}
	r.key, r.former, r.seals = key, r.key, 0
	return true, nil
}

// rewrap seals a segment under the present key.
func (r *Ring) rewrap(index uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, underFormer, err := r.loadSegment(index)
	if err != nil || !underFormer {
		return err
	}
	defer s.clear()
	return r.writeSegment(s)
}

// endRotation removes the former key. The generation tells the new files from the former ones.
func (r *Ring) endRotation() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.ringState
	next.generation++
	if err := r.saveState(next); err != nil {
		return err
	}
	if err := r.master.write(filepath.Join(r.dir, tenantName), r.key, tenantKeyData(r.dir), true); err != nil {
		return err
	}
	clear(r.former)
	r.former = nil
	return nil
}

// storedSegments returns the segments with a file, ascending.
func (r *Ring) storedSegments() (stored []uint64, err error) {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if index, err := strconv.ParseUint(e.Name(), 10, 64); err == nil {
			stored = append(stored, index)
		}
	}
	slices.Sort(stored)
	return stored, nil
}
