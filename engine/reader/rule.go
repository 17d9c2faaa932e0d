package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/internal/english"
)

// Rule says whether a text tells its reader how to act.
type Rule uint8

const (
	NoRule       Rule = iota
	Request           // asks politely for something that may be wanted once: "Please send me the report"
	StandingRule      // holds from now on: "Always answer in Dutch", "Please use tabs", "Prefer short answers"
)

// RuleIn returns the strongest rule that a text states. A rule is an imperative with "always",
// "never", "don't", "prefer" or "avoid", a polite request about manners (see request.Lasting), what the reader should always or must never do, or what
// the speaker prefers. What holds for a short time, what somebody else says, fiction and
// descriptions ("She always takes the tram") are no rules. It reads the first 4096 bytes.
func RuleIn(text string) Rule {
	text = bounded(text)
	words, best := scan(text), NoRule
	for len(words) > 0 {
		n, to := sentenceEnd(text, words), len(text)
		if n < len(words) {
			to = words[n].start
		}
		s := sentence{words: words[:n], question: strings.Contains(text[words[n-1].end:to], "?")}
		if !extract.AsksToBeReminded(text[words[0].start:to]) {
			best = max(best, s.rule())
		}
		words = words[n:]
	}
	return best
}

// sentence is a sentence in which a rule is looked for.
type sentence struct {
	words    []word
	question bool
}

// foreign are the cues of sentences that state no rule of the speaker that lasts.
const foreign = cueFiction | cueReported | cueBounded | cueWish | cueDated

func (s *sentence) rule() Rule {
	if !s.label() || len(s.words) < 2 {
		return NoRule
	}
	if matchCues(s.words)&foreign != 0 || s.credited() || slices.ContainsFunc(s.words, func(w word) bool { return w.quoted }) && s.words[0].quoted {
		return NoRule
	}
	if r := s.told(); r != NoRule {
		return r
	}
	best := NoRule
	for at, head := range s.heads() {
		if head {
			best = max(best, s.command(s.words[at:]))
		}
	}
	return best
}

// credited reports somebody else who says it, named at the end: "…, my dad says".
func (s *sentence) credited() bool {
	n := len(s.words) - 1
	for i := n; i > 0 && i > n-5; i-- {
		if s.words[i].sign == ',' {
			return i < n && s.words[i].low != "i" && s.words[i].low != "we" && tables.reportLemma[s.words[n].lem]
		}
	}
	return false
}

// label drops a label and an opener: "IMPORTANT: …", "New rule for spending: …", "by the way, …".
// It returns false if the label says that somebody else speaks ("My boss said: …").
func (s *sentence) label() bool {
	for i := 1; i < len(s.words) && i < 6; i++ {
		if s.words[i].sign == ':' {
			if matchCues(s.words[:i])&cueQuoted != 0 || slices.ContainsFunc(s.words[:i], func(w word) bool { return tables.reportLemma[w.lem] }) {
				return false
			}
			s.words = s.words[i:]
			break
		}
	}
	for n := 1; n > 0 && n < len(s.words); {
		n = 0
		for _, p := range tables.phrases[s.words[0].low] {
			if p.cue == cueFiller && len(p.words) > n && matchPhrase(s.words, p.words) {
				n = len(p.words)
			}
		}
		if n < len(s.words) {
			s.words = s.words[n:]
		}
	}
	return true
}

// heads marks the words at which a command may begin: the first one, and the first after a
// comma, a semicolon, a dash or a conjunction if a condition, a vocative or another command comes
// before it.
func (s *sentence) heads() []bool {
	heads := make([]bool, len(s.words))
	heads[0] = true
	opens := false // what comes before has no subject of its own, or is a condition
	switch first := s.words[0].low; {
	case tables.preposition[first], lexicon.Conditions[first], first == "from":
		opens = true
	case s.command(s.words) != NoRule, verbForm(first) == baseForm && !s.statesAt(1):
		opens = true
	}
	for i := 1; i < len(s.words); i++ {
		w := &s.words[i]
		vocative := i <= 2 && w.sign == ',' && verbForm(s.words[i-1].low) == noVerb && !tables.finite[s.words[0].low]
		joined := w.low == "and" || w.low == "but" || w.low == "so" || w.low == "then"
		if (w.sign == ',' || w.sign == ';' || w.sign == '-') && (opens || vocative) || opens && joined {
			heads[i] = true
		}
	}
	return heads
}

// statesAt reports a finite verb among the words from at to the next comma.
func (s *sentence) statesAt(at int) bool {
	for i := at; i < len(s.words) && s.words[i].sign != ','; i++ {
		if tables.finite[s.words[i].low] && s.words[i].low != "do" {
			return true
		}
	}
	return false
}

// lastingPhrases are said of a command that holds from now on.
var lastingPhrases = [][]string{{"from", "now", "on"}, {"from", "today", "on"}, {"going", "forward"}, {"henceforth"}, {"every", "time"}, {"at", "all", "times"}, {"in", "general"}, {"by", "default"}, {"without", "exception"}}

func lasts(words []word) bool {
	for i := range words {
		if slices.ContainsFunc(lastingPhrases, func(p []string) bool { return matchPhrase(words[i:], p) }) {
			return true
		}
	}
	return false
}

