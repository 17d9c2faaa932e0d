package badgerstore

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// maxValue is the largest stored value in bytes. It keeps every value far below Badger's
// value threshold, so that the value log never holds data: its garbage collection can
// bring deleted keys back.
const maxValue = 256 << 10

// The forms of a sealed value.
const (
	formWhole = 0 // the payload
	formParts = 1 // number of further parts (2 bytes), the beginning of the payload
)

// sealSize is the size of what seal adds: the hash and the form.
const sealSize = 8 + 1

// seal makes the stored value of a payload:
//
//	xxhash64 over key, form and payload (8 bytes) ∥ form (1 byte) ∥ payload
//
// The hash detects damaged bytes and misplaced rows, also between keys, except with a
// chance of 2⁻⁶⁴, at a tenth of the cost of a cryptographic hash on small rows. It does
// not protect against somebody who can write the files.
func seal(k key, form byte, payload []byte) []byte {
	v := make([]byte, sealSize, sealSize+len(payload))
	v[8] = form
	v = append(v, payload...)
	binary.BigEndian.PutUint64(v, hashOf(k, v[8:]))
	return v
}

// unseal returns form and payload of a stored value, which it shares, or an error
// that wraps ErrIntegrity.
func unseal(k key, v []byte) (form byte, payload []byte, err error) {
	if len(v) < sealSize || binary.BigEndian.Uint64(v) != hashOf(k, v[8:]) {
		return 0, nil, integrityError(k, "hash of the row does not match")
	}
	return v[8], v[sealSize:], nil
}

func hashOf(k key, rest []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(k) // a Digest never fails
	_, _ = d.Write(rest)
	return d.Sum64()
}

// integrityError makes an error that names the kind of the row, never its content.
func integrityError(k key, what string) error {
	for i, b := range k {
		if b == 0 && i+1 < len(k) {
			return fmt.Errorf("%w: row %q: %s", graph.ErrIntegrity, k[i+1], what)
		}
	}
	return fmt.Errorf("%w: %s", graph.ErrIntegrity, what)
}

// splitPayload cuts a payload that is larger than maxValue: the head for the row itself
// and the rest in parts.
func splitPayload(payload []byte) (head []byte, parts [][]byte) {
	const room = maxValue - sealSize - 2
	head = payload[:room]
	for rest := payload[room:]; len(rest) > 0; {
		n := min(len(rest), room)
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	return head, parts
}
