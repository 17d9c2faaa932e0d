package rule

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/internal/english"
)

var (
	// recurringActs are what an assistant does again and again. What is to be done before, after or while it does so, is a rule.
	recurringActs = english.WordSet(`commit push merge deploy release ship publish rebase refactor rewrite write edit delete remove change modify install run execute
		send spend book buy order post create add rename touch make open review code fix implement generate suggest use answer reply respond explain translate summarise summarize
		test save upload download overwrite restart migrate update upgrade email schedule debug format lint cite quote read access store share apply mention give offer propose
		draft plan reformat drop truncate reset force amend squash log mock hardcode invent guess assume skip ignore disable bypass expose leak print pin bump vendor compile build
		proceed act continue report submit`)
	// bareActs need no object to recur: "before committing".
	bareActs = english.WordSet("commit push merge deploy release ship publish rebase refactor code answer reply respond debug translate edit write post guess proceed act")
	// tellingActs are what the speaker does again and again in a conversation.
	tellingActs = english.WordSet("ask paste share send say show post mention write give report type quote submit upload request speak talk describe drop")
	approvals   = english.WordSet("approval permission consent ok okay confirmation review sign-off approve go-ahead authorisation authorization agreement")
	notOnce     = english.WordSet("this that these those it them him her his here there now today tonight tomorrow again soon already once yesterday earlier anymore")
	modals      = english.WordSet("must should shall")
	changing    = english.WordSet("edit write delete change modify commit push run suggest create read touch propose merge deploy")
	notYet      = english.WordSet("now soon already have ready done here there finished back available able fine ok okay")
)

// lastingOpeners begin what holds from now on.
var lastingOpeners = [][]string{{"from", "now", "on"}, {"from", "today", "on"}, {"from", "here", "on"}, {"going", "forward"}, {"henceforth"}, {"by", "default"}, {"in", "general"}, {"as", "a", "rule"}, {"in", "future"}, {"in", "the", "future"}}

// opensLasting returns the number of words of an opener that says that what follows holds from now on.
func opensLasting(w []Word) int {
	for _, p := range lastingOpeners {
		if begin(w, p) {
			return len(p)
		}
	}
	return 0
}

// abrupt reports what is said without a verb after an opener: "from now on, metric", "from now on, no emojis".
func abrupt(w []Word) bool {
	if len(w) == 0 || len(w) > 5 || w[0].Sign != ',' && w[0].Sign != ':' {
		return false
	}
	if w[0].Low == "no" {
		w = w[1:]
	}
	if len(w) > 0 && w[0].Low == "only" {
		w = w[1:]
	}
	return len(w) > 0 && !w[0].Function && !w[0].Determiner && !slices.ContainsFunc(w, func(x Word) bool {
		_, pronoun := english.PronounOf(x.Low)
		return pronoun || x.Finite || notOnce[x.Low] || x.Verb && !x.Base && !strings.HasSuffix(x.Low, "ing")
	})
}

// abruptly reports a form of answers without a verb before "from now on" or "please, always": "short answers from now on".
func abruptly(w []Word) bool {
	at := slices.IndexFunc(w, func(x Word) bool { return x.Low == "from" || x.Low == "going" })
	return at > 1 && at < 5 && opensLasting(w[at:]) == len(w)-at && (request.Artefact(w[at-1].Low) || w[at-1].Low == "only") && !definite(w[:at]) &&
		!slices.ContainsFunc(w[:at], func(x Word) bool { return x.Finite || x.Function || x.Determiner })
}

// once reports words that bind what is asked for to one thing or time. What follows a condition binds only the condition.
func once(w []Word) bool {
	aside := false
	for i := range w {
		low := w[i].Low
		if aside = aside || i > 0 && w[i].Sign == ','; aside && low != "today" && low != "tonight" && low != "tomorrow" && low != "now" {
			continue
		}
		if i > 0 && (low == "when" || low == "whenever" || low == "unless" || low == "if" || low == "until" || low == "before" || low == "without" || w[i].Sign == ';' || w[i].Sign == '-') {
			return false
		}
		if notOnce[low] && (low != "now" || i == 0 || w[i-1].Low != "from") && (low != "it" || i == 0 || w[i-1].Low != "keep") {
			return true
		}
		if low == "last" || low == "next" || low == "attached" || low == "following" {
			return true
		}
	}
	return false
}

var (
	// feelings are what one is not to be, to feel or to lose by way of encouragement, and inward the verbs of it.
	feelings = english.WordSet("afraid scared shy sad sorry silly hard nervous worried discouraged upset mad angry jealous embarrassed ashamed ridiculous dumb stupid alarmed surprised disappointed intimidated")
	inward   = english.WordSet("hesitate feel stress sweat doubt underestimate despair regret fear dwell fret blame")
	speaker  = english.WordSet("i me my mine we us our")
	lost     = english.WordSet("hope heart faith sleep courage")
)

