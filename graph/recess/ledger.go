package recess

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// A ledger is a small log that must never be lost: the keys, the manifest, the codebooks. It
// is stored twice, in two files with the same records; a record that is damaged in one is
// read from the other, and repaired. Every payload is sealed.
//
// Its header has the magic "SGlg" and the generation.
//
// Records are appended with ascending seq from 1. A rewrite begins a new generation; the
// higher one is valid, whichever file has it.
const ledgerMagic = "SGlg"

type ledger struct {
	disk   disk
	path   string // of both files, without their endings
	label  string // part of the additional data of every payload
	aead   cipher.AEAD
	random io.Reader

	files      [2]file
	size       [2]int64
	generation uint64
	next       uint64
	broken     error // why nothing can be appended before a rewrite
}

var ledgerEnding = [2]string{".a", ".b"}

// ledgerCopy is the content of one of the two files.
type ledgerCopy struct {
	file       file
	generation uint64 // 0: missing, or its header is damaged
	frames     map[uint64][]byte
	last       uint64 // highest seq of a frame with a valid head
	clean      bool   // header and all frames are valid, and nothing follows them
	size       int64
}

// openLedger opens or makes the pair and returns its records in order. A record that neither
// file has is graph.ErrIntegrity.
func openLedger(d disk, path, label string, aead cipher.AEAD, random io.Reader) (*ledger, [][]byte, error) {
	l := &ledger{disk: d, path: path, label: label, aead: aead, random: random}
	var copies [2]ledgerCopy
	for i, ending := range ledgerEnding {
		if err := shredFile(d, path+ending+".new"); err != nil {
			return nil, nil, fmt.Errorf("recess: %w", err)
		}
		var err error
		if copies[i], err = l.loadCopy(path + ending); err != nil {
			return nil, nil, errors.Join(err, l.close())
		}
		l.files[i] = copies[i].file
	}
	l.generation = max(copies[0].generation, copies[1].generation)
	if l.generation == 0 {
		if copies[0].file != nil || copies[1].file != nil {
			return nil, nil, errors.Join(fmt.Errorf("%w: both copies of %s are damaged", graph.ErrIntegrity, filepath.Base(path)), l.close())
		}
		l.next = 1
		return l, nil, l.rewrite(nil)
	}
	records, whole, err := l.mergeCopies(copies)
	if err != nil {
		return nil, nil, errors.Join(err, l.close())
	}
	if !whole {
		err = l.rewrite(records)
	}
	return l, records, err
}

// loadCopy reads one file. It fails only if the disk fails.
func (l *ledger) loadCopy(path string) (c ledgerCopy, err error) {
	c.file, err = l.disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("recess: %w", err)
	}
	if c.size, err = c.file.Size(); err != nil {
		return c, err
	}
	header := make([]byte, min(c.size, logHeader))
	if err := readFull(c.file, header, 0); err != nil {
		return c, err
	}
	generation, ok, err := parseLogHead(header, ledgerMagic, filepath.Base(path))
	if !ok {
		return c, err
	}
	c.generation, c.frames = generation, map[uint64][]byte{}
	damaged := false
	s, err := scanFrames(c.file, logHeader, c.size, func(f foundFrame) error {
		c.last = max(c.last, f.seq)
		plain, err := unseal(l.aead, f.payload, l.additionalData(c.generation, f.seq))
		if f.damaged || err != nil {
			damaged = true
			return nil
		}
		c.frames[f.seq] = plain
		return nil
	})
	c.clean = !damaged && s.gaps == 0 && s.rest == 0
	return c, err
}

