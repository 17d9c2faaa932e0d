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

// Weights of the fields a memory is found by, as multiples of a word of its content.
// Names of entities stand in the content; the graph channel follows them.
const (
	weightContent = 1
	weightSummary = 0.5
	weightSubject = 0.5
	weightTag     = 1
)

// counted is a term with its weighted frequency in one memory.
type counted struct {
	term string
	tf   float32
}

// prepared is a memory ready to be indexed: everything slow is done.
type prepared struct {
	doc     *Doc
	vector  []float32        // nil: none, or the Doc says where it is
	rounded *vectors.Encoded // nil: not rounded yet
	sum     uint64           // of the text that was analysed
	length  float32
	words   []counted
	same    bool // the text is that of the indexed version; words and length are empty
}

// groupIDs are the ordinals of what a memory belongs to; 0: to none.
type groupIDs struct{ user, session, project, subject uint32 }

// preparer turns memories into what the writer takes. It is not safe for concurrent use.
type preparer struct {
	analyser *text.Analyser
	topics   Topics
	tf       map[string]float32
}

func newPreparer(topics Topics) *preparer {
	return &preparer{analyser: text.New(), topics: topics, tf: map[string]float32{}}
}

// prepare analyses a memory. known is the sum of the indexed version, 0 if there is none.
func (p *preparer) prepare(m *graph.Memory, vector []float32, known uint64) *prepared {
	out := &prepared{doc: newDoc(m, vector != nil), vector: vector, sum: textSum(m)}
	if out.sum == known {
		out.same = true
		return out
	}
	if vector != nil {
		out.rounded = vectors.Encode(vector)
	}
	field := func(text string, weight float32) {
		if text == "" {
			return
		}
		p.analyser.EachTerm(text, func(term string) {
			if _, seen := p.tf[term]; !seen {
				term = strings.Clone(term)
			}
			p.tf[term] += weight
			out.length += weight
		})
	}
	field(m.Content, weightContent)
	field(m.Summary, weightSummary)
	field(m.Subject, weightSubject)
	for _, tag := range m.Tags {
		field(tag, weightTag)
	}
	out.words = make([]counted, 0, len(p.tf))
	for term, tf := range p.tf {
		out.words = append(out.words, counted{term, tf})
	}
	out.words = append(out.words, topicCounts(out.words, p.topics)...)
	clear(p.tf) // no word outlives its memory
	return out
}

// textSum tells two texts apart. It is never 0.
func textSum(m *graph.Memory) uint64 {
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

// index brings the postings of a slot in step with what was prepared.
func (w *writer) index(slot uint32, old *terms, p *prepared) (*terms, groupIDs) {
	t := &terms{sum: p.sum, length: p.length}
	before := w.before[:0]
	if old != nil {
		old.each(func(ordinal uint32, tf float32, _ bool) {
			before = append(before, entry{w.lists.numbered[ordinal], tf})
		})
	}
	entries := w.entries[:0]
	if p.same && old != nil {
		t.length = old.length
		entries = append(entries, before[:old.words]...)
	} else {
		for _, c := range p.words {
			entries = append(entries, entry{w.lists.intern(keyTerm, c.term), c.tf})
		}
	}
	words := len(entries)
	p.doc.topics = topicsAmong(entries)
	group := func(kind keyKind, key *string) uint32 {
		if *key == "" {
			return 0
		}
		l := w.lists.intern(kind, *key)
		*key = l.key // one copy of the string for all
		entries = append(entries, entry{l, 1})
		return l.ordinal
	}
	d := p.doc
	d.own()
	groups := groupIDs{group(keyUser, &d.User), group(keySession, &d.Session), group(keyProject, &d.Project), group(keySubject, &d.Subject)}
	for i := range d.Tags {
		group(keyTag, &d.Tags[i])
	}
	for i := range d.Entities {
		s := string(d.Entities[i])
		group(keyEntity, &s)
		d.Entities[i] = graph.ID(s)
	}
	w.common.share(d)
	if old == nil {
		w.lists.add(slot, entries)
	} else {
		w.exchange(slot, before, entries)
	}
	w.packed = pack(w.packed[:0], entries, words)
	t.words, t.packed = uint32(words), string(w.packed)
	w.before, w.entries = emptied(before), emptied(entries)
	return t, groups
}

// emptied is a slice for the next one that holds on to nothing.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// exchange adds a slot to the lists that are new to it and notes those it leaves.
func (w *writer) exchange(slot uint32, old, fresh []entry) {
	before := make(map[*list]float32, len(old))
	for _, e := range old {
		before[e.list] = e.tf
	}
	var added []entry
	for _, e := range fresh {
		if left := w.gone[e.list]; left != nil { // it came back before that was published
			if left = slices.DeleteFunc(left, func(s uint32) bool { return s == slot }); len(left) > 0 {
				w.gone[e.list] = left
			} else {
				delete(w.gone, e.list)
			}
		}
		if tf, had := before[e.list]; !had || tf != e.tf {
			added = append(added, e)
		}
		delete(before, e.list)
	}
	w.lists.add(slot, added)
	for l := range before {
		w.gone[l] = append(w.gone[l], slot)
	}
}