// cheers reports encouragement, which is no rule whatever negates it: "don't give up", "never stop dreaming", "don't let it get you down".
func cheers(w []Word) bool {
	next, third := "", ""
	if len(w) > 1 {
		next = w[1].Low
	}
	if len(w) > 2 {
		third = w[2].Low
	}
	if slices.ContainsFunc(w[1:], func(x Word) bool { return speaker[x.Low] }) {
		return false // "don't be afraid to disagree with me" is about what is done for the speaker
	}
	switch verb := w[0].Low; {
	case inward[verb] && next != "using" && next != "adding" && next != "free":
		return true
	case verb == "lose":
		return lost[next] || next == "your" && (lost[third] || third == "nerve" || third == "temper")
	case verb == "quit", verb == "overthink":
		return next == "" || next == "it" || next == "things" || next == "now" || next == "yet"
	case verb == "give":
		return (next == "up" || next == "in") && len(w) <= 3
	case verb == "be", verb == "get":
		return feelings[next] || (next == "so" || next == "too") && feelings[third]
	case verb == "say":
		return next == "never" && len(w) == 2
	case verb == "stop":
		return next == "" || next == "believing" || next == "dreaming" || next == "trying" || next == "learning" || next == "being" && len(w) > 2 && w[2].Low == "you"
	case verb == "let":
		return next != "me" && next != "users" && slices.ContainsFunc(w[1:], func(x Word) bool { return x.Low == "you" || x.Low == "yourself" })
	case verb == "miss", verb == "hold", verb == "look":
		return (next == "a" || next == "out" || next == "back" || next == "down" || next == "the") && len(w) <= 4
	case verb == "sell", verb == "beat", verb == "compare", verb == "push", verb == "put":
		return next == "yourself" || next == "too" && third == "hard"
	}
	return false
}

// blames reports what is said of the past or of a feeling after "should" and "must": "never have sold it", "not blame yourself".
func blames(w []Word) bool {
	for len(w) > 1 && (w[0].Low == "not" || w[0].Low == "never" || w[0].Low == "to" || w[0].Low == "ever" || w[0].Low == "always") {
		w = w[1:]
	}
	return cheers(w) || len(w) > 1 && w[0].Low == "have" && w[1].Verb && !w[1].Base && !w[1].Determiner
}

// orders reports whether words begin with a command, with or without "don't" and "please".
func orders(w []Word) bool {
	for len(w) > 1 && (w[0].Low == "please" || w[0].Low == "just" || w[0].Low == "then" || w[0].Low == "also" || w[0].Low == "always" || w[0].Low == "never" || w[0].Low == "first" || w[0].Low == "only") {
		w = w[1:]
	}
	if len(w) > 2 && w[0].Low == "do" && w[1].Low == "not" {
		w = w[2:]
	}
	if len(w) == 0 || w[0].Low == "let" && len(w) > 1 && w[1].Low == "me" || cheers(w) {
		return false
	}
	if len(w) > 1 && w[1].Sign == 0 && (w[1].Finite || w[1].Verb && strings.HasSuffix(w[1].Low, "s") && w[0].Low != "keep" && !request.Artefact(w[1].Low)) {
		return false
	}
	return recurringActs[w[0].Low] && !w[0].Preposition || asksFirst(w[0].Low) || commands(w, false)
}

// conditional reports a condition that recurs: "before deleting files", "unless I ask", "only when I say so", "without my approval".
func conditional(w []Word) bool {
	for i := 1; i+1 < len(w); i++ {
		after := w[i+1:]
		switch low := w[i].Low; {
		case low == "whenever", (low == "each" || low == "every" || low == "any") && after[0].Low == "time":
			return len(after) > 0
		case low == "unless" || low == "until":
			if toldTo(after) {
				return true
			}
		case low == "without", low == "after" && (after[0].Low == "asking" || after[0].Low == "checking"):
			if approved(after) {
				return true
			}
		case low == "when" || low == "if" || low == "while" || low == "before" || low == "after":
			if toldTo(after) && (low == "when" || low == "if" || low == "after") && (w[i-1].Low == "only" || w[0].Low == "only" || i > 1) || recurs(after, low) {
				return true
			}
		}
	}
	return false
}

