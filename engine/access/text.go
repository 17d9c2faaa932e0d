package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Prefix begins every API key.
const Prefix = "sgk_"

// Lengths of the parts of a key in letters and digits of base 62.
const (
	idLength     = 22 // 128 bits
	secretLength = 30 // 178 bits
	checkLength  = 6  // 32 bits
	textLength   = len(Prefix) + idLength + 1 + secretLength + checkLength
)

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// makeText makes the text of a key with a secret from random.
func makeText(id graph.ID, random io.Reader) (string, error) {
	secret := make([]byte, 0, secretLength)
	var b [64]byte
	for len(secret) < secretLength {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("access: randomness for a key: %w", err)
		}
		for _, x := range b {
			// 248 = 4 × 62: each digit has the same chance.
			if x < 248 && len(secret) < secretLength {
				secret = append(secret, digits[x%62])
			}
		}
	}
	text := Prefix + PublicID(id) + "_" + string(secret)
	return text + check(text), nil
}

// check is the CRC-32 (IEEE) of a text in base 62.
func check(text string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(text)))), checkLength)
}

// Looks reports whether a text has the form and the check of a key. It may still be unknown.
func Looks(text string) bool { _, ok := parseText(text); return ok }

// parseText returns the id of a key; false: the text is not a key.
func parseText(text string) (graph.ID, bool) {
	if len(text) != textLength || !strings.HasPrefix(text, Prefix) || text[len(Prefix)+idLength] != '_' {
		return "", false
	}
	if body := text[:textLength-checkLength]; check(body) != text[textLength-checkLength:] {
		return "", false
	}
	return parseID(text[len(Prefix) : len(Prefix)+idLength])
}

// PublicID is the form of a key's id in its text and everywhere outside the store.
func PublicID(id graph.ID) string {
	b, err := id.Bytes()
	if err != nil {
		return ""
	}
	return base62(new(big.Int).SetBytes(b[:]), idLength)
}

// parseID reads a public id.
func parseID(text string) (graph.ID, bool) {
	if len(text) != idLength {
		return "", false
	}
	n, base := new(big.Int), big.NewInt(62)
	for i := range len(text) {
		d := strings.IndexByte(digits, text[i])
		if d < 0 {
			return "", false
		}
		n.Add(n.Mul(n, base), big.NewInt(int64(d)))
	}
	if n.BitLen() > 128 {
		return "", false
	}
	var b [16]byte
	n.FillBytes(b[:])
	return graph.IDFromBytes(b), true
}

// base62 is a number with leading zeros.
func base62(n *big.Int, length int) string {
	text, base, digit := make([]byte, length), big.NewInt(62), new(big.Int)
	for i := length - 1; i >= 0; i-- {
		n, digit = new(big.Int).DivMod(n, base, digit)
		text[i] = digits[digit.Int64()]
	}
	return string(text)
}

// hash is what the store has of the text of a key.
func hash(pepper []byte, text string) []byte {
	h := hmac.New(sha256.New, pepper)
	h.Write([]byte(text))
	return h.Sum(nil)
}
