// Package rule tells standing rules ("Always answer in Dutch") from requests and descriptions.
package rule

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/internal/english"
)

// Rule says whether a text tells its reader how to act.
type Rule uint8

const (
	None     Rule = iota
	Request       // asks politely for something that may be wanted once: "Please send me the report"
	Standing      // holds from now on: "Always answer in Dutch", "Please use tabs", "Prefer short answers"
)

// Word is a word of a sentence in which a rule is looked for.
type Word struct {
	request.Word
	Quoted             bool
	Code               bool // it is a name of a program, or between backticks
	Verb, Base         bool // it has a form of a verb, and that is the base form
	Finite, Imperative bool
	Adverb, Function   bool
	Filler, Reports    bool
	Opener             int // number of the words of the longest opener that begins with it: "by the way"
}

// Sentence is a sentence in which a rule is looked for.
type Sentence struct {
	Words    []Word
	Question bool
	Foreign  func(from int) bool // the words from an index on are fiction, a report, a wish, or hold for a short time or on a day
	Quotes   func(to int) bool   // the words before an index say that others follow that somebody else says
	from     int                 // index of the first word that is left
}

// Rule returns the strongest rule that a sentence states.
func (s *Sentence) Rule() Rule {
	if !s.label() || len(s.Words) < 2 {
		return None
	}
	if !s.credited() && !s.Words[0].Quoted && s.asked() == Standing {
		return Standing
	}
	if s.Foreign(s.from) || s.credited() || slices.ContainsFunc(s.Words, func(w Word) bool { return w.Quoted }) && s.Words[0].Quoted {
		return None
	}
	if r := s.told(); r != None {
		return r
	}
	best := None
	for at, head := range s.heads() {
		if head {
			best = max(best, s.command(s.Words[at:]))
		}
	}
	return best
}

// credited reports somebody else who says it, named at the end: "…, my dad says".
func (s *Sentence) credited() bool {
	n := len(s.Words) - 1
	for i := n; i > 0 && i > n-5; i-- {
		if s.Words[i].Sign == ',' {
			return i < n && s.Words[i].Low != "i" && s.Words[i].Low != "we" && s.Words[n].Reports
		}
	}
	return false
}

// label drops a label and an opener: "IMPORTANT: …", "New rule for spending: …", "by the way, …".
// It returns false if the label says that somebody else speaks ("My boss said: …").
func (s *Sentence) label() bool {
	for i := 1; i < len(s.Words) && i < 6; i++ {
		if s.Words[i].Sign == ':' {
			if s.Quotes(i) || slices.ContainsFunc(s.Words[:i], func(w Word) bool { return w.Reports }) {
				return false
			}
			s.Words, s.from = s.Words[i:], i
			break
		}
	}
	for n := s.Words[0].Opener; n > 0 && n < len(s.Words); n = s.Words[0].Opener {
		s.Words, s.from = s.Words[n:], s.from+n
	}
	return true
}

// heads marks the words at which a command may begin: the first one, and the first after a
// comma, a semicolon, a dash or a conjunction if a condition, a vocative or another command comes
// before it.
func (s *Sentence) heads() []bool {
	heads := make([]bool, len(s.Words))
	heads[0] = true
	opens := false // what comes before has no subject of its own, or is a condition
	switch first := &s.Words[0]; {
	case first.Preposition, lexicon.Conditions[first.Low], first.Low == "from":
		opens = true
	case s.command(s.Words) != None, first.Base && !s.statesAt(1):
		opens = true
	}
	for i := 1; i < len(s.Words); i++ {
		w := &s.Words[i]
		vocative := i <= 2 && w.Sign == ',' && !s.Words[i-1].Verb && !s.Words[0].Finite
		joined := w.Low == "and" || w.Low == "but" || w.Low == "so" || w.Low == "then"
		if (w.Sign == ',' || w.Sign == ';' || w.Sign == '-') && (opens || vocative) || opens && joined {
			heads[i] = true
		}
	}
	return heads
}

// statesAt reports a finite verb among the words from at to the next comma.
func (s *Sentence) statesAt(at int) bool {
	for i := at; i < len(s.Words) && s.Words[i].Sign != ','; i++ {
		if s.Words[i].Finite && s.Words[i].Low != "do" {
			return true
		}
	}
	return false
}

// lastingPhrases are said of a command that holds from now on.
var lastingPhrases = [][]string{{"from", "now", "on"}, {"from", "today", "on"}, {"going", "forward"}, {"henceforth"}, {"every", "time"}, {"at", "all", "times"}, {"in", "general"}, {"by", "default"}, {"without", "exception"}}

func lasts(words []Word) bool {
	for i := range words {
		if slices.ContainsFunc(lastingPhrases, func(p []string) bool { return begin(words[i:], p) }) {
			return true
		}
	}
	return false
}

