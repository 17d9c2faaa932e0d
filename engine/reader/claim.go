package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/temporal"
)

// Hints is what is known of a text besides its words.
type Hints struct {
	Speaker string    // who "I" is; empty if unknown
	At      time.Time // when it was said; relative dates are read from it, zero: not read
}

// Claim is what a clause says.
type Claim struct {
	Subject, Predicate, Object string // as written, without articles; Predicate is a name of the table or the verb
	Qualifiers                 []Qualifier
	Negated                    bool
	Modality                   Modality
	Cardinality                Cardinality // of Predicate
	ValidFrom, ValidTo         time.Time   // half-open; zero: open
	Certainty                  float64     // of the reading, (0, 1]
	Start, End                 int         // byte offsets of the clause
}

// Qualifier limits a claim: a place, a condition, an occasion, an interval or a thing.
type Qualifier struct {
	Kind string // "place", "condition", "occasion", "interval" or "thing"
	Text string
}

// Read returns the claims of a text, one for each clause, in order. It reads the first 4096
// bytes.
func Read(text string, h Hints) []Claim {
	text = bounded(text)
	cs := clauses(text, scan(text), me(h.Speaker))
	claims := make([]Claim, 0, len(cs))
	for i := range cs {
		claims = append(claims, cs[i].claim(text, h))
	}
	return claims
}

// maxText is how much of a text is read, in bytes.
const maxText = 4096

func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}

// me is the holder that the first person stands for.
func me(speaker string) string { return "@" + strings.ToLower(speaker) }

// claim turns a clause into a claim.
func (c *clause) claim(text string, h Hints) Claim {
	out := Claim{Negated: c.negated, Modality: c.modality, Start: c.start, End: c.end, Certainty: c.certainty()}
	out.Subject = c.name(&c.subject, text, h)
	out.Predicate = c.verbLemma
	if c.verb >= 0 && !c.setting {
		out.Predicate = strings.ToLower(c.words[c.verb].text)
	}
	value := c.object.words
	if len(value) == 0 && len(c.phrases) > 0 {
		value = c.complement()
	}
	for i := range c.slots {
		s := &c.slots[i]
		if card := tables.frames[s.frame].cardinality; i == 0 && card != Many || card == One && out.Cardinality != One {
			out.Predicate, out.Cardinality = tables.frames[s.frame].name, card
			if len(s.value) > 0 {
				value = s.value
			}
			if s.inverse {
				out.Subject = c.name(&c.object, text, h)
			}
		}
	}
	if c.modality == Reported && c.verb >= 0 && tables.reportLemma[c.verbLemma] {
		value = c.words[c.verb+1:]
	}
	out.Object = textOf(value, text)
	for i := range c.phrases {
		p := &c.phrases[i]
		if !p.noun.empty() && &p.noun.words[0] != first(value) {
			out.Qualifiers = append(out.Qualifiers, Qualifier{p.kind(), textOf(p.noun.words, text)})
		}
	}
	if !h.At.IsZero() && (c.cues&(cueBounded|cueFrom|cueUsed|cueDated) != 0 || c.modality == Bounded || c.modality == Plan) {
		w := temporal.Read(text[c.start:c.end], h.At)
		out.ValidFrom, out.ValidTo = w.From, w.To
		if c.cues&cueFrom != 0 || c.modality == Plan {
			out.ValidTo = time.Time{}
		}
		if c.hasWord("until") || c.hasWord("till") {
			out.ValidFrom, out.ValidTo = time.Time{}, w.From
		}
	}
	return out
}

func first(words []word) *word {
	if len(words) == 0 {
		return nil
	}
	return &words[0]
}

// kind classifies a phrase as a qualifier.
func (p *prepositional) kind() string {
	for i := range p.noun.words {
		w := &p.noun.words[i]
		switch {
		case w.class == classClock || w.class == classDate || w.class == classWeekday || tables.relative[w.low]:
			return "interval"
		case tables.part[w.low]:
			return "occasion"
		}
	}
	switch p.prep {
	case "when", "if", "during", "while":
		return "condition"
	case "in", "at", "near", "on", "under", "behind":
		return "place"
	case "until", "till", "since":
		return "interval"
	}
	return "thing"
}

// name returns a noun phrase as written; the first person is the speaker, if known.
func (c *clause) name(n *nounPhrase, text string, h Hints) string {
	if n.empty() {
		return ""
	}
	if n.pronoun == me(h.Speaker) && h.Speaker != "" {
		return h.Speaker
	}
	return textOf(n.words, text)
}

// textOf returns the text from the first to the last word, without an article.
func textOf(words []word, text string) string {
	words = slices.Clip(words)
	for len(words) > 1 && (words[0].low == "the" || words[0].low == "a" || words[0].low == "an") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return text[words[0].start:words[len(words)-1].end]
}

// certainty rates the reading of a clause: how much of the pattern of a claim was found.
func (c *clause) certainty() float64 {
	p := 0.5
	if c.verb >= 0 {
		p += 0.2
	}
	if !c.subject.empty() || c.imperative {
		p += 0.1
	}
	if len(c.slots) > 0 {
		p += 0.15
	}
	if c.subject.pronoun == "?" {
		p -= 0.2
	}
	return p
}
