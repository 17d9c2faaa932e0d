package conflict

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Statement is a text and what is known of it. Subject, Predicate and Object may be empty. If only
// Subject is given it names the person whom "I" means. At is the instant at which it was said
// (zero: unknown); "today" and "tomorrow" are relative to it. Cosine is the similarity of the two
// texts as vectors, on either side, or 0 if unknown; the rules do not use it, a judge may.
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
	KindObject   = "object"   // another object of a predicate that has one at a time: place, name, role
	KindChange   = "change"   // one says that what the other says has ended
)

// Result is how far two statements contradict each other. Score is in [0,1]: at least 0.7 for a
// contradiction, below 0.2 if they agree or are unrelated. Kind is empty if there is no
// contradiction.
type Result struct {
	Score float64
	Kind  string
}

// Analysis is a statement that was read. It can be compared any number of times and by several
// goroutines at once.
type Analysis struct {
	statement    Statement
	clauses      []clause
	claims       []claim
	main         int // index of the claim that says best what the text is about
	aligned      []alignedClause
	measurements []measurement
	channels     []channel
	roles        []role
	rare         *rareFacts // nil in most texts
	profile      profile
	triple       triple
	self         string // key of the speaker; empty if unknown
}

// Text returns the whole text.
func (a *Analysis) Text() string { return a.statement.Text }

// maxStatement is the maximum length, in tokens, of a text that is read for attributes and
// aligned. Longer texts tell a story, and their short lines are headings.
const maxStatement = 64

// scratch is memory that Analyse reuses.
type scratch struct{ tokens, copied []token }

var scratchPool = sync.Pool{New: func() any { return &scratch{tokens: make([]token, 0, 128), copied: make([]token, 0, maxAligned)} }}

// Analyse reads the first two kilobytes of a statement.
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
	a.clauses = p.parse(t) // last, because it marks the tokens of values
	if p.isNote {
		p.denyWithout(t)
		p.belongings(t)
	}
	a.rare = p.rare
	a.detach()
	return a
}

// detach copies what the analysis still holds in the scratch memory.
func (a *Analysis) detach() {
	a.main = mainClaim(a.claims)
	for i := range a.claims {
		if i == a.main {
			a.claims[i].subject = slices.Clone(a.claims[i].subject)
		} else {
			a.claims[i].subject = nil // only that of the main claim is used
		}
	}
	for i := range a.clauses {
		a.clauses[i].relative = nil // already read
	}
}

// cutSpeaker removes "Ann:" from the start of a text in the first person and returns the speaker's
// key.
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

// speakerKey returns the key of the subject as the speaker, if it is a name that the text does not
// mention.
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
	if r := compareMeasurements(&a, &b); r.Score > 0 {
		return r
	}
	return cmp.Or(firstPair(a.channels, b.channels, compareChannels), firstPair(a.roles, b.roles, compareRoles), compareRareFacts(&a, &b))
}

// Agree reports whether two statements say the same in other words: they give an attribute of one
// thing the same value, or their clauses are equal when read. It is symmetric, and false if they
// contradict each other.
func Agree(a, b Analysis) bool {
	_, agree := compareClaims(&a, &b)
	return (agree && !a.profile.namesOthers(b.profile) || sameClause(&a, &b)) && Compare(a, b).Score == 0
}

// sameClause reports two texts of one clause each that are equal when read: "has a nut allergy"
// and "is allergic to nuts".
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
