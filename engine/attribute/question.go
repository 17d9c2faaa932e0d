package attribute

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Asked is an attribute of somebody that a question asks for. Subject is "I" for the first person,
// otherwise as written: "Anna", "my sister".
type Asked struct {
	Subject    string
	Attributes []string // the second one answers if nothing states the first
	Stays      bool     // the attribute does not change
}

// maxAsked is the number of attributes that a question may ask for.
const maxAsked = 3

// Limits of a question.
const (
	maxQuestion = 400 // bytes that are read
	maxSubject  = 3   // words of a subject
	maxAside    = 2   // words between a question word and the rest: "which kind of car"
)

// Question returns the attributes that a question asks for, none if it asks for no attribute of the
// table.
func Question(question string) (asked []Asked) {
	if len(question) > maxQuestion {
		return nil
	}
	words, past := asking(question)
	var at *attribute
	for _, i := range tables().candidates(words) {
		f := &tables().forms[i]
		if f.of == at || past && !f.past {
			continue
		}
		subject, ok := f.in(words)
		if !ok {
			continue
		}
		at = f.of
		if asked = append(asked, Asked{subject, at.names, at.stays}); len(asked) == maxAsked {
			break
		}
	}
	return asked
}

var (
	auxiliaries = english.WordSet("am is are be been being do does doing can could will would should")
	pastWords   = english.WordSet("did was were had")
	asides      = english.WordSet("the a an any of now current currently nowadays presently originally actually really again exactly also still just ever please kind type sort")
	questioning = english.WordSet("what which who whom whose where")
	telling     = english.WordSet("tell remind know remember recall")
	adjuncts    = strings.NewReplacer("these days", "", "at the moment", "", "right now", "", "at present", "", "as of now", "", "of mine", "")
)

// asking returns the words of a question that matter, and whether it is in the past tense.
func asking(question string) (words []word, past bool) {
	for _, w := range withoutCleft(wordsOf(adjuncts.Replace(question))) {
		switch {
		case pastWords[w.low]:
			past = true
		case (w.low == "do" || w.low == "does" || w.low == "doing") && w.last:
			words = append(words, w)
			continue
		case auxiliaries[w.low], asides[w.low]:
		default:
			if (questioning[w.low] || w.low == "when" || w.low == "how") && w.possessive {
				w.possessive = false // "what's"
			}
			words = append(words, w)
			continue
		}
		if n := len(words); n > 0 {
			words[n-1].end = words[n-1].end || w.end
		}
	}
	return words, past
}

// withoutCleft removes the "it that" of a cleft question: "What is it that I do?".
func withoutCleft(words []word) []word {
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = w.low
	}
	i, j := english.Cleft(low)
	kept := words[i:i:j]
	for _, w := range words[i:j] {
		if auxiliaries[w.low] || pastWords[w.low] { // tells the tense
			kept = append(kept, w)
		}
	}
	return slices.Concat(words[:i], kept, words[j:])
}

// in reports whether a part of a question has the form, and whom it asks about. A form without a
// question word is that of the whole: "Am I married?"
func (p *pattern) in(words []word) (subject string, ok bool) {
	for i := range words {
		if i > 0 && p.elements[0].kind == aSubject {
			break
		}
		if subject, ok = match(p.elements, words[i:], ""); ok {
			return subject, true
		}
	}
	return "", false
}

// match reports whether the first words have the form, up to the end of a part.
func match(form []element, words []word, subject string) (string, bool) {
	if len(form) == 0 {
		return subject, subject != "" && (len(words) == 0 || words[0].low == "and")
	}
	e := &form[0]
	for n := range lengths(e, words) {
		rest := words[n:]
		if len(form) > 1 && n > 0 && words[n-1].end || len(form) == 1 && len(rest) > 0 && words[n-1].end {
			if len(form) > 1 {
				continue
			}
			rest = nil
		}
		who := subject
		if e.kind == aSubject || e.kind == aPossessive {
			who = named(words[:n])
		}
		if found, ok := match(form[1:], rest, who); ok {
			return found, true
		}
	}
	return "", false
}

// lengths yields how many of the first words an element may stand for.
func lengths(e *element, words []word) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if len(words) == 0 {
			return
		}
		w := words[0]
		switch e.kind {
		case aWord:
			if slices.Contains(e.lemmas, w.lemma) {
				yield(1)
			}
		case aClass:
			if e.class.has(w) {
				yield(1)
			}
		case aQuestion:
			opening := opens(words)
			for n := opening; opening > 0 && n <= min(len(words), opening+maxAside); n++ {
				if n > opening && !aside(words[n-1]) || !yield(n) {
					return
				}
			}
		default:
			for n := 1; n <= min(len(words), maxSubject); n++ {
				if names(words[:n], e.kind == aPossessive) && !yield(n) {
					return
				}
			}
		}
	}
}

// aside reports whether a word may be part of what a question word asks for: "city" of "which city".
func aside(w word) bool {
	_, pronoun := english.PronounOf(w.low)
	return !pronoun && !w.possessive && !w.capital()
}

var ownWords = english.WordSet("my our")

// opens returns the number of words that open a question: "where", "how many", "tell me"; 0: they do
// not.
func opens(words []word) int {
	next := ""
	if len(words) > 1 {
		next = words[1].low
	}
	switch first := words[0].low; {
	case questioning[first]:
		return 1
	case first == "how" && next == "many":
		return 2
	case telling[first] && (next == "me" || next == "us"):
		return 2
	case telling[first]:
		return 1
	}
	return 0
}

// names reports whether words name somebody: "I", "Anna", "my sister", and as a possessive "my",
// "Anna's", "my sister's".
func names(words []word, possessive bool) bool {
	first, last := words[0], words[len(words)-1]
	own := ownWords[first.low]
	switch {
	case possessive && own && len(words) == 1:
		return true
	case possessive != last.possessive:
		return false
	case slices.ContainsFunc(words[:len(words)-1], func(w word) bool { return w.possessive || w.end }):
		return false
	case len(words) == 1:
		_, pronoun := english.PronounOf(first.low)
		return first.low == "i" || first.low == "we" || first.low == "me" || !own && !pronoun && !english.StopWord(first.low)
	case own:
		return !slices.ContainsFunc(words[1:], func(w word) bool { return english.StopWord(w.low) })
	}
	return !slices.ContainsFunc(words, func(w word) bool { return !w.capital() })
}

// named returns the name that words are.
func named(words []word) string {
	switch first := words[0].low; {
	case len(words) == 1 && (first == "i" || first == "we" || first == "me" || first == "my" || first == "our"):
		return "I"
	}
	return textOf(words)
}
