package dgraphstore

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// sealSize is the size in bytes of the hash that seal adds.
const sealSize = 8

// seal makes the stored text of a row:
//
//	base64 of ( xxhash64 over key and payload (8 bytes) ∥ payload )
//
// The hash detects damaged bytes and misplaced rows, except with a chance of 2⁻⁶⁴. It
// does not protect against somebody who can write to the database.
func seal(key string, payload []byte) string {
	v := make([]byte, sealSize, sealSize+len(payload))
	v = append(v, payload...)
	binary.BigEndian.PutUint64(v, hashOf(key, payload))
	return base64.StdEncoding.EncodeToString(v)
}

// unseal returns the payload of a stored text, or an error that wraps ErrIntegrity.
func unseal(key, text string) ([]byte, error) {
	switch text {
	case shreddedRecord:
		return nil, errShredded
	case unopenedRecord:
		return nil, integrityError(key, "can't be opened with its key")
	}
	v, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(v) < sealSize || binary.BigEndian.Uint64(v) != hashOf(key, v[sealSize:]) {
		return nil, integrityError(key, "hash of the row does not match")
	}
	return v[sealSize:], nil
}

func hashOf(key string, payload []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(key) // a Digest never fails
	_, _ = d.Write([]byte{0})
	_, _ = d.Write(payload)
	return d.Sum64()
}

// integrityError makes an integrity error. The key is a tenant with an id or a hash, never content.
func integrityError(key, what string) error {
	return fmt.Errorf("%w: %s: %s", graph.ErrIntegrity, key, what)
}
