package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Done reports whether a text says that its speaker has done a task: "I called grandma" for "call grandma", "the taxes are filed" for
// "file taxes". task are the lemmas of the task without determiners and times, the verb first. The sentence must begin with who did it or with
// what was done, and say the rest of the task directly after the verb, or before it in the passive. In doubt Done reports false: a task that stays
// open is seen again, one that ended is not.
func Done(task []string, text string) bool {
	return len(task) > 1 && slices.ContainsFunc(doneIn(text), func(d done) bool { return d.is(task) })
}

// TellsDone reports whether a text may say that its speaker has done something.
func TellsDone(text string) bool { return len(doneIn(text)) > 0 }

// done is what a sentence says that was done.
type done struct {
	verb   string   // lemma
	matter []string // lemmas of the words after the verb, or of the subject of the passive, without determiners
	rest   []string // lemmas of the words after the verb of the passive

	passive bool
}

// is reports whether this is what a task names.
func (d *done) is(task []string) bool {
	if d.verb != task[0] {
		return false
	}
	matter := withoutDeterminers(task[1:])
	if len(matter) == 0 {
		return false
	}
	said := d.matter
	if d.passive {
		if len(matter) < len(said) {
			return false
		}
		said = slices.Concat(said, d.rest)
	}
	if len(said) < len(matter) || !slices.Equal(said[:len(matter)], matter) {
		return false
	}
	after := said[len(matter):]
	// What follows must be a time, because "the docs of another project" are another matter. A task such as "write the report for" has lost its time.
	last := matter[len(matter)-1]
	return len(after) == 0 || whenDone[after[0]] || last == "for" || last == "of"
}

// doneIn returns what the sentences of a text say that was done.
func doneIn(text string) (all []done) {
	for _, s := range sentences(text) {
		ws := s.Words
		if s.Question || isHypothetical(ws) || slices.ContainsFunc(ws, func(w Word) bool { return unfinished[w.Low] || negations[w.Low] || strings.HasSuffix(w.Low, "n't") }) {
			continue
		}
		from := opening(ws)
		if from >= len(ws) {
			continue
		}
		at := from
		base, clitic := english.Contraction(ws[at].Low)
		speaker := (base == "i" || base == "we") && (clitic == "" || clitic == "'ve")
		if !speaker {
			for at < len(ws) && !isBecoming(ws[at].Low) && at-from < longestSubject {
				at++
			}
			if at == from || at == len(ws) || !isBecoming(ws[at].Low) || !beginsMatter(ws[from]) || ws[at-1].SignAfter != 0 {
				continue
			}
		}
		subject := at
		for at++; at < len(ws) && betweenDone[ws[at].Low]; at++ {
		}
		if at >= len(ws) || !isPast(ws[at].Low) || ws[at].Low == "been" {
			continue
		}
		after := lemmasTo(ws[at+1:])
		if speaker {
			all = append(all, done{verb: english.Lemma(ws[at].Low), matter: after})
		} else {
			all = append(all, done{verb: english.Lemma(ws[at].Low), matter: lemmasTo(ws[from:subject]), rest: after, passive: true})
		}
	}
	return all
}

// longestSubject is the largest number of words before "is" in "the electricity bill is paid".
const longestSubject = 6

// opening returns the number of words before the statement of a sentence: "yes", "good news:", "today".
func opening(ws []Word) int {
	for i := range ws[:min(len(ws), 3)] {
		if ws[i].SignAfter == ':' || ws[i].SignAfter == ',' {
			return i + 1
		}
	}
	if len(ws) > 0 && betweenDone[ws[0].Low] {
		return 1
	}
	return 0
}

// isBecoming reports the verb before what was done in the passive: "the taxes are filed", "the report has been sent".
func isBecoming(low string) bool {
	switch low {
	case "is", "are", "was", "were", "has", "have":
		return true
	}
	return false
}

// beginsMatter reports a word that begins what the speaker's task is about: "the", "my".
func beginsMatter(w Word) bool { return w.Low == "the" || w.Low == "my" || w.Low == "our" }

// lemmasTo returns the lemmas of words up to the first sign, without determiners.
func lemmasTo(ws []Word) (lemmas []string) {
	for _, w := range ws {
		if w.Possessive {
			return nil // of somebody else
		}
		lemmas = append(lemmas, english.Lemma(w.Low))
		if w.SignAfter != 0 {
			break
		}
	}
	return withoutDeterminers(lemmas)
}

func withoutDeterminers(lemmas []string) []string {
	return slices.DeleteFunc(slices.Clone(lemmas), func(low string) bool { return ofMatter[low] })
}

var (
	// betweenDone are the words that may stand between "I" or "we" and what was done, or between "is" and it.
	betweenDone = english.WordSet("have 've already finally just now also then both all been today yesterday")
	// whenDone are words that begin what may follow the matter of a task: when it was done.
	whenDone = english.WordSet("today yesterday last for on already finally just now earlier monday tuesday wednesday thursday friday saturday sunday morning afternoon evening")
	// ofMatter are words that make no other matter of one.
	ofMatter = english.WordSet("a an the my our this that these those please")
	// unfinished are words of sentences that tell of a part, of a habit, or of what did not come about.
	unfinished = english.WordSet("but instead half almost nearly partly still nobody no every each usually often monthly weekly daily yearly tried must should would could might if when once unless until before after wish doubt dreamt dreamed thought think said says")
)
