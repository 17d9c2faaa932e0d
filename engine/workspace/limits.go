package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/somnograph/somnograph/graph"
)

// maxReason is the largest reason of a decision by hand, in bytes.
const MaxReason = 2048

// Because adds to why a memory stands as it does, as far as there is room.
func Because(m *graph.Memory, why string) {
	switch {
	case why == "":
		return
	case m.Reason != "":
		why = m.Reason + "; " + why
	}
	m.Reason = Truncate(why, MaxReason)
}

const (
	MaxKey = 256 // bytes of an idempotency key
)

// Digest identifies what was asked under an idempotency key.
func Digest(v any) string {
	var b bytes.Buffer
	// Every input is plain data: it always encodes.
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		panic("engine: input does not encode: " + err.Error())
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// PageSize checks how many items a list may answer.
func PageSize(field string, n, otherwise int) (int, error) {
	switch {
	case n == 0:
		return otherwise, nil
	case n < 0 || n > graph.MaxPage:
		return 0, graph.FieldError(graph.CodeInvalidRequest, field, "must be 1 to %d", graph.MaxPage)
	}
	return n, nil
}

// MaxMany is how many memories one RememberMany takes.
const MaxMany = 1000

// Truncate shortens text to n bytes at the border of a rune.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// maxBatch is how many memories one transaction carries.
const MaxBatch = 128
