package recess

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Every secret is an AES-256 key and used with GCM (NIST SP 800-38D): 12 random bytes as
// nonce before each sealed text, 16 bytes of tag after it.
const (
	keySize   = 32
	nonceSize = 12
	tagSize   = 16
)

// keyID is the name of a data key. It is random and does not reveal what the key is for.
type keyID [16]byte

// sharedRandom serves concurrent readers from one source.
type sharedRandom struct {
	mu     sync.Mutex
	source io.Reader
}

func (r *sharedRandom) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return io.ReadFull(r.source, p)
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	if len(key) != keySize {
		return nil, fmt.Errorf("recess: a key of %d bytes, not %d", len(key), keySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts plain, bound to the additional data.
func seal(a cipher.AEAD, random io.Reader, plain, ad []byte) ([]byte, error) {
	b := make([]byte, nonceSize, nonceSize+len(plain)+tagSize)
	if _, err := io.ReadFull(random, b); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	return a.Seal(b, b[:nonceSize], plain, ad), nil
}

// unseal decrypts the result of seal.
func unseal(a cipher.AEAD, sealed, ad []byte) ([]byte, error) {
	if len(sealed) < nonceSize+tagSize {
		return nil, fmt.Errorf("%w: a sealed text is cut short", graph.ErrIntegrity)
	}
	plain, err := a.Open(nil, sealed[:nonceSize], sealed[nonceSize:], ad)
	if err != nil {
		return nil, fmt.Errorf("%w: a sealed text can't be opened", graph.ErrIntegrity)
	}
	return plain, nil
}

// joinParts joins strings unambiguously, as additional data: each after its length in 4
// bytes.
func joinParts(parts ...string) []byte {
	var b []byte
	for _, p := range parts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return b
}

// hashOf is the first 16 bytes of SHA-256 over the parts.
func hashOf(parts ...string) (n [16]byte) {
	s := sha256.Sum256(joinParts(parts...))
	copy(n[:], s[:])
	return n
}

func be64(n uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return string(b[:])
}
