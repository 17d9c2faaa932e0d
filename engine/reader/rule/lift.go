package rule

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Act is what a rule asks for or forbids, or what a later sentence says of such a rule, by the lemmas of the words that bear meaning.
type Act struct {
	Lemmas  []string
	Forbids bool // it is forbidden
}

// Lift says which earlier rules a sentence lifts or replaces.
type Lift struct {
	Act
	Named bool     // the rule is named by words of it: "forget the Dutch rule"
	Again bool     // nothing but the act is said of the rule: "we may deploy again"
	By    []string // the lemmas of what replaces the act: "use `just test` instead of `make test`"
	Chain []string // the words of what is replaced, in order
	Code  bool     // what is replaced is a name of a program or between backticks
	Back  string   // the lemma of the manner to which the reader is to go back: "go back to English"
	Bans  bool     // it is a rule itself, which forbids what an earlier one asks for: "please stop answering in Dutch"
}

var (
	// lifted are frames before what need not be done any more.
	lifted = slotted("you can|may|could stop|quit", "you do not have|need to", "there is no need to", "no need to", "you need not", "you no longer have|need to", "no longer any need to",
		"i|we no longer want|need|expect you to", "there is no longer any|a need to")
	// banning are frames before what is to be done no more.
	banning = slotted("i|we do not want|need|expect you to", "please|- stop", "please|- do not")
	// bound are the words that such a frame needs to lift a rule, unless it ends with "stop": "you do not have to answer in Dutch any more".
	bound = english.WordSet("any anymore longer")
	// allowing are frames before what is no longer forbidden.
	allowing = slotted("feel free to", "you are free|welcome|allowed|permitted to", "you|we can|may now|again|-", "you are allowed|free again to", "it is fine|ok|okay|alright to", "we are allowed|free to", "you are now allowed|free to")
	// dropping are frames before the name of a rule that is dropped.
	dropping = slotted("forget|drop|scrap|lift|remove|revoke|cancel|discard|abandon|ignore|delete about|- the|my|that|our")
	ruleWord = english.WordSet("rule policy instruction requirement restriction guideline ban convention constraint")
	dropped  = english.WordSet("gone off void lifted dropped over history cancelled canceled abolished obsolete revoked scrapped")
	// weak are words that tell nothing of an act.
	weak = english.WordSet("use again any more anymore longer now please rule no not always never do though instead so also just then from on using make making add adding stop quit need want first me you it they them your my every time each only")
)

func slotted(list ...string) (out [][][]string) {
	for _, x := range list {
		var slots [][]string
		for s := range strings.FieldsSeq(x) {
			slots = append(slots, strings.Split(s, "|"))
		}
		out = append(out, slots)
	}
	return out
}

func after(w []Word, of [][][]string) (n int) {
	for i := range of {
		n = max(n, fits(w, of[i]))
	}
	return n
}

// bearing returns the lemmas of words that bear meaning.
func bearing(w []Word) (out []string) {
	for i := range w {
		if x := &w[i]; x.Code || x.Value || !weak[x.Low] && !x.Function && !x.Preposition && !x.Determiner && !x.Filler && !english.StopWord(x.Low) {
			if (x.Code || !weak[x.Low]) && !slices.Contains(out, x.Lem) {
				out = append(out, x.Lem)
			}
		}
	}
	return out
}

// Act returns what a sentence that is a standing rule asks for or forbids.
func (s *Sentence) Act() Act {
	w := s.Words
	forbids := false
	for len(w) > 1 && (w[0].Filler && w[0].Low != "no" || w[0].Low == "please") {
		w = w[1:]
	}
	if n := opensLasting(w); n > 0 {
		w = w[n:]
	}
	if k, n := framed(w); k != 0 && n < len(w) {
		forbids = k == ban || k == nobody
		w = w[n:]
	}
	for i := 0; i < len(w) && i < 3; i++ {
		switch w[i].Low {
		case "never", "not", "no", "stop", "quit", "avoid":
			forbids = !forbids
			if w[i].Low == "avoid" {
				w = w[i+1:]
			}
		}
	}
	return Act{Lemmas: bearing(w), Forbids: forbids}
}

