package rule

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/internal/english"
)

var (
	// returning are frames before a manner to which the reader is to go back.
	returning = slotted("go|switch|change|return|revert|get|come|be back to|in", "return|revert to", "back to", "stick to|with", "let us|is go|switch|return|change|revert back|- to", "going|switching back to")
	// answering are the words of a rule about all answers, besides the manner.
	answering = english.WordSet("answer reply response respond write speak talk chat communicate message unit measurement system language text style tone mode theme output format give show list")
	// leads are words before such a frame, tails those after the manner.
	leads = english.WordSet("please ok okay now then actually so alright right can could would you we just and but no let's from on i like want to")
	// asking are words that begin a request in the form of a question.
	asking = english.WordSet("can could would will")
	tails  = english.WordSet("again please now instead then thanks though from on")
)

// back reads a manner to which the reader is to go back: "go back to English", "English again please", "answer in English again". It ends a rule that asks for
// another manner of one kind of all answers.
func (s *Sentence) back() (l Lift, ok bool) {
	w := s.Words
	if len(w) < 2 || len(w) > 12 || s.Foreign(0) || w[0].Quoted {
		return l, false
	}
	for len(w) > 1 && leads[w[0].Low] && after(w, returning) == 0 {
		wants := w[1].Low == "want" || w[1].Low == "would" || w[1].Low == "like"
		if w[0].Low == "i" && !wants || w[0].Low == "no" && w[1].Sign != ',' {
			return l, false // "I go back to English", "no English again"
		}
		w = w[1:]
	}
	if s.Question && !asking[s.Words[0].Low] {
		return l, false
	}
	again := slices.ContainsFunc(w, func(x Word) bool { return x.Low == "again" })
	end := len(w)
	for end > 1 && tails[w[end-1].Low] {
		end--
	}
	w = w[:end]
	n := after(w, returning)
	switch {
	case n > 0 && n < len(w) && !(again && w[0].Low == "stick"):
		w = w[n:]
	case !again || len(w) == 0:
		return l, false
	case request.Mouths(w[0].Low) || w[0].Low == "use":
		at := slices.IndexFunc(w, func(x Word) bool { return x.Low == "in" || x.Low == "with" || x.Low == "use" })
		if at < 0 || at > 2 {
			return l, false
		}
		w = w[at+1:]
	}
	for len(w) > 1 && (w[0].Low == "the" || w[0].Low == "your" || w[0].Low == "using" || w[0].Low == "answering" || w[0].Low == "in" || w[0].Low == "speaking" || w[0].Low == "writing") {
		w = w[1:]
	}
	if len(w) == 0 || len(w) > 3 {
		return l, false
	}
	for i := range w {
		if x := &w[i]; x.Sign == ',' && i > 0 || x.Sign == ';' || x.Possessive || x.Low == "and" || x.Low == "or" || x.Low == "not" {
			return l, false
		}
	}
	for i := range w {
		switch x := &w[i]; {
		case answering[x.Low] || answering[english.Singular(x.Low)]:
		case len(l.Back) == 0 && len(lexicon.Others(x.Lem)) > 0:
			l.Back = x.Lem
		default:
			return Lift{}, false
		}
	}
	return l, l.Back != ""
}

// ReturnsFrom reports a rule that asks for another manner of one kind than a lift goes back to, and for nothing else.
func (l *Lift) ReturnsFrom(rule Act) bool {
	if rule.Forbids || slices.Contains(rule.Lemmas, l.Back) {
		return false
	}
	other, others := false, lexicon.Others(l.Back)
	for _, lem := range rule.Lemmas {
		switch {
		case slices.ContainsFunc(others, func(w string) bool { return lexicon.Lemma(w) == lem }):
			other = true
		case !answersLemmas[lem]:
			return false
		}
	}
	return other
}

var answersLemmas = lexicon.Lemmas(answering)

// Manner returns the lemma of the manner in which all answers are asked for, if a rule asks for nothing else; otherwise it is empty.
func (a Act) Manner() (manner string) {
	for _, lem := range a.Lemmas {
		switch {
		case answersLemmas[lem]:
		case manner != "" || a.Forbids:
			return ""
		default:
			manner = lem
		}
	}
	return manner
}
