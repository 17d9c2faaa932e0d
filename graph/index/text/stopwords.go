package text

import (
	"strings"
	"sync"
)

// stopWords are English words without content: articles, pronouns, prepositions,
// conjunctions, auxiliaries, question words and remains of contractions. Words that
// order time (before, after, first, last, now) are not among them, because people search
// by them.
var stopWords = set(`
	a an the
	i me my mine myself we us our ours ourselves you your yours yourself yourselves
	he him his himself she her hers herself it its itself they them their theirs themselves
	this that these those there here
	am is are was were be been being
	do does did doing done have has had having
	will would shall should can could may might must ought
	not no nor
	and or but if then than because as so
	of at by for with about against between into through to from in out on off over under up down
	what which who whom whose when where why how
	such own same too very just also
	im ive id dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt
	don doesn didn isn aren wasn weren couldn wouldn shouldn hasn haven hadn
	ll ve re
`)

// IsStopWord reports whether a folded token is a stop word.
func IsStopWord(token string) bool { return stopWords[token] }

// requestTerms are terms that more often say what to do with the answer, and in which form,
// than what the question is about. They count less in a question.
var requestTerms = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	a := New()
	a.EachTerm(`
	list mention mentioned describe explain summary summarize summarise overview
	tell told say said ask asked discuss discussed discussion talk talked conversation chat session message
	remember recall recap bring brought order sequence chronological throughout across
	comprehensive detailed detail complete aspect item thing information
	different various kind type sort way many much number
	know need want like please help give show walk make get
	only including based previous previously earlier far
`, func(term string) { m[strings.Clone(term)] = true })
	return m
})

// requestTermWeight is the weight of a request term; that of other terms is 1.
const requestTermWeight = 0.3

// QuestionWeight answers the weight of a term in a question, in (0,1].
func QuestionWeight(term string) float32 {
	if requestTerms()[term] {
		return requestTermWeight
	}
	return 1
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