// toldTo reads "I say so", "I ask", "I approve it", "asked", "told otherwise".
func toldTo(w []Word) bool {
	at := 0
	if w[0].Low == "i" || w[0].Low == "we" {
		at = 1
	}
	for at < len(w) && (w[at].Adverb || w[at].Low == "have" || w[at].Low == "am" || w[at].Low == "explicitly" || w[at].Low == "specifically") {
		at++
	}
	if at == len(w) {
		return false
	}
	switch w[at].Low {
	case "say":
		return at > 0 && (at+1 == len(w) || w[at+1].Low == "so" || w[at+1].Low == "otherwise" || w[at+1].Low == "yes")
	case "said":
		return at > 0 && at+1 < len(w) && w[at+1].Low == "so"
	case "approve", "agree":
		return at > 0
	case "ask", "confirm", "request":
		return at > 0 && (at+1 == len(w) || w[at+1].Low == "you" || w[at+1].Low == "it" || w[at+1].Low == "for" || w[at+1].Low == "otherwise" || w[at+1].Low == "explicitly")
	case "tell":
		return at > 0 && at+1 < len(w) && w[at+1].Low == "you"
	case "asked", "told", "requested", "instructed", "approved":
		return at+1 == len(w) || w[at+1].Low == "to" || w[at+1].Low == "otherwise" || w[at+1].Low == "for" || w[at+1].Low == "you"
	}
	return false
}

// approved reads what must not be missing: "my approval", "asking me first", "a review".
func approved(w []Word) bool {
	switch w[0].Low {
	case "asking", "checking", "consulting", "telling", "warning", "confirming":
		return len(w) == 1 || !w[len(w)-1].Possessive
	}
	return slices.ContainsFunc(w[:min(4, len(w))], func(x Word) bool { return approvals[x.Low] })
}

// recurs reads what recurs after a conjunction: an act of the reader ("deleting files", "you spend any money"), or one of the
// speaker in a conversation ("I paste an error"), without an object that is a definite one.
func recurs(w []Word, after string) bool {
	if len(w) == 0 {
		return false
	}
	var object []Word
	verb := w[0].Low
	switch {
	case strings.HasSuffix(verb, "ing") && after != "if":
		verb, object = request.Base(verb, recurringActs), w[1:]
		if !recurringActs[verb] {
			return false
		}
	case (verb == "you" || verb == "i" || verb == "we") && len(w) > 1 && after != "while":
		at := 1
		for at < len(w)-1 && w[at].Adverb {
			at++
		}
		speaker := verb != "you"
		verb, object = w[at].Low, w[at+1:]
		if verb == "are" && len(object) > 0 && !speaker && (unsure(object) || object[0].Low == "not" && len(object) > 1 && unsure(object[1:])) {
			return true
		}
		if verb == "are" && len(object) > 0 && !speaker {
			return recurs(object, after)
		}
		if speaker && !(tellingActs[verb] && (after == "when" || after == "if" || after == "after")) || !speaker && !recurringActs[verb] {
			return false
		}
		if speaker {
			return (len(object) > 0 || verb == "ask") && !definite(object)
		}
	case verb == "any" || verb == "every" || verb == "each":
		return len(w) > 1
	case len(w) < 3 && (after == "before" || after == "after") && (bareActs[verb] || request.Base(verb, bareActs) != verb):
		return strings.HasSuffix(verb, "s") // before commits, after merges
	default:
		return false
	}
	if len(object) == 0 || object[0].Sign == ',' {
		return bareActs[verb]
	}
	return !definite(object)
}

func unsure(w []Word) bool {
	return w[0].Low == "unsure" || w[0].Low == "uncertain" || w[0].Low == "sure" || w[0].Low == "certain" || w[0].Low == "stuck" || len(w) > 1 && w[0].Low == "in" && w[1].Low == "doubt"
}

// definite reports words up to a comma that point to one thing.
func definite(w []Word) bool {
	for i := range w {
		if i > 0 && (w[i].Sign == ',' || w[i].Sign == ';') {
			return false
		}
		low := w[i].Low
		if low == "the" || low == "my" || low == "your" || low == "our" || notOnce[low] && low != "it" || w[i].Possessive || w[i].Weekday || i == 0 && low == "it" {
			return true
		}
	}
	return false
}

// each reports "each time", "every commit", or "each" after a preposition of time. wide: also after others.
func each(w []Word, wide bool) bool {
	for i := 1; i+1 < len(w); i++ {
		if w[i].Low != "each" && w[i].Low != "every" {
			continue
		}
		before, next := w[i-1].Low, w[i+1].Low
		if next == "time" || before == "before" || before == "after" || before == "with" && i > 1 || wide && (before == "for" || before == "in" || before == "to") && !slices.ContainsFunc(w[i:], func(x Word) bool { return x.Low == "of" || x.Low == "the" || x.Low == "one" }) {
			return true
		}
		if recurring := bareActs[next] || next == "day" || next == "week" || next == "month" || w[i+1].Weekday || next == "morning" || next == "evening"; recurring && before != "for" && before != "of" {
			return true
		}
	}
	return false
}

