package recess

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// The master key is stored in a file of two equal lines, so that damage to one loses nothing:
// 64 hex digits, a space, and the first 8 bytes of SHA-256 over the key as hex. It wraps only
// the tenants' keys.
const (
	masterFile = "master.key"
	masterNext = "master.key.next" // of a rotation in progress
	masterDone = "master.key.done" // of a completed rotation, being removed
)

func masterText(key []byte) []byte {
	sum := sha256.Sum256(key)
	line := hex.EncodeToString(key) + " " + hex.EncodeToString(sum[:8]) + "\n"
	return []byte(line + line)
}

func readMaster(d disk, path string) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil || size > 1<<10 {
		return nil, errors.Join(fmt.Errorf("%w: %s is not a master key", graph.ErrIntegrity, filepath.Base(path)), err, f.Close())
	}
	text := make([]byte, size)
	err = readFull(f, text, 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	const line = 2*keySize + 1 + 16 + 1
	for ; len(text) >= line; text = text[line:] {
		key, err := hex.DecodeString(string(text[:2*keySize]))
		if err == nil && bytes.Equal(text[:line], masterText(key)[:line]) {
			return key, nil
		}
	}
	return nil, fmt.Errorf("%w: %s is not a master key", graph.ErrIntegrity, filepath.Base(path))
}

// MasterCopies returns how many of the two copies of the master key in a directory of keys are whole.
// The recess opens with one. The error wraps fs.ErrNotExist if there is no file.
func MasterCopies(dir string) (whole int, err error) {
	text, err := os.ReadFile(filepath.Join(dir, masterFile))
	if err != nil {
		return 0, fmt.Errorf("recess: %w", err)
	}
	for line := range bytes.Lines(text) {
		if key, err := hex.DecodeString(string(line[:min(2*keySize, len(line))])); err == nil && len(key) == keySize && bytes.Equal(line, masterText(key)[:len(masterText(key))/2]) {
			whole++
		}
	}
	return whole, nil
}

// loadMasters returns the key to wrap with and those that may still be in use. It makes a file
// if no key is given and there is none.
func loadMasters(d disk, o Options) (current []byte, previous [][]byte, err error) {
	if o.Master != nil {
		return o.Master, o.Previous, nil
	}
	path, next := filepath.Join(o.keyDir(), masterFile), filepath.Join(o.keyDir(), masterNext)
	if err := shredFile(d, filepath.Join(o.keyDir(), masterDone)); err != nil {
		return nil, nil, err
	}
	current, err = readMaster(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		entries, rerr := d.ReadDir(filepath.Join(o.Dir, tenantsDir))
		if rerr != nil || len(entries) > 0 {
			return nil, nil, errors.Join(fmt.Errorf("%w: %s is missing, although there are engrams", graph.ErrIntegrity, masterFile), rerr)
		}
		current = make([]byte, keySize)
		if _, err := io.ReadFull(o.Rand, current); err != nil {
			return nil, nil, fmt.Errorf("recess: randomness: %w", err)
		}
		return current, nil, replaceFile(d, path, masterText(current), false)
	}
	if err != nil {
		return nil, nil, err
	}
	// An interrupted rotation continues: tenants may be under either key.
	if rotated, err := readMaster(d, next); err == nil {
		return rotated, append(o.Previous, current), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	return current, o.Previous, nil
}

// settleMaster puts the key of a rotation into the file, after every tenant's key is wrapped
// by it.
func settleMaster(d disk, dir string, key []byte) error {
	next := filepath.Join(dir, masterNext)
	if _, _, err := d.Stat(next); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := replaceFile(d, filepath.Join(dir, masterFile), masterText(key), true); err != nil {
		return err
	}
	// It is renamed first, so that a partly overwritten file is not mistaken for a rotation.
	done := filepath.Join(dir, masterDone)
	if err := errors.Join(d.Rename(next, done), d.SyncDir(dir)); err != nil {
		return err
	}
	return errors.Join(shredFile(d, done), d.SyncDir(dir))
}

// RotateMaster wraps every tenant's key with a new master key. Archive files, journals and key
// rings are not touched; reads and writes continue. With a nil key it makes a random one and
// stores it in the file; a key of the caller must be given to Open from then on. Opening
// completes an interrupted rotation: by itself if the key is in the file, else with the new
// key as Options.Master and the previous ones in Options.Previous. After an error, calling it
// again continues.
func (r *Recess) RotateMaster(ctx context.Context, key []byte) error {
	r.rotateMu.Lock()
	defer r.rotateMu.Unlock()
	inFile := r.options.Master == nil
	if inFile != (key == nil) {
		return graph.FieldError(graph.CodeInvalidRequest, "key", "is required if the master key is not in the file, and not allowed otherwise")
	}
	if inFile {
		var err error
		if key, err = r.nextMaster(); err != nil {
			return err
		}
	}
	aead, err := newAEAD(key)
	if err != nil {
		return graph.FieldError(graph.CodeInvalidRequest, "key", "must have %d bytes", keySize)
	}
	// From now on new tenants are created under the new key.
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return graph.ErrClosed
	}
	r.master = aead
	tenants := slices.Collect(maps.Values(r.tenants))
	r.mu.Unlock()
	whole := true
	for _, t := range tenants {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.rootLedger == nil {
			whole = false // damaged: its key is not changed
			continue
		}
		if err := t.rewrap(aead); err != nil {
			return err
		}
	}
	if inFile && whole {
		return settleMaster(r.disk, r.options.keyDir(), key)
	}
	return nil
}

// nextMaster is the key of an unfinished rotation, or a new one, which it stores.
func (r *Recess) nextMaster() ([]byte, error) {
	next := filepath.Join(r.options.keyDir(), masterNext)
	key, err := readMaster(r.disk, next)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return key, err // tenants may be under it already
	}
	key = make([]byte, keySize)
	if _, err := io.ReadFull(r.random, key); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	if err := replaceFile(r.disk, next, masterText(key), false); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	return key, nil
}