// command reads the rule of a command that begins with the first word.
func (s *sentence) command(words []word) Rule {
	lasting, please := lasts(s.words), words[len(words)-1].low == "please"
	if last := words[len(words)-1].low; last == "always" {
		lasting = true
	}
	leads, no, habit := false, false, false // habit: always or never come first
	i := 0
	for ; i < len(words); i++ {
		switch w := &words[i]; {
		case i > 0 && (w.sign == ',' || w.sign == '-') && !please && !leads && !tables.filler[words[i-1].low]:
			return NoRule
		case w.low == "please" || w.low == "kindly":
			please = true
			continue
		case w.low == "always" || w.low == "never":
			leads, habit = true, true
			continue
		case w.low == "do" && i+1 < len(words) && words[i+1].low == "not":
			leads, no = true, true
			i++
			continue
		case w.low == "no" && i+1 < len(words) && words[i+1].sign == 0:
		case w.low == "and" || w.low == "but" || w.low == "so" || w.low == "then" || tables.adverb[w.low] || tables.filler[w.low] && verbForm(w.low) == noVerb:
			continue
		case w.low == "from" && lasts(words[i:]):
			i += 2
			continue
		}
		break
	}
	rest := words[min(i, len(words)):]
	switch {
	case len(rest) == 0:
		return NoRule
	case rest[0].low == "no" && (please || request.Ever(requested(rest))) && len(rest) > 1 && !s.question:
		if request.Without(requested(rest[1:])) {
			return StandingRule
		}
		return Request
	case !commands(rest, leads), leads && request.Titles(requested(rest)), rest[0].low == "forget" && words[0].low == "always":
		return NoRule
	case no && !habit && lexicon.Passing[rest[0].lem]:
		return NoRule
	case lexicon.Choices[rest[0].low] && len(rest) > 1, leads && len(rest) > 1, lasting:
		return StandingRule
	case leads && habit && len(rest) == 1:
		return NoRule // "Never mind"
	case !s.question && (please && request.Lasting(requested(rest)) || request.Plain(requested(rest))):
		return StandingRule
	case please || leads:
		return Request
	}
	return NoRule
}

// commands reports whether words begin with a verb in its base form. A verb that no table knows
// counts after "always" or "never" if an object follows.
func commands(words []word, leads bool) bool {
	w := &words[0]
	_, pronoun := english.PronounOf(w.low)
	switch f := verbForm(w.low); {
	case pronoun, tables.finite[w.low] && w.low != "have" && w.low != "do":
		return false
	case f == baseForm || tables.imperative[w.low] || w.low == "be" || request.AboutManner(w.low) || lexicon.Choices[w.low]:
		return len(words) < 2 || !subjectForm(words[1].low)
	case f != noVerb || !leads || tables.function[w.low] || tables.preposition[w.low] || w.value || w.class == classWeekday || strings.HasSuffix(w.low, "ing") || strings.HasSuffix(w.low, "ed"):
		return false
	}
	if len(words) < 2 || words[1].sign != 0 {
		return false
	}
	next := &words[1]
	return tables.determiner[next.low] || !tables.function[next.low] && !tables.preposition[next.low] && !tables.adverb[next.low]
}

// subjectForm reports a pronoun that can only be a subject: "Never have I seen …".
func subjectForm(low string) bool {
	return low == "i" || low == "we" || low == "he" || low == "she" || low == "they"
}

// told reads what the reader should do, what must always be, and what the speaker prefers:
// "You should always …", "Could you please never …?", "Deploys must always be signed off",
// "I prefer …", "I want you to always …".
func (s *sentence) told() Rule {
	w := s.words
	at := 0
	for at < len(w)-1 && (tables.filler[w[at].low] || tables.adverb[w[at].low]) && verbForm(w[at].low) == noVerb {
		at++
	}
	w = w[at:]
	has := func(lows ...string) bool {
		return slices.ContainsFunc(w, func(x word) bool { return slices.Contains(lows, x.low) })
	}
	always := has("always", "never") || lasts(w)
	if len(w) < 3 {
		return NoRule
	}
	first, second := w[0].low, w[1].low
	switch {
	case s.question:
		if second == "you" && (first == "could" || first == "would" || first == "can" || first == "will") {
			polite := has("please")
			if always && (polite || first == "could" || first == "would") || polite && request.Lasting(request.WithoutPlease(requested(w[2:]))) {
				return StandingRule
			}
		}
		return NoRule
	case first == "you" && (lexicon.Duty[second] || (second == "need" || second == "have") && w[2].low == "to") && (always || has("not")):
		return StandingRule
	case first == "i" || first == "we":
		return s.wanted(w, always)
	}
	for i := 1; i+1 < len(w); i++ {
		next := w[i+1].low
		if lexicon.Duty[w[i].low] && (next == "always" || next == "never" || i+2 < len(w) && next == "not" && w[i+2].low == "ever") && !subjectForm(w[i-1].low) && w[i-1].low != "it" {
			return StandingRule
		}
	}
	return NoRule
}

// wanted reads what the speaker wants of the reader. The first word is "I" or "we".
func (s *sentence) wanted(w []word, always bool) Rule {
	at := 1
	for at < len(w)-1 && (tables.adverb[w[at].low] && w[at].low != "never" || w[at].low == "would" || w[at].low == "'d") {
		at++
	}
	switch {
	case w[at].low == "prefer" || w[at].low == "rather" && at+1 < len(w) && w[at+1].low == "you":
		return StandingRule
	case (w[at].low == "want" || w[at].low == "like" || w[at].low == "need") && at+2 < len(w) && w[at+1].low == "you" && w[at+2].low == "to" && always:
		return StandingRule
	}
	return NoRule
}
