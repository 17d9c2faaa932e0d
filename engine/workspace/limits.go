package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/somnograph/somnograph/graph"
)

// MaxReason is the maximum length of the reason of a manual decision, in bytes.
const MaxReason = 2048

// Because appends to the reason of a memory, up to the limit.
func Because(m *graph.Memory, why string) {
	switch {
	case why == "":
		return
	case m.Reason != "":
		why = m.Reason + "; " + why
	}
	m.Reason = Truncate(why, MaxReason)
}

const MaxKey = 256 // bytes of an idempotency key

// SinceSetting is the setting with the time of the tenant's last change of model.
const SinceSetting = "embedded.since"

// ErrKeyReused means that an idempotency key was used for another input.
var ErrKeyReused = graph.FieldError(graph.CodeInvalidRequest, "idempotencyKey", "was used with a different input")

// Keyed is a request under an idempotency key. The zero value is a request without one.
type Keyed struct {
	Key    string // the stored form of the key
	Former string // that of versions in which the users of a principal shared their keys; empty: the same
	Digest string // of the input
}

// Earlier returns the record of the first call under the key; nil without a key, or if there was none.
func (k Keyed) Earlier(r graph.Reader) (*graph.Request, error) {
	if k.Key == "" {
		return nil, nil
	}
	earlier, err := r.Request(k.Key)
	known, err := graph.Found(err)
	if err != nil || known && earlier.Digest == k.Digest {
		return earlier, err
	}
	if known {
		return nil, ErrKeyReused
	}
	if k.Former == "" {
		return nil, nil
	}
	if earlier, err = r.Request(k.Former); err == nil && earlier.Digest == k.Digest {
		return earlier, nil
	}
	_, err = graph.Found(err) // another input may be that of another user
	return nil, err
}

// digest identifies the input of a request under an idempotency key.
func digest(v any) string {
	var b bytes.Buffer
	// Every input is plain data, so encoding never fails.
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		panic("engine: input does not encode: " + err.Error())
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// PageSize validates the page size of a list and applies its default.
func PageSize(field string, n, otherwise int) (int, error) {
	switch {
	case n == 0:
		return otherwise, nil
	case n < 0 || n > graph.MaxPage:
		return 0, graph.FieldError(graph.CodeInvalidRequest, field, "must be 1 to %d", graph.MaxPage)
	}
	return n, nil
}

// MaxMany is the maximum number of memories in one RememberMany.
const MaxMany = 1000

// Truncate shortens text to at most n bytes, at the boundary of a rune.
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

// MaxBatch is the maximum number of memories in one transaction.
const MaxBatch = 128

// MaxBatchBytes is the size of the texts from which a transaction takes no further memory. Long texts take longer to compare, and other
// writes of the tenant wait for the transaction.
const MaxBatchBytes = 96 << 10
