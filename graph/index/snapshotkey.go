package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/keyring"
)

// A snapshot of a sealed store is sealed under a key of its own, which the next snapshot, an
// erasure, or a start that discards the snapshot destroys: no copy of the file can be read
// afterwards. The index is then built from the store.

// snapshotStartSize is the size of what precedes the sections: magic, version, the number of the
// file's key (0: none), eight zero bytes, and the XXH64 of all these. Nothing of it is
// authenticated, so that a key is destroyed only if it opens a section of the file. The number of
// the key of the file before is in the first section.
const snapshotStartSize = int64(len(snapshotMagic) + 4 + 8 + 8 + 8)

// snapshotStart is the start of a snapshot.
func snapshotStart(key uint64) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), snapshotVersion)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, key), 0)
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// keyNumber is the number of a key, 0 for none.
func keyNumber(k *keyring.Key) uint64 {
	if k == nil {
		return 0
	}
	return k.Number
}

// readSnapshotKey reads the start of a snapshot and returns its key; nil: it is not sealed.
func (t *tenant) readSnapshotKey(f io.ReaderAt) (*keyring.Key, error) {
	if t.ringErr != nil {
		return nil, t.ringErr
	}
	number, err := parseSnapshotStart(f)
	if err != nil {
		return nil, err
	}
	if (number != 0) != (t.ring != nil) {
		return nil, errors.New("it is sealed and the store is not, or the other way round")
	}
	if t.ring == nil {
		return nil, nil
	}
	k, err := t.ring.Key(number)
	if err != nil {
		return nil, fmt.Errorf("its key: %w", err)
	}
	return &k, nil
}

// parseSnapshotStart reads the start of a snapshot: the number of its key.
func parseSnapshotStart(f io.ReaderAt) (key uint64, err error) {
	key, version, whole := readStart(f)
	switch {
	case version != snapshotVersion && version != 0:
		return 0, fmt.Errorf("it has version %d, not %d", version, snapshotVersion)
	case !whole:
		return 0, errSnapshot
	}
	return key, nil
}

// readStart reads the start of a snapshot of any version; a version of 0 means that it is none. whole is false if it is damaged, or has
// another layout, as in versions before 11.
func readStart(f io.ReaderAt) (key uint64, version uint32, whole bool) {
	start := make([]byte, snapshotStartSize)
	if _, err := f.ReadAt(start, 0); err != nil || !bytes.HasPrefix(start, []byte(snapshotMagic)) {
		return 0, 0, false
	}
	rest := start[len(snapshotMagic):]
	sum := binary.LittleEndian.Uint64(start[snapshotStartSize-8:])
	return binary.LittleEndian.Uint64(rest[4:]), binary.LittleEndian.Uint32(rest), sum == xxhash.Sum64(start[:snapshotStartSize-8])
}

// discardedKey is the number of the key that sealed a file that is not used: an unfinished snapshot, a damaged one, or one of another version.
// It is 0 if the key that the start of the file names opens none of its sections.
func (t *tenant) discardedKey(path string) uint64 {
	f, err := os.Open(path)
	if err != nil || t.ring == nil {
		return 0
	}
	defer f.Close()
	number, _, whole := readStart(f)
	info, err := f.Stat()
	if !whole || number == 0 || err != nil {
		return 0
	}
	key, err := t.ring.Key(number)
	if err != nil {
		return 0
	}
	for at := snapshotStartSize; ; {
		var head [sectionHeadSize]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return 0
		}
		s := section{head[0], at, int64(binary.LittleEndian.Uint64(head[1:]))}
		if at += sectionHeadSize + sectionSumSize; s.size < 0 || s.size > info.Size()-at {
			return 0
		}
		at += s.size
		if (&decoder{file: f, key: &key}).openSection(s) {
			return number
		}
	}
}

// dropSnapshotKey destroys the key of a snapshot that is not used. The next snapshot replaces the file.
func (t *tenant) dropSnapshotKey() error {
	t.snapshots.key = t.discardedKey(t.snapshotPath())
	if err := t.destroySnapshotKeys(t.snapshots.key); err != nil {
		return err // the next snapshot, or an erasure, destroys it
	}
	t.snapshots.key = 0
	return nil
}

// newSnapshotKey gives a snapshot that is about to be written its key.
func (t *tenant) newSnapshotKey(pic *snapshotContent) error {
	if t.ring == nil {
		return t.ringErr
	}
	k, err := t.ring.Next()
	if err != nil {
		return fmt.Errorf("index: key of a snapshot: %w", err)
	}
	t.snapshots.mu.Lock()
	defer t.snapshots.mu.Unlock()
	pic.key, pic.formerKey, t.snapshots.draftKey = &k, t.snapshots.key, k.Number
	return nil
}

// destroySnapshotKeys destroys keys; 0 is none.
func (t *tenant) destroySnapshotKeys(numbers ...uint64) error {
	numbers = slices.DeleteFunc(numbers, func(n uint64) bool { return n == 0 })
	if t.ring == nil || len(numbers) == 0 {
		return nil
	}
	if err := t.ring.Destroy(numbers); err != nil {
		return fmt.Errorf("index: destroy the key of a snapshot: %w", err)
	}
	return nil
}
