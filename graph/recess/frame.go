package recess

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// Logs consist of frames. A frame head of 64 bytes has a checksum of its own, so that a
// damaged payload loses only one frame; after a damaged head the next frame is found by its magic.
//
//	"SGfr" ∥ length of the payload (4) ∥ seq (8) ∥ id (16) ∥ key (16) ∥ xxhash64 of the payload (8) ∥ xxhash64 of all before (8) ∥ payload
const (
	frameMagic = "SGfr"
	frameHead  = 64
	maxFrame   = 64 << 20 // bytes of a payload
)

// A log begins with a header of 24 bytes:
//
//	magic (4) ∥ layout version 1 (4) ∥ number (8) ∥ xxhash64 of all before (8)
const (
	logHeader = 24
	layout    = 1
)

func logHead(magic string, number uint64) []byte {
	b := binary.BigEndian.AppendUint32([]byte(magic), layout)
	b = binary.BigEndian.AppendUint64(b, number)
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
}

// parseLogHead returns the number in the header of the log with the name; ok is false for a
// damaged header. A header of another layout is an error.
func parseLogHead(b []byte, magic, name string) (number uint64, ok bool, err error) {
	if len(b) < logHeader || string(b[:4]) != magic || xxhash.Sum64(b[:16]) != binary.BigEndian.Uint64(b[16:]) {
		return 0, false, nil
	}
	if v := binary.BigEndian.Uint32(b[4:]); v != layout {
		return 0, false, fmt.Errorf("recess: %s has layout %d, and this program reads layout %d", name, v, layout)
	}
	return binary.BigEndian.Uint64(b[8:]), true, nil
}

// frame is one record of a log.
type frame struct {
	seq     uint64
	id      [16]byte
	key     keyID
	payload []byte
}

// append appends the frame to b.
func (f *frame) append(b []byte) []byte {
	at := len(b)
	b = append(b, frameMagic...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(f.payload)))
	b = binary.BigEndian.AppendUint64(b, f.seq)
	b = append(b, f.id[:]...)
	b = append(b, f.key[:]...)
	b = binary.BigEndian.AppendUint64(b, xxhash.Sum64(f.payload))
	b = binary.BigEndian.AppendUint64(b, xxhash.Sum64(b[at:]))
	return append(b, f.payload...)
}

// parseHead parses a head and returns the length and the checksum of its payload.
func parseHead(b []byte) (f frame, length int, sum uint64, ok bool) {
	if len(b) < frameHead || string(b[:4]) != frameMagic || xxhash.Sum64(b[:56]) != binary.BigEndian.Uint64(b[56:]) {
		return f, 0, 0, false
	}
	f.seq = binary.BigEndian.Uint64(b[8:])
	copy(f.id[:], b[16:])
	copy(f.key[:], b[32:])
	n := binary.BigEndian.Uint32(b[4:])
	return f, int(n), binary.BigEndian.Uint64(b[48:]), n <= maxFrame
}

// foundFrame is a frame in a log as a scan sees it.
type foundFrame struct {
	frame
	at      int64 // of the head
	size    int64 // of head and payload
	damaged bool  // the head is valid, the payload is not
}

// scanResult is the result of a scan of a log.
type scanResult struct {
	end  int64 // after the last complete frame with a valid head
	gaps int   // gaps between frames without a valid head
	rest int64 // bytes after end
}

// scanFrames calls fn for each frame of r from the offset start to size. It holds at most
// one payload in memory. The payload belongs to fn until it returns.
func scanFrames(r io.ReaderAt, start, size int64, fn func(foundFrame) error) (scanResult, error) {
	s := scanResult{end: start}
	head := make([]byte, frameHead)
	var payload []byte
	at, inGap := start, false
	for at+frameHead <= size {
		if err := readFull(r, head, at); err != nil {
			return s, err
		}
		f, length, sum, ok := parseHead(head)
		if !ok {
			next, err := nextMagic(r, at+1, size)
			if err != nil {
				return s, err
			}
			at, inGap = next, true
			continue
		}
		total := int64(frameHead + length)
		if at+total > size {
			// The frame was cut short, unless more frames follow inside it: then the file lost bytes
			// in its middle.
			at, inGap = at+1, true
			if next, err := nextMagic(r, at, size); err != nil {
				return s, err
			} else if at = next; at >= size {
				break
			}
			continue
		}
		if cap(payload) < length {
			payload = make([]byte, length)
		}
		payload = payload[:length]
		if err := readFull(r, payload, at+frameHead); err != nil {
			return s, err
		}
		f.payload = payload
		if inGap {
			s.gaps, inGap = s.gaps+1, false
		}
		if err := fn(foundFrame{frame: f, at: at, size: total, damaged: xxhash.Sum64(payload) != sum}); err != nil {
			return s, err
		}
		at += total
		s.end = at
	}
	s.rest = size - s.end
	return s, nil
}

// nextMagic is the offset of the next magic at or after at, or size.
func nextMagic(r io.ReaderAt, at, size int64) (int64, error) {
	buffer := make([]byte, 64<<10)
	for at < size {
		b := buffer[:min(int64(len(buffer)), size-at)]
		if err := readFull(r, b, at); err != nil {
			return 0, err
		}
		if i := bytes.Index(b, []byte(frameMagic)); i >= 0 {
			return at + int64(i), nil
		}
		if int64(len(b)) == size-at {
			break
		}
		at += int64(len(b) - len(frameMagic) + 1)
	}
	return size, nil
}

// readFull fills p from the offset or fails.
func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
