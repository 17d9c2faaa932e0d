package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/keyring"
)

// A snapshot of a sealed store is sealed under a key of its own, which the next snapshot or an
// erasure destroys: no copy of the file can be read afterwards. The index is then built from the
// store.

// snapshotStartSize is the size of what precedes the sections: magic, version, the numbers of the
// file's key and of the key of the file before (0: none), and the XXH64 of all these.
const snapshotStartSize = int64(len(snapshotMagic) + 4 + 8 + 8 + 8)

// snapshotStart is the start of a snapshot.
func snapshotStart(key, former uint64) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), snapshotVersion)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, key), former)
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
	number, former, err := parseSnapshotStart(f)
	if err != nil {
		return nil, err
	}
	if (number != 0) != (t.ring != nil) {
		return nil, errors.New("it is sealed and the store is not, or the other way round")
	}
	if t.ring == nil {
		return nil, nil
	}
	// A crash may have come before the key of the file before was destroyed.
	if err := t.destroySnapshotKeys(former); err != nil {
		return nil, err
	}
	k, err := t.ring.Key(number)
	if err != nil {
		return nil, fmt.Errorf("its key: %w", err)
	}
	t.snapshots.key = number
	return &k, nil
}

// parseSnapshotStart reads the start of a snapshot: the number of its key and that of the file before.
func parseSnapshotStart(f io.ReaderAt) (key, former uint64, err error) {
	start := make([]byte, snapshotStartSize)
	if _, err := f.ReadAt(start, 0); err != nil || !bytes.HasPrefix(start, []byte(snapshotMagic)) {
		return 0, 0, errSnapshot
	}
	rest := start[len(snapshotMagic):]
	if version := binary.LittleEndian.Uint32(rest); version != snapshotVersion {
		return 0, 0, fmt.Errorf("it has version %d, not %d", version, snapshotVersion)
	}
	key, former = binary.LittleEndian.Uint64(rest[4:]), binary.LittleEndian.Uint64(rest[12:])
	if !bytes.Equal(start, snapshotStart(key, former)) {
		return 0, 0, errSnapshot
	}
	return key, former, nil
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
