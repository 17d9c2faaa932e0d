package workspace

import (
	"crypto/sha256"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// A write that repeats a text that recall served adds no evidence. It is recognised and does
// not strengthen the memory. Otherwise an agent that repeats a recalled text would raise its
// confidence.

const (
	servedKept = 10_000         // texts per tenant
	servedFor  = 24 * time.Hour // how long a text counts as served
)

// servedTexts holds hashes of recently served texts, in memory only. An erasure empties it. It
// is safe for concurrent use.
type servedTexts struct {
	kept *lru.Cache[fingerprint, served]
}

// fingerprint is the hash of a namespace and a normalised text.
type fingerprint [sha256.Size]byte

type served struct {
	memory graph.ID
	at     time.Time
}

func newServedTexts() *servedTexts {
	kept, err := lru.New[fingerprint, served](servedKept)
	if err != nil { // only a size below 1
		panic(err)
	}
	return &servedTexts{kept}
}

func fingerprintOf(namespace, text string) fingerprint {
	return sha256.Sum256([]byte(namespace + "\x00" + normalise(text)))
}

// normalise removes the differences that a transcript adds to a text: case, spacing, quotation
// marks, list marks, and a final full stop or exclamation mark. Other characters stay.
func normalise(text string) string {
	s := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, mark := range []string{"- ", "* ", "• ", "> "} {
		s = strings.TrimPrefix(s, mark)
	}
	return strings.TrimRight(strings.Trim(s, "\"'`“”‘’«» "), ".! \"'`“”‘’«»")
}

func (x *servedTexts) Served(v *View, text string, at time.Time) {
	if normalise(text) != "" {
		x.kept.Add(fingerprintOf(v.Namespace, text), served{v.ID, at})
	}
}

// Context records the lines of a prompt context, each for the memory that it quotes.
func (x *servedTexts) Context(r *prompt.Result, shown map[graph.ID]*View, at time.Time) {
	for _, layer := range r.Layers {
		words := make([]string, len(layer.MemoryIDs))
		for i, id := range layer.MemoryIDs {
			if v := shown[graph.ID(id)]; v != nil {
				x.Served(v, v.Content, at)
				words[i] = normalise(v.Content)
			}
		}
		for line := range strings.Lines(layer.Text) {
			plain := normalise(line)
			for i, w := range words {
				if w != "" && strings.Contains(plain, w) {
					x.Served(shown[graph.ID(layer.MemoryIDs[i])], line, at)
					break
				}
			}
		}
	}
}

// Of returns the memory that a text was served from within the last day, or an empty id.
func (x *servedTexts) Of(namespace, text string, now time.Time) graph.ID {
	found, known := x.kept.Get(fingerprintOf(namespace, text))
	if !known || now.Sub(found.at) > servedFor {
		return ""
	}
	return found.memory
}

// forget empties the set, because a short text can be guessed from its hash.
func (x *servedTexts) forget() { x.kept.Purge() }
