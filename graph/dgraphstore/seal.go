package dgraphstore

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// sealSize is what seal adds before the text is made.
const sealSize = 8

// seal makes the stored text of a row:
//
//	base64 of ( xxhash64 over key and payload (8 bytes) ∥ payload )
//
// The hash guards against bits that rot and rows that stray; one in 2⁶⁴ goes unseen. It
// does not guard against somebody who can write to the database.
func seal(key string, payload []byte) string {
	v := make([]byte, sealSize, sealSize+len(payload))
	v = append(v, payload...)
	binary.BigEndian.PutUint64(v, sum(key, payload))
	return base64.StdEncoding.EncodeToString(v)
}

// unseal answers the payload of a stored text, or an error that wraps ErrIntegrity.
func unseal(key, text string) ([]byte, error) {
	v, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(v) < sealSize || binary.BigEndian.Uint64(v) != sum(key, v[sealSize:]) {
		return nil, broken(key, "hash of the row does not match")
	}
	return v[sealSize:], nil
}

func sum(key string, payload []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(key) // a Digest never fails
	_, _ = d.Write([]byte{0})
	_, _ = d.Write(payload)
	return d.Sum64()
}

// broken is an integrity error. The key is a tenant with an id or a hash, never content.
func broken(key, what string) error {
	return fmt.Errorf("%w: %s: %s", graph.ErrIntegrity, key, what)
}
