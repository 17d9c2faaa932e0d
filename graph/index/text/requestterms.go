package text

import (
	"strings"
	"sync"
)

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
