package badgerstore

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// maxValue bounds one stored value in bytes. It keeps every value far below
// Badger's value threshold, so that the value log never holds data: its garbage
// collection can bring deleted keys back.
const maxValue = 256 << 10

// The forms of a sealed value.
const (
	formWhole = 0 // the payload
	formParts = 1 // number of further parts (2 bytes), the beginning of the payload
)

// sealSize is what seal adds: the hash and the form.
const sealSize = 8 + 1

// seal makes the stored value of a payload:
//
//	xxhash64 over key, form and payload (8 bytes) ∥ form (1 byte) ∥ payload
//
// The hash guards against bits that rot and rows that stray, also between keys:
// one in 2⁶⁴ goes unseen, at a tenth of the cost of a cryptographic hash on small
// rows. It does not guard against somebody who can write the files.
func seal(k key, form byte, payload []byte) []byte {
	v := make([]byte, sealSize, sealSize+len(payload))
	v[8] = form
	v = append(v, payload...)
	binary.BigEndian.PutUint64(v, sum(k, v[8:]))
	return v
}

// unseal answers form and payload of a stored value, which it shares, or an error
// that wraps ErrIntegrity.
func unseal(k key, v []byte) (form byte, payload []byte, err error) {
	if len(v) < sealSize || binary.BigEndian.Uint64(v) != sum(k, v[8:]) {
		return 0, nil, broken(k, "hash of the row does not match")
	}
	return v[8], v[sealSize:], nil
}

func sum(k key, rest []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(k) // a Digest never fails
	_, _ = d.Write(rest)
	return d.Sum64()
}

// broken is an integrity error that names the row's kind, never its content.
func broken(k key, what string) error {
	for i, b := range k {
		if b == 0 && i+1 < len(k) {
			return fmt.Errorf("%w: row %q: %s", graph.ErrIntegrity, k[i+1], what)
		}
	}
	return fmt.Errorf("%w: %s", graph.ErrIntegrity, what)
}

// split cuts a payload that is larger than maxValue: the head for the row itself
// and the rest in parts.
func split(payload []byte) (head []byte, parts [][]byte) {
	const room = maxValue - sealSize - 2
	head = payload[:room]
	for rest := payload[room:]; len(rest) > 0; {
		n := min(len(rest), room)
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	return head, parts
}
