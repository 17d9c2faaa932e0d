package pattern

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// failing are the stems of words for a failure.
var failing = stems(`fail failure failing crash break broke broken error timeout hang hung freeze froze frozen stall jam leak corrupt corrupted abort outage
 exception panic fault malfunction overheat overflow burst collapse disconnect die dies died stuck deadlock segfault misfire misfeed glitch lose lost trip tripped
 reject rejected burn burnt rupture seize seized derail capsize choke clog deadlocks unresponsive unavailable garbled unreadable`)

// failingPairs are failures of two words.
var failingPairs = map[string]map[string]bool{
	"time": set("out"), "times": set("out"), "timed": set("out"), "timing": set("out"), "cut": set("out"), "cuts": set("out"), "goes": set("down dark offline blank"), "went": set("down dark offline blank"), "go": set("down dark offline blank"),
	"locks": set("up"), "locked": set("up"), "lock": set("up"), "gives": set("up out"), "gave": set("up out"), "shuts": set("down"), "shut": set("down"), "runs": set("out"), "ran": set("out"),
	"stops": set("working responding"), "stopped": set("working responding"), "drops": set("out off"), "dropped": set("out off"), "blows": set("up"), "blew": set("up"), "falls": set("over"), "fell": set("over"),
}

func set(words string) map[string]bool { return english.WordSet(words) }

func stems(words string) map[string]bool {
	out := map[string]bool{}
	for w := range english.WordSet(words) {
		out[english.Stem(english.Lemma(w))] = true
	}
	return out
}

// ailing are the stems of verbs that say a failure if they have no object: "the fuse blows", not "she blows the horn".
var ailing = stems(`blow rot wilt wither flood slip squeak ache hurt itch swell peel crack split tear tore torn snap shatter spill drip drop sink sank skid spoil curdle
 rust shrink bleed faint flicker lag buffer stutter drain melt warp bend bent wobble tip topple stop stall skip halt quit choke smoke stink squeal grind leak slide loosen bulge blister mould mold`)

// ailsAt reports a verb of ailing without an object at the i-th word.
func ailsAt(words []extract.Word, i int) bool {
	if i == 0 || !ailing[english.Stem(english.Lemma(words[i].Low))] || openers[words[i-1].Low] && words[i-1].Low != "it" && words[i-1].Low != "they" {
		return false
	}
	if i+1 == len(words) || words[i].SignAfter != 0 {
		return true
	}
	next := words[i+1].Low
	_, linked := linkAt(words, i+1)
	return linked > 0 || asides[next] || prepositions[next] || next == "once" || strings.HasSuffix(next, "ly") && next != "only"
}

// failsAt returns the number of words of a failure that begins with the i-th word; 0 for none.
func failsAt(words []extract.Word, i int) int {
	low := words[i].Low
	if i+1 < len(words) && failingPairs[low][words[i+1].Low] {
		return 2
	}
	if failing[english.Stem(english.Lemma(low))] || ailsAt(words, i) {
		return 1
	}
	return 0
}

// isFailure reports a word for a failure.
func isFailure(words []extract.Word) bool {
	for i := range words {
		if failsAt(words, i) > 0 {
			return true
		}
	}
	return false
}

// causedBy are words between a failure and its cause.
var causedBy = [][]string{{"caused", "by"}, {"traced", "to"}, {"traced", "back", "to"}, {"comes", "from"}, {"came", "from"}, {"results", "from"}, {"resulted", "from"}, {"triggered", "by"}, {"blamed", "on"}, {"down", "to"}}

// leadsTo are words between a cause and its failure.
var leadsTo = [][]string{{"leads", "to"}, {"led", "to"}, {"results", "in"}, {"resulted", "in"}, {"ends", "in"}, {"ended", "in"}, {"causes"}, {"caused"}, {"triggers"}, {"triggered"}, {"makes"}, {"made"}, {"provokes"}}

