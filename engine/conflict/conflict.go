package conflict

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Statement is one text and what is known of it. Subject, Predicate and Object may
// be empty; Subject is then who says "I", if a name is given. At is when it was said
// (zero: unknown); it dates "today" and "tomorrow". Cosine is the likeness of the
// two texts as vectors, on either side, 0 where it is not known; a judge may want
// it, the rules decide by words alone.
type Statement struct {
	Text, Subject, Predicate, Object string
	At                               time.Time
	Cosine                           float64
}

// Kinds of contradiction.
const (
	KindNegation = "negation" // one affirms what the other denies
	KindAntonym  = "antonym"  // opposite words in the same place
	KindNumber   = "number"   // another number, amount or version
	KindTime     = "time"     // another time of day
	KindDate     = "date"     // another day, month or year
	KindObject   = "object"   // another object of a functional predicate: place, name, role
	KindChange   = "change"   // one says that what the other says has ended
)

// Result is how far two statements contradict each other. Score is in [0,1]: at
// least 0.7 on a contradiction, below 0.2 where they agree or have nothing to do with
// each other. Kind and Why are empty where there is no contradiction; Why quotes
// no text, only the words that oppose.
type Result struct {
	Score float64
	Kind  string
	Why   string
}

// Analysis is a statement as read: it can be compared any number of times, by any
// number of goroutines.
type Analysis struct {
	statement    Statement
	clauses      []clause
	claims       []claim
	main         int // of the claims, the one that says best what the text is about
	aligned      []alignedClause
	measurements []measurement
	channels     []channel
	roles        []role
	rare         *rareFacts // nil in most texts
	profile      profile
	triple       triple
	self         string // key of who says "I", empty: not known
}

// Text is the text that was read, whole.
func (a *Analysis) Text() string { return a.statement.Text }

// Score reads and compares two statements. It does not matter which comes first.
func Score(a, b Statement) Result { return Compare(Analyse(a), Analyse(b)) }

// maxStatement is the longest text, in tokens, that is read for attributes and aligned:
// a longer one tells, lists and explains, and its short lines are headings.
const maxStatement = 64

// scratch is the memory that reading a text needs and leaves behind.
type scratch struct{ tokens, copied []token }

var scratchPool = sync.Pool{New: func() any { return &scratch{tokens: make([]token, 0, 128), copied: make([]token, 0, maxAligned)} }}

// Analyse reads a statement. Of a text the first two kilobytes count.
func Analyse(s Statement) Analysis {
	d := scratchPool.Get().(*scratch)
	defer scratchPool.Put(d)
	d.tokens = tokeniseInto(d.tokens, s.Text)
	t, self := cutSpeaker(d.tokens)
	if self == "" {
		self = speakerKey(s.Subject, t)
	}
	p := parser{at: s.At, self: self, scratch: d}
	a := Analysis{statement: s, self: self, triple: tripleOf(s)}
	if len(t) <= maxStatement {
		a.claims = p.claims(t)
		a.aligned, a.profile = a.readSentences(t, d)
	}
	p.isNote = len(t) <= maxNote
	a.clauses = p.parse(t) // last: it marks the tokens of values
	if p.isNote {
		p.denyWithout(t)
		p.belongings(t)
	}
	a.rare = p.rare
	a.detach()
	return a
}

// detach copies what still lies on the desk.
func (a *Analysis) detach() {
	a.main = mainClaim(a.claims)
	for i := range a.claims {
		if i == a.main {
			a.claims[i].subject = slices.Clone(a.claims[i].subject)
		} else {
			a.claims[i].subject = nil // only that of the main one is asked for
		}
	}
	for i := range a.clauses {
		a.clauses[i].relative = nil // it was read
	}
}

// cutSpeaker takes "Ann:" off the beginning of a turn that goes on in the first person.
func cutSpeaker(t []token) ([]token, string) {
	for n := 1; n <= 2 && n < len(t); n++ {
		if !t[n].punctuation || t[n].low != ":" {
			continue
		}
		rest := t[n+1:]
		if len(rest) == 0 || !hasVerb(rest) {
			return t, ""
		}
		for i := range n {
			if r := t[i].raw[0]; r < 'A' || r > 'Z' || noteWords[t[i].low] {
				if noteWords[t[0].low] {
					rest[0].first = true
					return rest, ""
				}
				return t, ""
			}
		}
		for i := range rest {
			if rest[i].low == "i" || pronoun(rest[i].low) == "@i" || rest[i].low == "we" {
				rest[0].first, rest[0].upper = true, false
				classify(&rest[0])
				return rest, t[0].lem
			}
		}
		return t, ""
	}
	return t, ""
}

var noteWords = english.WordSet("note reminder update correction fact todo user memo important fyi info")

// namesKey is the key of a subject that says "I", where it is a name that the text
// itself does not name.
func speakerKey(subject string, t []token) string {
	f := strings.Fields(subject)
	if len(f) == 0 || len(f) > 3 {
		return ""
	}
	last := lemma(strings.ToLower(f[0]))
	if pronoun(strings.ToLower(f[0])) != "" || strings.EqualFold(f[len(f)-1], "user") || strings.Contains(subject, "'") || determiners[strings.ToLower(f[0])] {
		return ""
	}
	for _, x := range t {
		if x.lem == last {
			return ""
		}
	}
	return last
}

// Compare scores how far two statements contradict each other. It is symmetric.
func Compare(a, b Analysis) Result {
	best := compareTriples(&a, &b)
	for i := range a.clauses {
		for j := range b.clauses {
			if best.Score >= 0.95 {
				return best
			}
			if r := compareClauses(&a.clauses[i], &b.clauses[j], &a, &b); r.Score > best.Score {
				best = r
			}
		}
	}
	if best.Score > 0 {
		return best
	}
	r, agree := compareClaims(&a, &b)
	if r.Score > 0 || agree {
		return r
	}
	if r := compareAligned(&a, &b); r.Score > 0 {
		return r
	}
	// Called by name: through a variable both statements would be copied to the heap.
	if r := compareMeasurements(&a, &b); r.Score > 0 {
		return r
	}
	if r := compareChannels(&a, &b); r.Score > 0 {
		return r
	}
	if r := compareRoles(&a, &b); r.Score > 0 {
		return r
	}
	return compareRareFacts(&a, &b)
}

// Agree reports whether two statements say the same in other words: they give one
// attribute of one thing the same value, or their clauses come to one. It is symmetric,
// and false where they contradict each other.
func Agree(a, b Analysis) bool {
	_, agree := compareClaims(&a, &b)
	return (agree || sameClause(&a, &b)) && Compare(a, b).Score == 0
}

// sameClause reports two texts of one clause each, which are the same when read: "has a nut
// allergy" and "is allergic to nuts".
func sameClause(a, b *Analysis) bool {
	if len(a.aligned) != 1 || len(b.aligned) != 1 || len(a.clauses) == 0 || len(b.clauses) == 0 {
		return false
	}
	x, y := &a.clauses[0], &b.clauses[0]
	return x.verb == y.verb && x.negated == y.negated && x.tense == y.tense && x.modality == y.modality && x.hedged == y.hedged && x.condition == y.condition && x.frequency == y.frequency &&
		len(x.items) > 1 && sameSubject(x, y) == same && slices.Equal(x.qualifiers, y.qualifiers) &&
		slices.EqualFunc(x.items, y.items, func(v, w item) bool { return v.lem == w.lem && v.prep == w.prep }) &&
		slices.EqualFunc(x.values, y.values, func(v, w value) bool { return v.kind == w.kind && v.unit == w.unit && v.same(w) })
}
