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

// mark is the high-water mark: what is known to be durable.
type mark struct {
	Commit uint64   // number of the last durable commit
	Chain  [32]byte // its link of the chain
	Usage  uint64   // position up to which the usage log is synced
}

// The file holds two slots, each at the start of its own page, that are written
// in turn: a torn write spoils the slot that is not the latest valid one.
//
//	slot: "SGMK" ∥ layout version 1 (4 bytes) ∥ turn (8) ∥ commit (8) ∥ chain (32)
//	      ∥ usage position (8) ∥ xxhash64 of all before (8)
const (
	markName  = "mark"
	markMagic = "SGMK"
	markSize  = 4 + 4 + 8 + 8 + 32 + 8 + 8
	markPage  = 4096
)

var errNoMark = errors.New("there is no mark")

// markFile keeps the mark. It is written once a commit is durable and before it is
// acknowledged, and not synced: so after a crash of the process it says exactly
// what was acknowledged, and after a power cut it may lag but never lead.
type markFile struct {
	mu   sync.Mutex
	file *os.File
	turn uint64
	last mark
}

// createMark makes the file of a new store, durably.
func createMark(dir string) (*markFile, error) {
	f, err := os.OpenFile(filepath.Join(dir, markName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: create mark: %w", err)
	}
	m := &markFile{file: f}
	if err := errors.Join(f.Truncate(2*markPage), m.settle(), syncDir(dir)); err != nil {
		return nil, errors.Join(fmt.Errorf("badgerstore: create mark: %w", err), f.Close())
	}
	return m, nil
}

// openMark reads the file. It answers errNoMark where there is none, and an error
// that wraps ErrIntegrity where neither slot is valid.
func openMark(dir string) (*markFile, error) {
	f, err := os.OpenFile(filepath.Join(dir, markName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoMark
	}
	if err != nil {
		return nil, fmt.Errorf("badgerstore: open mark: %w", err)
	}
	m := &markFile{file: f}
	var valid bool
	for slot := range int64(2) {
		var b [markSize]byte
		if _, err := f.ReadAt(b[:], slot*markPage); err != nil && !errors.Is(err, io.EOF) {
			return nil, errors.Join(fmt.Errorf("badgerstore: read mark: %w", err), f.Close())
		}
		if turn, v, ok := parseMark(b[:]); ok && (!valid || turn > m.turn) {
			m.turn, m.last, valid = turn, v, true
		}
	}
	if !valid {
		return nil, errors.Join(fmt.Errorf("%w: the high-water mark is damaged", graph.ErrIntegrity), f.Close())
	}
	return m, nil
}

// commit records that commit n is durable.
func (f *markFile) commit(n uint64, chain [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n <= f.last.Commit {
		return nil
	}
	f.last.Commit, f.last.Chain = n, chain
	return f.write()
}

// synced records that the usage log is durable up to the position.
func (f *markFile) synced(usage uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if usage <= f.last.Usage {
		return nil
	}
	f.last.Usage = usage
	return f.write()
}

// settle writes both slots and syncs the file.
func (f *markFile) settle() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.write(), f.write(), f.file.Sync())
}

// close settles and closes the file.
func (f *markFile) close() error { return errors.Join(f.settle(), f.file.Close()) }

// write puts the mark into the slot whose turn it is. The caller holds the lock.
func (f *markFile) write() error {
	f.turn++
	b := make([]byte, 0, markSize)
	b = append(b, markMagic...)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint64(b, f.turn)
	b = binary.BigEndian.AppendUint64(b, f.last.Commit)
	b = append(b, f.last.Chain[:]...)
	b = binary.BigEndian.AppendUint64(b, f.last.Usage)
	b = binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
	if _, err := f.file.WriteAt(b, int64(f.turn%2)*markPage); err != nil {
		return fmt.Errorf("badgerstore: write mark: %w", err)
	}
	return nil
}

func parseMark(b []byte) (turn uint64, m mark, ok bool) {
	body := b[:markSize-8]
	if string(b[:4]) != markMagic || binary.BigEndian.Uint32(b[4:]) != 1 ||
		binary.BigEndian.Uint64(b[markSize-8:]) != xxhash.Sum64(body) {
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
