package access

import (
	"crypto/hmac"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// markSize is the size of the mark of a pepper in bytes.
const markSize = 16

// markOf tells peppers apart without giving one away. The text of no key is hashed alike.
func markOf(pepper []byte) []byte { return hash(pepper, "somnograph: mark of a pepper")[:markSize] }

// PepperCheck counts the keys that are valid at an instant by the pepper under which they were made.
type PepperCheck struct {
	Present int // under the present pepper, or the former one
	Other   int // under another pepper: they are refused
	Unknown int // made by an earlier version and not used since
}

// CheckPepper compares a pepper, and the former one if there is one, with the keys in the scope of the
// server.
func CheckPepper(r graph.Reader, pepper, former []byte, now time.Time) (c PepperCheck, err error) {
	for n, err := range graph.AllNotes(r, graph.NoteAPIKey, "", false) {
		if err != nil {
			return c, err
		}
		key, _, err := decode(n)
		if err != nil {
			return c, err
		}
		switch {
		case !key.Valid(now):
		case len(key.mark) == 0:
			c.Unknown++
		case hmac.Equal(key.mark, markOf(pepper)), len(former) > 0 && hmac.Equal(key.mark, markOf(former)):
			c.Present++
		default:
			c.Other++
		}
	}
	return c, nil
}
