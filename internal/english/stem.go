package english

import (
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// maxStem is the longest word, in bytes, that has a stem of its own.
const maxStem = 64

var stemmers = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

// Stem returns the stem of a word (Snowball English, "Porter 2"). Only words of small ASCII
// letters are stemmed; others are returned as they are. A stem is coarser than a [Lemma]:
// "general" and "generous" share one.
func Stem(low string) string {
	if len(low) < 3 || len(low) > maxStem {
		return low
	}
	for i := range len(low) {
		if low[i] < 'a' || low[i] > 'z' {
			return low
		}
	}
	env := stemmers.Get().(*snowballstem.Env)
	env.SetCurrent(low)
	english.Stem(env)
	stem := env.Current()
	env.SetCurrent("") // so that the pool holds no word of an erased text
	stemmers.Put(env)
	return stem
}
