package extract

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

const (
	maxSentences = 12 // in which statements are looked for
	maxObject    = 12 // words
	maxSubject   = 6
	maxText      = 300 // of a subject or an object, in bytes
)

// Statements returns what a text states, at most one statement a clause, in order. Questions,
// conditions, wishes and plans of others state nothing.
func Statements(text string, h Hints) []Statement {
	return statements(text, sentences(text), h)
}

func statements(text string, all []Sentence, h Hints) []Statement {
	var out []Statement
	p := &parser{text: text, speaker: h.Speaker}
	for _, s := range all[:min(len(all), maxSentences)] {
		if !s.Question && !isHypothetical(s.Words) {
			p.lastSubject = nil
			for _, from := range clauseStarts(s.Words) {
				p.notePerson(s.Words[:from])
				st, ok := p.clause(s.Words[from:])
				if !ok && len(p.lastSubject) > 0 && len(verbs[s.Words[from].Low]) > 0 {
					// "Ana lives in Madrid and works for Orbit": the clauses share the subject.
					st, ok = p.clause(append(slices.Clone(p.lastSubject), s.Words[from:]...))
				}
				if ok && !slices.Contains(out, st) {
					out = append(out, st)
				}
			}
		}
		p.notePerson(s.Words)
	}
	return out
}

// mainStatement returns the statement that is stored with the text: the first functional one,
// otherwise the first.
func mainStatement(all []Statement) Statement {
	if at := slices.IndexFunc(all, func(s Statement) bool { return s.Functional }); at >= 0 {
		return all[at]
	}
	if len(all) > 0 {
		return all[0]
	}
	return Statement{}
}

var (
	conditional = english.WordSet("if when whenever unless suppose imagine whether should had")
	wishes      = english.WordSet("wish wishes hope hopes hoped dream dreams imagine wonder wondering wondered pretend guess maybe perhaps might could would if unless whether considering thinking")
)

// isHypothetical reports a sentence about what might be. "Maybe" and similar words count anywhere
// in the sentence.
func isHypothetical(ws []Word) bool {
	if len(ws) == 0 || conditional[ws[0].Low] {
		return true
	}
	return slices.ContainsFunc(ws, func(w Word) bool { return wishes[w.Low] })
}

var (
	conjunctions = english.WordSet("and but so because that")
	reports      = english.WordSet("said says thinks believes mentioned knows confirmed")
)

// clauseStarts returns the positions where a clause may begin.
func clauseStarts(ws []Word) []int {
	from := []int{0}
	for i := 0; i+2 < len(ws) && len(from) < 8; i++ {
		if ws[i].SignAfter == ',' || ws[i].SignAfter == ';' || ws[i].SignAfter == ':' || ws[i+1].SignBefore == '–' || ws[i+1].SignBefore == '—' || conjunctions[ws[i].Low] || reports[ws[i].Low] {
			from = append(from, i+1)
		}
	}
	return from
}

// parser reads clauses. It knows the speaker and the person mentioned last.
type parser struct {
	text, speaker  string
	person         string // the only person named so far, whom "he" and "she" mean
	severalPersons bool
	lastSubject    []Word // the subject of the previous clause of the sentence
}

// notePerson notes the persons that a sentence names.
func (p *parser) notePerson(ws []Word) {
	for _, w := range ws {
		if w.capital() && givenNames[w.Low] || w.capital() && !w.first && !commonWords[w.Low] && !places[w.Low] && !calendar[w.Low] && !isI(w.Low) {
			p.severalPersons = p.severalPersons || p.person != "" && p.person != w.Text
			p.person = w.Text
		}
	}
}

var (
	leadIns     = english.WordSet("because that well so yes yeah yep oh ok okay hey hi actually also now just btw fyi anyway basically honestly and but then currently today remember note again update correction turns out apparently as of finally")
	auxiliaries = wordLists.Set("auxiliaries")
	negations   = english.WordSet("not never don't doesn't didn't isn't aren't wasn't weren't hasn't haven't can't cannot won't")
	modals      = english.WordSet("would could might may should must want wants wanted plan plans planned hope hopes going gonna try tries trying need needs ought can")
)

// clause reads the statement of the clause that ws begins with.
func (p *parser) clause(ws []Word) (Statement, bool) {
	for len(ws) > 0 && leadIns[ws[0].Low] {
		ws = ws[1:]
	}
	if len(ws) == 0 || modals[ws[0].Low] {
		return Statement{}, false
	}
	limit := min(len(ws), maxSubject+6)
	for i := 1; i < limit; i++ {
		// No sign may separate the subject from the verb.
		if ws[i-1].SignAfter != 0 && ws[i-1].SignAfter != '"' {
			return Statement{}, false
		}
		w := ws[i]
		if modals[w.Low] && !(w.Low == "planned" && i+1 < len(ws) && timePrepositions[ws[i+1].Low]) || w.Possessive && i+1 == len(ws) {
			return Statement{}, false
		}
		if isCopula(w.Low) {
			if st, ok := p.copula(ws, i); ok {
				p.lastSubject, _, _ = splitSubject(ws[:i])
				return st, true
			}
		}
		if !isVerbAt(ws, i) {
			continue
		}
		for _, v := range verbs[w.Low] {
			if st, ok := p.verb(ws, i, v); ok {
				p.lastSubject, _, _ = splitSubject(ws[:i])
				return st, true
			}
		}
	}
	// "I'm", "we're": the first word contains the copula.
	if len(ws) > 1 {
		if base, ok := contracted[ws[0].Low]; ok {
			subject := ws[0]
			subject.Low = base
			is := subject
			is.Low, is.SignAfter = "am", 0
			split := append([]Word{subject, is}, ws[1:]...)
			split[0].SignAfter = 0
			return p.clause(split)
		}
	}
	return Statement{}, false
}

var contracted = map[string]string{"i'm": "i", "we're": "we"}

func isCopula(low string) bool {
	switch low {
	case "is", "are", "am", "was", "were", "isn't", "aren't", "wasn't", "weren't", "became", "becomes", "be":
		return true
	}
	return false
}

// polarity is how the words between subject and verb change the statement.
type polarity struct{ negated, former, future bool }

// splitSubject separates the words before a verb into the subject and its polarity. ok is false if
// other words come between them.
func splitSubject(ws []Word) (subject []Word, p polarity, ok bool) {
	end := len(ws)
	for end > 1 {
		w := ws[end-1]
		switch {
		case negations[w.Low]:
			p.negated = true
		case w.Low == "longer" && end > 2 && ws[end-2].Low == "no":
			p.former = true
			end--
		case w.Low == "to" && end > 2 && ws[end-2].Low == "used":
			p.former = true
			end--
		case w.Low == "will":
			p.future = true
		case auxiliaries[w.Low]:
		default:
			return ws[:end], p, true
		}
		end--
	}
	return ws[:end], p, end == 1
}