// readFailure reads a failure with its condition or cause; nil for any other sentence.
func readFailure(s *sentence, _ string) *statement {
	cause, effect, linked := s.causeAndEffect()
	if !linked {
		return nil
	}
	at, n, sign := -1, 0, 1
	inEffect := map[int]bool{}
	for _, i := range effect {
		inEffect[i] = true
	}
	for _, i := range effect {
		if n = failsAt(s.words, i); n > 0 {
			at = i
			break
		}
	}
	denied, weak := false, false
	for _, i := range effect {
		w := s.words[i]
		denied = denied || w.Negates || w.Low == "no" || w.Low == "longer" && i > 0 && s.words[i-1].Low == "no"
		if english.Stem(w.Low) == "unabl" {
			denied = true
		}
	}
	switch {
	case at >= 0 && denied:
		sign = -1 // it does not fail
	case at >= 0:
	case denied && s.acts(effect):
		// "the pump would not start after …"
	case s.works(effect):
		sign = -1
	case s.befalls(effect):
		weak = true // what just happens, also once more, may be a recovery
	default:
		return nil
	}
	st := &statement{kind: graph.FailureSignature, sign: sign, may: sign < 0, weak: weak, denied: at < 0 && denied}
	st.content(s, func(i int) bool {
		return at >= 0 && i >= at && i < at+n && inEffect[i] || failsAt(s.words, i) > 0 && inEffect[i]
	})
	st.values = nil // only those of the cause count
	st.ends = endsOf(s.words, cause)
	for _, i := range cause {
		if s.words[i].Number != "" {
			st.values = append(st.values, value{s.words[i].Number, unitOf(s.words, i)})
		}
		if stem := stemOf(s.words[i]); stem != "" {
			st.when[stem] = true
		}
	}
	for _, w := range workingWords {
		delete(st.stems, english.Stem(w))
	}
	if len(st.when) == 0 || len(st.stems) == shared(st.stems, st.when) && !(s.stands(effect) && len(st.when) > 1) {
		return nil // nothing fails, or under no condition
	}
	return st
}

// befalls reports an effect on a thing, in the present or the past: "the phone line crackles". What people do or are is none.
func (s *sentence) befalls(effect []int) bool {
	if len(effect) < 2 || len(s.conds) == 0 {
		return false
	}
	if low := s.words[effect[0]].Low; !openers[low] && !(stemOf(s.words[effect[0]]) != "" && strings.HasSuffix(low, "s") && english.Lemma(low) != low) {
		return false
	}
	for k, i := range effect {
		base, _ := english.Contraction(s.words[i].Low)
		if _, pronoun := english.PronounOf(base); pronoun && base != "it" && base != "they" && base != "our" && base != "my" && base != "its" && base != "itself" || k > 0 && capital(s.words[i]) {
			return false
		}
	}
	return true
}

// stands reports an effect on what the condition names: "when hair gets into the drain, it clogs".
func (s *sentence) stands(effect []int) bool {
	return len(effect) > 0 && (s.words[effect[0]].Low == "it" || s.words[effect[0]].Low == "they")
}

// causeAndEffect divides a sentence at a condition or a word of cause into the words of the cause
// and those of the effect.
func (s *sentence) causeAndEffect() (cause, effect []int, ok bool) {
	for _, c := range s.conds {
		if c.link != "before" && c.link != "until" && c.link != "unless" {
			for i := c.from; i < c.to; i++ {
				cause = append(cause, i)
			}
		}
	}
	if len(cause) > 0 {
		return cause, s.main, len(s.main) > 1
	}
	for k := range s.main {
		i := s.main[k]
		for _, words := range causedBy {
			if k > 0 && hasWords(s.words, i, words...) {
				return s.main[min(k+len(words), len(s.main)):], s.main[:k], k+len(words) < len(s.main)
			}
		}
		for _, words := range leadsTo {
			if k > 0 && hasWords(s.words, i, words...) {
				return s.main[:k], s.main[min(k+len(words), len(s.main)):], k+len(words) < len(s.main)
			}
		}
	}
	return nil, nil, false
}

// refuses reports that something does not do what it should: "the bell doesn't ring", and not "the bell does not fail".
func (s *sentence) refuses() bool {
	for i, w := range s.words {
		if w.Negates && i+1 < len(s.words) && failsAt(s.words, i+1) > 0 {
			return false
		}
	}
	return s.acts(s.main)
}

// acts reports a verb after a negation: "did not start", "would not open", "no longer answers".
func (s *sentence) acts(effect []int) bool {
	for _, i := range effect {
		low := s.words[i].Low
		if aux := strings.TrimSuffix(low, "n't"); aux != low && (aux == "did" || aux == "does" || aux == "would" || aux == "wo" || aux == "ca" || aux == "do" || aux == "could") || low == "unable" || low == "cannot" {
			return true
		}
		if (low == "not" && i > 0 && negatable[s.words[i-1].Low]) || low == "longer" && i > 0 && s.words[i-1].Low == "no" {
			return true
		}
	}
	return false
}

var negatable = set("did does do would will can could")

// workingWords say that nothing fails.
var workingWords = strings.Fields("works worked working fine smoothly normally stable holds held okay")

// works reports that something works.
func (s *sentence) works(effect []int) bool {
	for _, i := range effect {
		for _, w := range workingWords {
			if s.words[i].Low == w {
				return true
			}
		}
	}
	return false
}
