package graph

import (
	"crypto/sha256"
	"encoding/hex"
)

// PrincipalMark is the mark of a principal in what belongs to it, such as a receipt: the first 16
// bytes of SHA-256(salt ∥ NUL ∥ name), in hex. The salt makes the marks of one principal differ.
func PrincipalMark(salt, name string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + name))
	return hex.EncodeToString(sum[:16])
}
