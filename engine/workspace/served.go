package workspace

import (
	"crypto/sha256"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// What came out of recall and is written back says nothing new: it is recognised and
// reinforces nothing. SPEC sections 5 and 11. An agent that repeats what it was told would
// else talk itself into certainty.

const (
	echoesKept = 10_000         // texts that were served last, a tenant
	echoFor    = 24 * time.Hour // how long a text is looked out for
)

// servedTexts remembers what recall served lately, as hashes, in memory only: an erasure empties
// it.
type servedTexts struct {
	kept *lru.Cache[fingerprint, served]
}

// fingerprint is the hash of a namespace and of a text as it is compared.
type fingerprint [sha256.Size]byte

type served struct {
	memory graph.ID
	at     time.Time
}

func newEchoes() *servedTexts {
	kept, err := lru.New[fingerprint, served](echoesKept)
	if err != nil { // only a size below 1
		panic(err)
	}
	return &servedTexts{kept}
}

func fingerprintOf(namespace, text string) fingerprint {
	return sha256.Sum256([]byte(namespace + "\x00" + normalise(text)))
}

// normalise is a text without what a transcript adds to it: case, spaces, quotes, the mark of
// a list, the full stop. Signs and question marks stay: they say something.
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

// Context takes down the lines of a context, each for the memory whose words it has.
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

// Of is the memory that a text was served from within the last day; empty: none.
func (x *servedTexts) Of(namespace, text string, now time.Time) graph.ID {
	found, known := x.kept.Get(fingerprintOf(namespace, text))
	if !known || now.Sub(found.at) > echoFor {
		return ""
	}
	return found.memory
}

// forget drops everything: a hash of a short text betrays it.
func (x *servedTexts) forget() { x.kept.Purge() }
