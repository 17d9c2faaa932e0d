package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/somnograph/somnograph/graph"
)

// Sizes in bytes.
const (
	KeySize   = 32 // of a key
	Overhead  = 16 // what Seal adds to a text
	nonceSize = 12
)

// ErrDestroyed is the error for a key that was destroyed.
var ErrDestroyed = errors.New("the key was destroyed")

// Key seals one text.
type Key struct {
	Number uint64 // from 1
	bytes  [KeySize]byte
}

// onceNonce is the nonce of a key that seals one text only.
var onceNonce [nonceSize]byte

// Seal appends the sealed text to to. Additional data is authenticated and not stored. A key must
// seal one text only.
func (k *Key) Seal(to, text, additional []byte) ([]byte, error) {
	a, err := newAEAD(k.bytes[:])
	if err != nil {
		return nil, err
	}
	return a.Seal(to, onceNonce[:], text, additional), nil
}

// Open appends the text to to. It fails with graph.ErrIntegrity if the sealed text, the key and the
// additional data do not belong together.
func (k *Key) Open(to, sealed, additional []byte) ([]byte, error) {
	a, err := newAEAD(k.bytes[:])
	if err != nil {
		return nil, err
	}
	text, err := a.Open(to, onceNonce[:], sealed, additional)
	if err != nil {
		return nil, fmt.Errorf("%w: a sealed text can't be opened", graph.ErrIntegrity)
	}
	return text, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// wrap seals a text under a key that seals many: a random nonce precedes it.
func wrap(key, text, additional []byte, random io.Reader) ([]byte, error) {
	a, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	b := make([]byte, nonceSize, nonceSize+len(text)+Overhead)
	if _, err := io.ReadFull(random, b); err != nil {
		return nil, fmt.Errorf("keyring: randomness: %w", err)
	}
	return a.Seal(b, b, text, additional), nil
}

// unwrap opens the result of wrap.
func unwrap(key, wrapped, additional []byte) ([]byte, error) {
	a, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	if len(wrapped) < nonceSize+Overhead {
		return nil, fmt.Errorf("%w: a wrapped key is cut short", graph.ErrIntegrity)
	}
	text, err := a.Open(nil, wrapped[:nonceSize], wrapped[nonceSize:], additional)
	if err != nil {
		return nil, fmt.Errorf("%w: a wrapped key can't be opened", graph.ErrIntegrity)
	}
	return text, nil
}

// joined is additional data made of parts, each after its length.
func joined(parts ...string) []byte {
	var b []byte
	for _, p := range parts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return b
}
