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

// fingerprint is the hash of a namespace, an owner and a normalised text.
type fingerprint [sha256.Size]byte

// served is the memory from which a text was served first, and when it was first and last served.
type served struct {
	memory      graph.ID
	first, last time.Time
}

func newServedTexts() *servedTexts {
	kept, err := lru.New[fingerprint, served](servedKept)
	if err != nil { // only a size below 1
		panic(err)
	}
	return &servedTexts{kept}
}

func fingerprintOf(namespace, owner, text string) fingerprint {
	return sha256.Sum256([]byte(namespace + "\x00" + owner + "\x00" + normalise(text)))
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

// Served records that a text of a memory was served.
func (x *servedTexts) Served(v *View, text string, at time.Time) {
	if normalise(text) == "" {
		return
	}
	key, entry := fingerprintOf(v.Namespace, v.User, text), served{v.ID, at, at}
	if before, known := x.kept.Get(key); known && at.Sub(before.last) <= servedFor {
		entry.memory, entry.first = before.memory, before.first
	}
	x.kept.Add(key, entry)
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

// Of returns the memory from which the text of m was served within the last day, before m was said, or an empty id. It belongs to the owner of
// m, to the user whom an agent's memory is about, or to nobody: what others are shown does not change how a statement is judged.
func (x *servedTexts) Of(m *graph.Memory, now time.Time) graph.ID {
	said := m.CreatedAt
	if said.IsZero() { // it is not stored yet
		said = now
	}
	for _, owner := range Owners(m.User) {
		found, known := x.kept.Get(fingerprintOf(m.Namespace, owner, m.Content))
		if known && now.Sub(found.last) <= servedFor && found.memory != m.ID && !found.first.After(said) {
			return found.memory
		}
	}
	return ""
}

// forget empties the set, because a short text can be guessed from its hash.
func (x *servedTexts) forget() { x.kept.Purge() }