// Lift reads what a sentence lifts or replaces; ok is false if it does neither.
func (s *Sentence) Lift() (l Lift, ok bool) {
	if l, ok = s.back(); ok {
		return l, true
	}
	if s.Question || len(s.Words) < 3 || len(s.Words) > 24 || s.Foreign(0) || s.Words[0].Quoted {
		return l, false
	}
	w := s.Words
	for len(w) > 3 && (w[0].Filler && w[0].Low != "no" || w[0].Low == "and" || w[0].Low == "so" || w[0].Low == "actually") {
		w = w[1:]
	}
	if slices.ContainsFunc(w, func(x Word) bool {
		return x.Sign == ',' && x.Low != "please" && x.Low != "not" || x.Sign == ';' || x.Sign == '('
	}) {
		return l, false
	}
	more := slices.ContainsFunc(w, func(x Word) bool { return bound[x.Low] })
	l.Bans = after(w, banning) > 0
	if n := max(after(w, lifted), after(w, banning)); n > 0 && n < len(w) {
		if last := w[n-1].Low; more || last == "stop" || last == "quit" {
			l.Lemmas = bearing(w[n:])
			return l, len(l.Lemmas) > 1
		}
	}
	if n := after(w, dropping); n > 0 && n+1 < len(w) {
		l.Named = true
		switch end := len(w) - 1; {
		case ruleWord[w[end].Low]:
			l.Lemmas = bearing(w[n:end])
		case ruleWord[w[n].Low] && n+2 <= end && (w[n+1].Low == "about" || w[n+1].Low == "on" || w[n+1].Low == "of"):
			l.Lemmas = bearing(w[n+2:])
		}
		return l, len(l.Lemmas) > 0
	}
	if at := slices.IndexFunc(w, func(x Word) bool { return ruleWord[x.Low] }); at > 1 && at < 5 && at+1 < len(w) && (w[0].Low == "the" || w[0].Low == "my" || w[0].Low == "that") {
		l.Named = true
		rest := w[at+1:]
		if rest[0].Low == "is" && len(rest) < 4 && dropped[rest[len(rest)-1].Low] ||
			len(rest) < 6 && slices.ContainsFunc(rest, func(x Word) bool { return x.Low == "apply" || x.Low == "applies" }) && slices.ContainsFunc(rest, func(x Word) bool { return x.Low == "longer" || x.Low == "anymore" || x.Low == "more" }) {
			l.Lemmas = bearing(w[1:at])
			return l, len(l.Lemmas) > 0
		}
		return l, false
	}
	if n := after(w, allowing); n > 0 && n < len(w) && (w[n].Verb || w[n].Base) && !w[n].Finite {
		l.Forbids, l.Again = true, slices.ContainsFunc(w, func(x Word) bool { return x.Low == "again" })
		l.Lemmas = bearing(w[n:])
		return l, len(l.Lemmas) > 0 && !slices.ContainsFunc(w, func(x Word) bool {
			return x.Low == "not" || x.Low == "only" || x.Low == "if" || x.Low == "when" || x.Low == "unless"
		})
	}
	return s.replaces(w)
}

// replaces reads "use X instead of Y".
func (s *Sentence) replaces(w []Word) (l Lift, ok bool) {
	for len(w) > 3 && (w[0].Low == "please" || w[0].Low == "always") {
		w = w[1:]
	}
	if w[0].Low != "use" && w[0].Low != "run" {
		return l, false
	}
	at := slices.IndexFunc(w, func(x Word) bool { return x.Low == "instead" || x.Low == "rather" || x.Low == "not" && x.Sign == ',' })
	if at < 2 || at+1 >= len(w) {
		return l, false
	}
	to := at + 1
	if w[to].Low == "of" || w[to].Low == "than" {
		to++
	}
	if to >= len(w) || len(w)-to > 3 || definite(w[1:at]) || definite(w[to:]) || w[to].Determiner {
		return l, false
	}
	l.By = bearing(w[1:at])
	for _, x := range w[to:] {
		l.Chain = append(l.Chain, x.Low)
		l.Code = l.Code || x.Code
	}
	return l, len(l.By) > 0
}

// Only reports that a sentence lifts rules, and puts nothing in their place.
func (l *Lift) Only() bool { return l.Chain == nil && l.Back == "" && !l.Bans }

// Ends reports whether a lift ends or replaces a rule, of which the words are given.
func (l *Lift) Ends(rule Act, words []Word) bool {
	all := func(of, in []string) bool {
		return !slices.ContainsFunc(of, func(x string) bool { return !slices.Contains(in, x) })
	}
	switch {
	case l.Back != "":
		return l.ReturnsFrom(rule)
	case l.Chain != nil:
		return !rule.Forbids && !all(l.By, rule.Lemmas) && l.replaced(words)
	case l.Named:
		return all(l.Lemmas, rule.Lemmas) && len(rule.Lemmas) <= len(l.Lemmas)+1 // "the Dutch rule" is not "never answer my boss in Dutch"
	case l.Forbids != rule.Forbids, len(rule.Lemmas) == 0, !all(l.Lemmas, rule.Lemmas):
		return false
	}
	return !l.Forbids || all(rule.Lemmas, l.Lemmas)
}

// replaced reports the means that is replaced among the words of a rule: the same program or command, or the object of "use".
func (l *Lift) replaced(words []Word) bool {
	for i := range words {
		if i == 0 || i+len(l.Chain) > len(words) {
			continue
		}
		same := true
		for k, x := range l.Chain {
			same = same && words[i+k].Low == x
		}
		if before := words[i-1].Low; same && (before == "use" || before == "with" && (l.Code || len(l.Chain) > 1) || l.Code && words[i].Code && (before == "run" || before == "via" || before == "using")) {
			return true
		}
	}
	return false
}