// command reads the rule of a command that begins with the first word.
func (s *Sentence) command(words []Word) Rule {
	lasting, please := lasts(s.Words), words[len(words)-1].Low == "please"
	if last := words[len(words)-1].Low; last == "always" {
		lasting = true
	}
	leads, no, habit := false, false, false // habit: always or never come first
	i := 0
	for ; i < len(words); i++ {
		switch w := &words[i]; {
		case i > 0 && (w.Sign == ',' || w.Sign == '-') && !please && !leads && !words[i-1].Filler:
			return None
		case w.Low == "please" || w.Low == "kindly":
			please = true
			continue
		case w.Low == "always" || w.Low == "never":
			leads, habit = true, true
			continue
		case w.Low == "do" && i+1 < len(words) && words[i+1].Low == "not":
			leads, no = true, true
			i++
			continue
		case w.Low == "no" && i+1 < len(words) && words[i+1].Sign == 0:
		case w.Low == "and" || w.Low == "but" || w.Low == "so" || w.Low == "then" || w.Adverb || w.Filler && !w.Verb:
			continue
		case w.Low == "from" && lasts(words[i:]):
			i += 2
			continue
		}
		break
	}
	rest := words[min(i, len(words)):]
	switch {
	case len(rest) == 0:
		return None
	case rest[0].Low == "no" && (please || request.Ever(requested(rest))) && len(rest) > 1 && !s.Question:
		if request.Without(requested(rest[1:])) {
			return Standing
		}
		return Request
	case !commands(rest, leads), leads && request.Titles(requested(rest)), rest[0].Low == "forget" && words[0].Low == "always":
		return None
	case no && !habit && lexicon.Passing[rest[0].Lem], (no || habit) && cheers(rest):
		return None
	case lexicon.Choices[rest[0].Low] && len(rest) > 1, leads && len(rest) > 1, lasting:
		return Standing
	case leads && habit && len(rest) == 1:
		return None // "Never mind"
	case !s.Question && (please && request.Lasting(requested(rest)) || request.Plain(requested(rest))):
		return Standing
	case please || leads:
		return Request
	}
	return None
}

// commands reports whether words begin with a verb in its base form. A verb that no table knows
// counts after "always" or "never" if an object follows.
func commands(words []Word, leads bool) bool {
	w := &words[0]
	_, pronoun := english.PronounOf(w.Low)
	switch {
	case pronoun, w.Finite && w.Low != "have" && w.Low != "do":
		return false
	case w.Base || w.Imperative || w.Low == "be" || request.AboutManner(w.Low) || lexicon.Choices[w.Low]:
		return len(words) < 2 || !subjectForm(words[1].Low)
	case w.Verb || !leads || w.Function || w.Preposition || w.Value || w.Weekday || strings.HasSuffix(w.Low, "ing") || strings.HasSuffix(w.Low, "ed"):
		return false
	}
	if len(words) < 2 || words[1].Sign != 0 {
		return false
	}
	next := &words[1]
	return next.Determiner || !next.Function && !next.Preposition && !next.Adverb
}

// subjectForm reports a pronoun that can only be a subject: "Never have I seen …".
func subjectForm(low string) bool {
	return low == "i" || low == "we" || low == "he" || low == "she" || low == "they"
}

// told reads what the reader should do, what must always be, and what the speaker prefers:
// "You should always …", "Could you please never …?", "Deploys must always be signed off",
// "I prefer …", "I want you to always …".
func (s *Sentence) told() Rule {
	w := s.Words
	at := 0
	for at < len(w)-1 && (w[at].Filler || w[at].Adverb) && !w[at].Verb {
		at++
	}
	w = w[at:]
	has := func(lows ...string) bool {
		return slices.ContainsFunc(w, func(x Word) bool { return slices.Contains(lows, x.Low) })
	}
	always := has("always", "never") || lasts(w)
	if len(w) < 3 {
		return None
	}
	first, second := w[0].Low, w[1].Low
	switch {
	case s.Question:
		if second == "you" && (first == "could" || first == "would" || first == "can" || first == "will") {
			polite := has("please")
			if always && (polite || first == "could" || first == "would") || polite && request.Lasting(request.WithoutPlease(requested(w[2:]))) {
				return Standing
			}
		}
		return None
	case first == "you" && (lexicon.Duty[second] || (second == "need" || second == "have") && w[2].Low == "to") && (always || slices.ContainsFunc(w[2:min(5, len(w))], func(x Word) bool { return x.Low == "not" })):
		if blames(w[2:]) || !always && once(w[2:]) {
			return None
		}
		return Standing
	case first == "i" || first == "we":
		return s.wanted(w, always)
	}
	for i := 1; i+1 < len(w); i++ {
		next := w[i+1].Low
		if lexicon.Duty[w[i].Low] && (next == "always" || next == "never" || i+2 < len(w) && next == "not" && w[i+2].Low == "ever") && !subjectForm(w[i-1].Low) && w[i-1].Low != "it" && !blames(w[i+1:]) {
			return Standing
		}
	}
	return None
}

// wanted reads what the speaker wants of the reader. The first word is "I" or "we".
func (s *Sentence) wanted(w []Word, always bool) Rule {
	at := 1
	for at < len(w)-1 && (w[at].Adverb && w[at].Low != "never" || w[at].Low == "would" || w[at].Low == "'d") {
		at++
	}
	switch {
	case w[at].Low == "prefer" && !(at+2 < len(w) && w[at+1].Low == "you" && w[at+2].Low == "to" && !always):
		return Standing
	case w[at].Low == "rather" && at+2 < len(w) && w[at+1].Low == "you":
		if always || request.AboutManner(request.Based(requested(w[at+2:]))[0].Low) {
			return Standing
		}
	case (w[at].Low == "want" || w[at].Low == "like" || w[at].Low == "need") && at+2 < len(w) && w[at+1].Low == "you" && w[at+2].Low == "to" && always:
		return Standing
	}
	return None
}

// begin reports that words begin with a phrase.
func begin(words []Word, phrase []string) bool {
	if len(phrase) > len(words) {
		return false
	}
	for i := range phrase {
		if words[i].Low != phrase[i] {
			return false
		}
	}
	return true
}

// requested returns the words of a request.
func requested(words []Word) []request.Word {
	out := make([]request.Word, len(words))
	for i := range words {
		out[i] = words[i].Word
	}
	return out
}