// afterCondition returns the words after the comma of a condition at the beginning that recurs, and the number of those before.
func (s *Sentence) afterCondition(w []Word) (rest []Word, n int, ok bool) {
	comma := slices.IndexFunc(w, func(x Word) bool { return x.Sign == ',' })
	if comma < 3 || comma+1 >= len(w) {
		return nil, 0, false
	}
	switch first, second := w[0].Low, w[1].Low; {
	case first == "whenever", (first == "each" || first == "every" || first == "any") && second == "time":
		ok = true
	case first == "when" || first == "if" || first == "before" || first == "after" || first == "while":
		ok = recurs(w[1:comma], first)
	case first == "unless":
		ok = toldTo(w[1:comma])
	case first == "for" && (second == "every" || second == "each" || second == "any" || second == "all"):
		ok = !definite(w[2:comma])
	}
	return w[comma:], comma, ok
}

// prescribes reports what things of the reader's work must be like, whichever they are: "Commit messages must be in English".
func prescribes(w []Word) bool {
	if w[0].Low == "all" || w[0].Low == "any" || w[0].Low == "every" {
		w = w[1:]
	}
	if len(w) < 4 || w[0].Determiner || w[0].Function {
		return false
	}
	modal := slices.IndexFunc(w, func(x Word) bool { return modals[x.Low] })
	if modal < 1 || modal > 5 || modal+2 >= len(w)+1 || modal+1 >= len(w) {
		return false
	}
	head := slices.IndexFunc(w[:modal], func(x Word) bool { return x.Preposition })
	if head < 0 {
		head = modal
	}
	if head < 1 || definite(w[:modal]) || !request.Artefact(w[head-1].Low) {
		return false
	}
	next := w[modal+1:]
	if next[0].Low == "not" || next[0].Low == "never" || next[0].Low == "always" || next[0].Low == "only" {
		next = next[1:]
	}
	return len(next) > 1 && (w[modal].Low == "must" || next[0].Low == "be" || next[0].Low == "use" || next[0].Low == "have" && len(next) > 2 && (next[1].Determiner || !next[1].Verb)) &&
		!notYet[next[1].Low] && !slices.ContainsFunc(next, func(x Word) bool { return notOnce[x.Low] || x.Weekday || x.Low == "by" })
}

// wantsAll reports in which manner the speaker wants all things of a kind: "I want invoices in Dutch", "I like my answers short".
func (s *Sentence) wantsAll(w []Word) bool {
	if len(w) < 4 || w[0].Low != "i" && w[0].Low != "we" {
		return false
	}
	at := 1
	for at < len(w) && (w[at].Low == "would" || w[at].Low == "always" || w[at].Low == "really") {
		at++
	}
	if at+2 >= len(w) || w[at].Low != "want" && w[at].Low != "like" && w[at].Low != "need" && w[at].Low != "expect" {
		return false
	}
	at++
	if w[at].Low == "all" {
		at++
	}
	return at < len(w) && request.InWay(requested(w[at:]))
}

// excepts reports another choice for one matter, beside a rule: "use imperial for cooking though".
func excepts(w []Word) bool {
	n := len(w) - 1
	if n < 3 || w[n].Low != "though" && w[n].Low != "however" && w[n].Low != "instead" || definite(w[:n]) || w[0].Low != "use" && !request.AboutManner(w[0].Low) {
		return false
	}
	return slices.ContainsFunc(w[1:n], func(x Word) bool { return x.Low == "for" || x.Low == "in" || x.Low == "when" })
}

// instead reports a choice of a means of work instead of another: "use `just test` instead of `make test`", "use pnpm, not npm".
func instead(w []Word) bool {
	if w[0].Low != "use" && w[0].Low != "run" && w[0].Low != "call" && w[0].Low != "choose" && w[0].Low != "write" || len(w) < 4 {
		return false
	}
	at := slices.IndexFunc(w, func(x Word) bool {
		return x.Low == "instead" || x.Low == "rather" || x.Low == "not" && x.Sign == ',' || x.Low == "over"
	})
	if at < 2 || at+1 >= len(w) {
		return false
	}
	to := at + 1
	if w[to].Low == "of" || w[to].Low == "than" {
		to++
	}
	if to >= len(w) || definite(w[1:at]) || definite(w[to:]) || w[1].Determiner || w[to].Determiner {
		return false
	}
	technical := func(x Word) bool { return x.Code || request.Artefact(x.Low) }
	return slices.ContainsFunc(w[1:at], technical) || slices.ContainsFunc(w[to:], technical)
}
