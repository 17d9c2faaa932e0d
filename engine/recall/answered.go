package recall

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/recall/phrase"
)

// says reports whether an answer says an object, a number or a name of a memory that the question
// did not say. It is the sign that an observed answer used the memory.
func (h recalled) says(question, answer string) bool {
	asked, told := phrase.WordsOf(question), phrase.WordsOf(answer)
	for _, x := range extract.Particulars(h.content) {
		if told[x] && !asked[x] && !slices.Contains(h.owners, x) {
			return true
		}
	}
	for _, object := range h.objects {
		if share, news := phrase.SaidOf(object, told, asked); share == 1 && news > 0 {
			return true
		}
	}
	if len(h.objects) > 0 {
		return false
	}
	share, news := phrase.SaidOf(h.content, told, asked) // no statement was read
	return share >= 0.5 && news > 1
}
