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
	KeySize   = 32                  // of a key
	Overhead  = nonceSize + tagSize // what Seal adds to a text
	nonceSize = 12
	tagSize   = 16
)

var (
	// ErrDestroyed is the error for a key that was destroyed.
	ErrDestroyed = errors.New("the key was destroyed")
	// ErrWrong is the error for keys that are missing, or older than the data that they sealed.
	ErrWrong = errors.New("these are not the keys of the data")
)

// damaged names the file of an error that wraps graph.ErrIntegrity; it returns others as they are.
func damaged(path string, err error) error {
	if err == nil || !errors.Is(err, graph.ErrIntegrity) {
		return err
	}
	return &graph.DamagedKeysError{Path: path, Err: err}
}

// Key seals the versions of one record.
type Key struct {
	Number uint64 // from 1
	bytes  [KeySize]byte
	random io.Reader
}

// Seal appends the sealed text to to, after a random nonce. Additional data is authenticated and
// not stored. A key must seal far fewer than 2³² texts.
func (k *Key) Seal(to, text, additional []byte) ([]byte, error) {
	return seal(to, k.bytes[:], text, additional, k.random)
}

// Open appends the text to to. It fails with graph.ErrIntegrity if the sealed text, the key and the
// additional data do not belong together.
func (k *Key) Open(to, sealed, additional []byte) ([]byte, error) {
	return open(to, k.bytes[:], sealed, additional)
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal appends nonce, text and tag to to.
func seal(to, key, text, additional []byte, random io.Reader) ([]byte, error) {
	a, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	var nonce [nonceSize]byte
	if _, err := io.ReadFull(random, nonce[:]); err != nil {
		return nil, fmt.Errorf("keyring: randomness: %w", err)
	}
	return a.Seal(append(to, nonce[:]...), nonce[:], text, additional), nil
}

// open appends the text to to.
func open(to, key, sealed, additional []byte) ([]byte, error) {
	a, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	if len(sealed) < Overhead {
		return nil, fmt.Errorf("%w: a sealed text is cut short", graph.ErrIntegrity)
	}
	text, err := a.Open(to, sealed[:nonceSize], sealed[nonceSize:], additional)
	if err != nil {
		return nil, fmt.Errorf("%w: a sealed text can't be opened", graph.ErrIntegrity) // not ErrUnopened: it may be a file of keys
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
