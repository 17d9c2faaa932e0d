package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// trailerStart begins the last line of the file of a secret; docs/formats/ledger.md.
const trailerStart = "\nsum "

// trailerSize is the size of the last line in bytes, with the line break before it.
const trailerSize = len(trailerStart) + 2*sha256.Size + 1

// trailer is the last line of the file of a secret.
func trailer(name string, content []byte) []byte {
	sum := sha256.Sum256(append([]byte("somnograph secret\n"+name+"\n"), content...))
	return []byte(trailerStart + hex.EncodeToString(sum[:]) + "\n")
}

// closed is content with its trailer, as it is stored.
func closed(name string, content []byte) []byte {
	return append(bytes.Clone(content), trailer(name, content)...)
}

// opened is the content of a stored secret. whole is false if it is not the one that was written under
// the name. Files of earlier versions have no trailer, and are taken as they are.
func opened(name string, stored []byte) (content []byte, whole bool) {
	at := len(stored) - trailerSize
	if at < 0 || !likeTrailer(stored[at:]) {
		return stored, true
	}
	return stored[:at], bytes.Equal(stored[at:], trailer(name, stored[:at]))
}

// likeTrailer reports whether a text is a trailer, or was one before a part of it was damaged.
func likeTrailer(text []byte) bool {
	if bytes.HasPrefix(text, []byte(trailerStart)) {
		return true
	}
	_, err := hex.DecodeString(string(text[len(trailerStart) : len(text)-1]))
	return err == nil
}
