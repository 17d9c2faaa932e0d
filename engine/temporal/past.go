package temporal

import (
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Past is the past that a question asks about: a time, or with two zero times what was before the present.
type Past struct {
	From, To time.Time // half-open and over at the instant of the question; From may be open
	Subject  string    // the question without the time: "Where did I work?"
	Than     string    // without a time: the words after "before", "lapsang" of "my favourite tea before lapsang"
	Beside   bool      // without a time: in the present tense or about words, "Who is my former manager?", "What did we decide before?", "Have I ever lived here?"
	First    bool      // without a time: it asks for the first, "Where did I work originally?"
}

// Timed reports whether the question names a time.
func (p Past) Timed() bool { return !p.From.IsZero() || !p.To.IsZero() }

// Overlap returns how long an interval lies within the time of the question; what ends at an instant or before it begins lies nowhere.
func (p Past) Overlap(from, to time.Time) time.Duration {
	if p.From.After(from) {
		from = p.From
	}
	if !p.To.IsZero() && (to.IsZero() || p.To.Before(to)) {
		to = p.To
	}
	return max(0, to.Sub(from))
}

var (
	happenings   = english.WordSet("happen happened happening happens occur occurred")
	pastVerbs    = english.WordSet("did was were had didn't wasn't weren't hadn't")
	presentVerbs = english.WordSet("do does is are am will shall should can could would might must has have don't doesn't isn't aren't won't hasn't haven't i'm we're they're you're i'll we'll")
	perfectVerbs = english.WordSet("has have hasn't haven't i've we've")
	asking       = english.WordSet("who what where when how which")
	beforeNouns  = english.WordSet("former formerly previous previously") // of the past in every tense
	firstWords   = english.WordSet("originally original initially initial first")
	onceWords    = english.WordSet("earlier prior once old")
	tellings     = english.WordSet("say said tell told mention mentioned decide decided agree agreed discuss discussed ask asked talk talked write wrote note noted promise promised plan planned")
	states       = english.WordSet("is are am be been being was were get gets got getting become became isn't aren't wasn't weren't i'm we're they're")
)

// PastOf reads a question about what was so at a time that has begun ("Where did I work in November?", "Who led the crew on 30 June?") or
// before the present ("Where did I work before?", "On which day did we use to meet?"). It returns false for other questions, for
// "What happened in November?", which asks for events, and for a question in the present tense with a time.
func PastOf(question string, at time.Time) (p Past, ok bool) {
	r := &reader{tokens: tokenize(question), at: at.UTC()}
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		if words[i] = strings.ReplaceAll(t.low, "’", "'"); happenings[words[i]] {
			return Past{}, false
		}
	}
	if w := Read(question, at); w.Bounded() {
		if !w.From.IsZero() && !w.From.Before(at) || w.To.IsZero() || w.From.IsZero() && w.To.After(at) || !inPastTense(r, words) {
			return Past{}, false
		}
		if w.To.After(at) {
			w.To = at
		}
		var cut []part
		for _, s := range w.Spans {
			if !s.From.IsZero() || !s.To.IsZero() {
				cut = append(cut, part{s.Start, s.End})
			}
		}
		return Past{From: w.From, To: w.To, Subject: without(question, cut)}, true
	}
	past := firstVerb(r, words) > 0
	p = Past{Subject: question, Beside: hasAny(words, tellings)}
	for i, w := range words {
		switch {
		case w == "used" && r.joined(i+1) == "to" && !isUsedTo(r, words[:i]),
			w == "use" && r.joined(i+1) == "to" && past:
			return p, true
		case w == "before" && (past || inPastTense(r, words) || hasAny(words[:i], perfectVerbs)):
			p.Than = strings.TrimSpace(strings.Trim(question[r.tokens[i].end:], " ?!.,"))
			return p, true
		case w == "ever" && hasAny(words[:i], perfectVerbs):
			p.Beside = true // "Have I ever lived in Oslo?"
			return p, true
		case beforeNouns[w]:
			p.Beside = p.Beside || !past && !inPastTense(r, words)
			return p, true
		case past && firstWords[w]:
			p.First = true
			return p, true
		case past && onceWords[w] && !(w == "old" && i > 0 && words[i-1] == "how"):
			return p, true
		}
	}
	return Past{}, false
}

// firstVerb returns 1 if the first auxiliary verb of a question is one of the past, -1 of the present or the future, 0 without one.
func firstVerb(r *reader, words []string) int {
	for i, w := range words {
		text := strings.ReplaceAll(r.tokens[i].text, "’", "'")
		switch {
		case pastVerbs[w]:
			return 1
		case presentVerbs[w], asking[w] && strings.HasSuffix(text, "'s"):
			return -1
		}
	}
	return 0
}

// words returns the tokens in lower case.
func (r *reader) words() []string {
	words := make([]string, len(r.tokens))
	for i := range words {
		words[i] = strings.ToLower(r.tokens[i].text)
	}
	return words
}

// inPastTense reports whether a question is in the past tense: by its auxiliary verb or, without one, by a verb: "Who led the crew?".
func inPastTense(r *reader, words []string) bool {
	if first := firstVerb(r, words); first != 0 {
		return first > 0
	}
	for _, w := range words {
		if english.IrregularPast(w) || len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") {
			return true
		}
	}
	return false
}

// isUsedTo reports whether "used to" after these words says what something is for, or what somebody is accustomed to.
func isUsedTo(r *reader, before []string) bool {
	return hasAny(before[max(0, len(before)-3):], states) || len(before) > 0 && strings.HasSuffix(r.tokens[0].text, "'s")
}

func hasAny(words []string, set map[string]bool) bool {
	for _, w := range words {
		if set[w] {
			return true
		}
	}
	return false
}