// mergeCopies returns the records of the latest generation. The second file is written after the
// first one is synced: a record that only the first one has, in part, was not acknowledged.
func (l *ledger) mergeCopies(copies [2]ledgerCopy) (records [][]byte, whole bool, err error) {
	whole = copies[0].clean && copies[1].clean && copies[0].generation == copies[1].generation && copies[0].last == copies[1].last
	known := [2]map[uint64][]byte{}
	last := uint64(0)
	for i := range copies {
		if copies[i].generation == l.generation {
			known[i], last = copies[i].frames, max(last, copies[i].last)
		}
	}
	for seq := uint64(1); seq <= last; seq++ {
		plain, ok := known[0][seq]
		if !ok {
			plain, ok = known[1][seq]
		}
		if !ok {
			if l.isTornAppend(copies, known, seq, last) {
				whole = false
				break
			}
			return nil, false, fmt.Errorf("%w: record %d of %s", graph.ErrIntegrity, seq, filepath.Base(l.path))
		}
		records = append(records, plain)
	}
	l.next = uint64(len(records)) + 1
	l.size = [2]int64{copies[0].size, copies[1].size}
	return records, whole, nil
}

// isTornAppend reports whether no record from seq on is readable anywhere and the second
// file never had it: the end of an interrupted append.
func (l *ledger) isTornAppend(copies [2]ledgerCopy, known [2]map[uint64][]byte, seq, last uint64) bool {
	for s := seq; s <= last; s++ {
		if _, ok := known[0][s]; ok {
			return false
		}
		if _, ok := known[1][s]; ok {
			return false
		}
	}
	return copies[0].generation == l.generation && copies[1].generation == l.generation && copies[1].clean && copies[1].last < seq
}

func (l *ledger) additionalData(gen, seq uint64) []byte {
	return joinParts("ledger", l.label, be64(gen), be64(seq))
}

// sealFrames seals the payloads as the records from seq on.
func (l *ledger) sealFrames(b []byte, gen, seq uint64, payloads [][]byte) ([]byte, error) {
	for i, p := range payloads {
		sealed, err := seal(l.aead, l.random, p, l.additionalData(gen, seq+uint64(i)))
		if err != nil {
			return nil, err
		}
		if len(sealed) > maxFrame {
			return nil, graph.ErrTooLarge
		}
		b = (&frame{seq: seq + uint64(i), payload: sealed}).append(b)
	}
	return b, nil
}

// append adds records to both files and returns when both are synced. After an error the
// records may be stored: they are if one file has them completely. After an error that can't
// be undone nothing more is appended.
func (l *ledger) append(payloads ...[]byte) error {
	if l.broken != nil {
		return l.broken
	}
	b, err := l.sealFrames(nil, l.generation, l.next, payloads)
	if err != nil {
		return err
	}
	for i, f := range l.files {
		_, err := f.WriteAt(b, l.size[i])
		if err = errors.Join(err, f.Sync()); err != nil {
			err = fmt.Errorf("%w: %s: %w", graph.ErrUnavailable, filepath.Base(l.path), err)
			for j := range i + 1 {
				if undo := errors.Join(l.files[j].Truncate(l.size[j]), l.files[j].Sync()); undo != nil {
					l.broken = errors.Join(graph.ErrUncertain, err, undo)
					return l.broken
				}
			}
			return err
		}
	}
	for i := range l.size {
		l.size[i] += int64(len(b))
	}
	l.next += uint64(len(payloads))
	return nil
}

// rewrite begins a new generation with these records only, and overwrites the old bytes.
// After an error, opening may find either generation; until then the ledger accepts only
// another rewrite.
func (l *ledger) rewrite(payloads [][]byte) error {
	b, err := l.sealFrames(logHead(ledgerMagic, l.generation+1), l.generation+1, 1, payloads)
	if err != nil {
		return err
	}
	l.generation++
	for i, ending := range ledgerEnding {
		err := replaceFile(l.disk, l.path+ending, b, true)
		if err == nil {
			if l.files[i] != nil {
				err = l.files[i].Close()
				l.files[i] = nil
			}
			if err == nil {
				l.files[i], err = l.disk.Open(l.path + ending)
			}
		}
		if err != nil {
			err = fmt.Errorf("%w: %s: %w", graph.ErrUnavailable, filepath.Base(l.path), err)
			l.broken = err
			return err
		}
		l.size[i] = int64(len(b))
	}
	l.next, l.broken = uint64(len(payloads))+1, nil
	return nil
}

func (l *ledger) close() error {
	var err error
	for i, f := range l.files {
		if f != nil {
			err = errors.Join(err, f.Close())
			l.files[i] = nil
		}
	}
	return err
}
