package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// watermark says what is known to be durable.
type watermark struct {
	Commit uint64   // number of the last durable commit
	Chain  [32]byte // its link in the hash chain
	Usage  uint64   // position up to which the usage log is synced
}

// The file holds two slots, each at the start of its own page, that are written
// alternately: a torn write damages the slot that is not the latest valid one.
//
//	slot: "SGMK" ∥ layout version 1 (4 bytes) ∥ sequence number (8) ∥ commit (8) ∥ chain (32)
//	      ∥ usage position (8) ∥ xxhash64 of all before (8)
const (
	watermarkName  = "mark"
	watermarkMagic = "SGMK"
	watermarkSize  = 4 + 4 + 8 + 8 + 32 + 8 + 8
	watermarkPage  = 4096
)

var errNoWatermark = errors.New("there is no watermark")

// watermarkFile keeps the watermark. It is written after a commit is durable and before it
// is acknowledged, but not synced: after a crash of the process it says exactly what was
// acknowledged; after a power cut it may be behind the database, but never ahead.
type watermarkFile struct {
	mu       sync.Mutex
	file     *os.File
	sequence uint64
	current  watermark
}

// createWatermark makes the file of a new store, durably.
func createWatermark(dir string) (*watermarkFile, error) {
	f, err := os.OpenFile(filepath.Join(dir, watermarkName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: create watermark: %w", err)
	}
	m := &watermarkFile{file: f}
	if err := errors.Join(f.Truncate(2*watermarkPage), m.writeBoth(), syncDir(dir)); err != nil {
		return nil, errors.Join(fmt.Errorf("badgerstore: create watermark: %w", err), f.Close())
	}
	return m, nil
}

// openWatermark reads the file. It returns errNoWatermark if there is none, and an error
// that wraps ErrIntegrity if neither slot is valid.
func openWatermark(dir string) (*watermarkFile, error) {
	f, err := os.OpenFile(filepath.Join(dir, watermarkName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoWatermark
	}
	if err != nil {
		return nil, fmt.Errorf("badgerstore: open watermark: %w", err)
	}
	m := &watermarkFile{file: f}
	var valid bool
	for slot := range int64(2) {
		var b [watermarkSize]byte
		if _, err := f.ReadAt(b[:], slot*watermarkPage); err != nil && !errors.Is(err, io.EOF) {
			return nil, errors.Join(fmt.Errorf("badgerstore: read watermark: %w", err), f.Close())
		}
		if sequence, v, ok := parseWatermark(b[:]); ok && (!valid || sequence > m.sequence) {
			m.sequence, m.current, valid = sequence, v, true
		}
	}
	if !valid {
		return nil, errors.Join(fmt.Errorf("%w: the watermark is damaged", graph.ErrIntegrity), f.Close())
	}
	return m, nil
}

// MarkCopies returns how many of the two copies of the mark of a store are whole: the record of what
// was acknowledged. The store opens with one, and writes the other again. The error wraps
// fs.ErrNotExist if there is no file.
func MarkCopies(dir string) (whole int, err error) {
	b, err := os.ReadFile(filepath.Join(dir, watermarkName))
	if err != nil {
		return 0, fmt.Errorf("badgerstore: %w", err)
	}
	for slot := range 2 {
		if at := slot * watermarkPage; len(b) >= at+watermarkSize {
			if _, _, ok := parseWatermark(b[at : at+watermarkSize]); ok {
				whole++
			}
		}
	}
	return whole, nil
}

// setCommit records that commit n is durable.
func (f *watermarkFile) setCommit(n uint64, chain [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n <= f.current.Commit {
		return nil
	}
	f.current.Commit, f.current.Chain = n, chain
	return f.write()
}

// setUsageSynced records that the usage log is durable up to the position.
func (f *watermarkFile) setUsageSynced(usage uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if usage <= f.current.Usage {
		return nil
	}
	f.current.Usage = usage
	return f.write()
}

// writeBoth writes both slots and syncs the file.
func (f *watermarkFile) writeBoth() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.write(), f.write(), f.file.Sync())
}

// close writes both slots and closes the file.
func (f *watermarkFile) close() error { return errors.Join(f.writeBoth(), f.file.Close()) }

// write puts the watermark into the older slot. The caller holds the lock.
func (f *watermarkFile) write() error {
	f.sequence++
	b := make([]byte, 0, watermarkSize)
	b = append(b, watermarkMagic...)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint64(b, f.sequence)
	b = binary.BigEndian.AppendUint64(b, f.current.Commit)
	b = append(b, f.current.Chain[:]...)
	b = binary.BigEndian.AppendUint64(b, f.current.Usage)
	b = binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
	if _, err := f.file.WriteAt(b, int64(f.sequence%2)*watermarkPage); err != nil {
		return fmt.Errorf("badgerstore: write watermark: %w", err)
	}
	return nil
}

func parseWatermark(b []byte) (sequence uint64, m watermark, ok bool) {
	body := b[:watermarkSize-8]
	if string(b[:4]) != watermarkMagic || binary.BigEndian.Uint32(b[4:]) != 1 ||
		binary.BigEndian.Uint64(b[watermarkSize-8:]) != xxhash.Sum64(body) {
		return 0, m, false
	}
	m.Commit = binary.BigEndian.Uint64(b[16:])
	copy(m.Chain[:], b[24:])
	m.Usage = binary.BigEndian.Uint64(b[56:])
	return binary.BigEndian.Uint64(b[8:]), m, true
}

// syncDir makes the entries of a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("badgerstore: open directory: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}
