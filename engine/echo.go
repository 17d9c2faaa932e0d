package engine

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

// echoes remembers what recall served lately, as hashes, in memory only: an erasure empties
// it.
type echoes struct{ kept *lru.Cache[fingerprint, echo] }

// fingerprint is the hash of a namespace and of a text as it is compared.
type fingerprint [sha256.Size]byte

type echo struct {
	memory graph.ID
	at     time.Time
}

func newEchoes() *echoes {
	kept, err := lru.New[fingerprint, echo](echoesKept)
	if err != nil { // only a size below 1
		panic(err)
	}
	return &echoes{kept}
}

func fingerprintOf(namespace, text string) fingerprint {
	return sha256.Sum256([]byte(namespace + "\x00" + plainly(text)))
}

// plainly is a text without what a transcript adds to it: case, spaces, quotes, the mark of
// a list, the full stop. Signs and question marks stay: they say something.
func plainly(text string) string {
	s := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, mark := range []string{"- ", "* ", "• ", "> "} {
		s = strings.TrimPrefix(s, mark)
	}
	return strings.TrimRight(strings.Trim(s, "\"'`“”‘’«» "), ".! \"'`“”‘’«»")
}

func (x *echoes) served(v *View, text string, at time.Time) {
	if plainly(text) != "" {
		x.kept.Add(fingerprintOf(v.Namespace, text), echo{v.ID, at})
	}
}

// context takes down the lines of a context, each for the memory whose words it has.
func (x *echoes) context(r *prompt.Result, shown map[graph.ID]*View, at time.Time) {
	for _, layer := range r.Layers {
		words := make([]string, len(layer.MemoryIDs))
		for i, id := range layer.MemoryIDs {
			if v := shown[graph.ID(id)]; v != nil {
				x.served(v, v.Content, at)
				words[i] = plainly(v.Content)
			}
		}
		for line := range strings.Lines(layer.Text) {
			plain := plainly(line)
			for i, w := range words {
				if w != "" && strings.Contains(plain, w) {
					x.served(shown[graph.ID(layer.MemoryIDs[i])], line, at)
					break
				}
			}
		}
	}
}

// of is the memory that a text was served from within the last day; empty: none.
func (x *echoes) of(namespace, text string, now time.Time) graph.ID {
	found, known := x.kept.Get(fingerprintOf(namespace, text))
	if !known || now.Sub(found.at) > echoFor {
		return ""
	}
	return found.memory
}

// forget drops everything: a hash of a short text betrays it.
func (x *echoes) forget() { x.kept.Purge() }

// echoed is the memory that a draft only says back, nil where it says something of its
// own. People say what they mean; what an assistant or a tool says may be an echo.
func (s *storing) echoed(d *draft) (*graph.Memory, error) {
	if k := d.memory.SourceKind; k != graph.FromAssistant && k != graph.FromTool {
		return nil, nil
	}
	id := s.t.echoes.of(d.memory.Namespace, d.memory.Content, s.now)
	if id == "" {
		return nil, nil
	}
	m, err := s.tx.Memory(id)
	if err != nil || m.Status() == graph.Forgotten || !inCircle(d.memory.User, m.User) {
		return nil, err
	}
	return m, nil
}

// recognise answers what a draft says back: nothing is stored and nothing reinforced.
func (s *storing) recognise(d *draft, m *graph.Memory) (RememberResult, error) {
	if d.in.OnDuplicate == Reject {
		return refusedDuplicate(m.ID), nil
	}
	p, err := s.policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r := RememberResult{Memory: view(m, Access{}, s.now), DuplicateOf: m.ID, Score: score(m, p)}
	return r, s.remember(d, m.ID, r)
}
