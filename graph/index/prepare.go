package index

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// Weights of the indexed fields, relative to a word of the content. Names of entities are part
// of the content; the graph channel uses the entities themselves.
const (
	weightContent = 1
	weightSummary = 0.5
	weightSubject = 0.5
	weightTag     = 1
)

// termCount is a term with its weighted frequency in one memory.
type termCount struct {
	term      string
	frequency float32
}

// prepared is a memory ready to be indexed; all slow work is done.
type prepared struct {
	doc       *Doc
	vector    []float32        // nil: none, or the Doc has its reference
	encoded   *vectors.Encoded // nil: not encoded yet
	textHash  uint64           // of the analysed text
	length    float32
	terms     []termCount
	claims    []string // keys of its claims, as keys of lists
	unchanged bool     // the text equals that of the indexed version; terms and length are empty
}

// listOrdinals are the ordinals of the lists of a memory's user, session, project and subject;
// 0: none.
type listOrdinals struct{ user, session, project, subject uint32 }

// preparer prepares memories for the writer. It is not safe for concurrent use.
type preparer struct {
	analyser    *text.Analyser
	topics      Topics
	claims      ClaimKeys
	frequencies map[string]float32
}

func newPreparer(topics Topics, claims ClaimKeys) *preparer {
	return &preparer{analyser: text.New(), topics: topics, claims: claims, frequencies: map[string]float32{}}
}

// prepare analyses a memory. known is the text hash of the indexed version, 0 if there is none.
func (p *preparer) prepare(m *graph.Memory, vector []float32, known uint64) *prepared {
	out := &prepared{doc: newDoc(m, vector != nil), vector: vector, textHash: textHash(m), claims: claimKeys(p.claims, m)}
	if out.textHash == known {
		out.unchanged = true
		return out
	}
	if vector != nil {
		out.encoded = vectors.Encode(vector)
	}
	field := func(text string, weight float32) {
		if text == "" {
			return
		}
		p.analyser.EachTerm(text, func(term string) {
			if _, seen := p.frequencies[term]; !seen {
				term = strings.Clone(term)
			}
			p.frequencies[term] += weight
			out.length += weight
		})
	}
	field(m.Content, weightContent)
	field(m.Summary, weightSummary)
	field(m.Subject, weightSubject)
	for _, tag := range m.Tags {
		field(tag, weightTag)
	}
	out.terms = make([]termCount, 0, len(p.frequencies))
	for term, tf := range p.frequencies {
		out.terms = append(out.terms, termCount{term, tf})
	}
	out.terms = append(out.terms, topicCounts(out.terms, p.topics)...)
	clear(p.frequencies) // no word may outlive its memory
	return out
}

// textHash returns a hash of the analysed text. It is never 0.
func textHash(m *graph.Memory) uint64 {
	h := xxhash.New()
	var size [8]byte
	write := func(s string) {
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		_, _ = h.Write(size[:]) // a hash never fails
		_, _ = h.WriteString(s)
	}
	write(m.Content)
	write(m.Summary)
	write(m.Subject)
	for _, t := range m.Tags {
		write(t)
	}
	return h.Sum64() | 1
}

// indexTerms updates the postings of a slot.
func (w *writer) indexTerms(slot uint32, old *memoryTerms, p *prepared) (*memoryTerms, listOrdinals) {
	t := &memoryTerms{textHash: p.textHash, length: p.length}
	before := w.oldEntries[:0]
	if old != nil {
		old.each(func(ordinal uint32, tf float32, _ bool) {
			before = append(before, entry{w.postings.byOrdinal[ordinal], tf})
		})
	}
	entries := w.newEntries[:0]
	if p.unchanged && old != nil {
		t.length = old.length
		entries = append(entries, before[:old.termCount]...)
	} else {
		for _, c := range p.terms {
			entries = append(entries, entry{w.postings.intern(keyTerm, c.term), c.frequency})
		}
	}
	words := len(entries)
	for _, e := range entries {
		p.doc.topics.add(e.list.topics)
	}
	group := func(kind keyKind, key *string) uint32 {
		if *key == "" {
			return 0
		}
		l := w.postings.intern(kind, *key)
		*key = l.key // all memories share one copy of the string
		entries = append(entries, entry{l, 1})
		return l.ordinal
	}
	d := p.doc
	d.cloneOwnership()
	groups := listOrdinals{group(keyUser, &d.User), group(keySession, &d.Session), group(keyProject, &d.Project), group(keySubject, &d.Subject)}
	for i := range d.Tags {
		group(keyTag, &d.Tags[i])
	}
	for i := range d.Entities {
		s := string(d.Entities[i])
		group(keyEntity, &s)
		d.Entities[i] = graph.ID(s)
	}
	for i := range p.claims {
		group(keyClaim, &p.claims[i])
	}
	w.interned.intern(d)
	if old == nil {
		w.postings.add(slot, entries)
	} else {
		w.replaceEntries(slot, before, entries)
	}
	w.packBuf = packEntries(w.packBuf[:0], entries, words)
	t.termCount, t.packed = uint32(words), string(w.packBuf)
	w.oldEntries, w.newEntries = cleared(before), cleared(entries)
	return t, groups
}

// cleared empties a slice for reuse and drops its references.
func cleared[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// replaceEntries adds a slot to its new lists and notes the lists that it leaves.
func (w *writer) replaceEntries(slot uint32, old, fresh []entry) {
	before := make(map[*postingList]float32, len(old))
	for _, e := range old {
		before[e.list] = e.frequency
	}
	var added []entry
	for _, e := range fresh {
		if left := w.removed[e.list]; left != nil { // it is in the list again before the removal was published
			if left = slices.DeleteFunc(left, func(s uint32) bool { return s == slot }); len(left) > 0 {
				w.removed[e.list] = left
			} else {
				delete(w.removed, e.list)
			}
		}
		if tf, had := before[e.list]; !had || tf != e.frequency {
			added = append(added, e)
		}
		delete(before, e.list)
	}
	w.postings.add(slot, added)
	for l := range before {
		w.removed[l] = append(w.removed[l], slot)
	}
}
