package pattern

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// demanding are verbs with which a clause demands or permits.
var demanding = english.WordSet("must mustn't may shall shan't should shouldn't cannot can't")

// apartDemands divides sentences that make two demands, of which the first begins with a time or a place and the second has a subject and a time
// of its own: "At night the vault must be locked and nobody may enter before noon." The time at the end is not that of the first demand. Another
// condition at the end may be that of both, so such sentences stay whole.
func apartDemands(all []extract.Sentence) []extract.Sentence {
	for i := 0; i < len(all); i++ {
		k := secondDemand(all[i].Words)
		if k == 0 {
			continue
		}
		first, second := all[i], all[i]
		first.Words, second.Words = slices.Clone(first.Words[:k]), second.Words[k+1:]
		last := &first.Words[k-1]
		last.SignAfter = '.'
		first.End, second.Start = last.End, second.Words[0].Start
		all = slices.Insert(slices.Clone(all[:i]), i, append([]extract.Sentence{first, second}, all[i+1:]...)...)
	}
	return all
}

// times are links that name a time.
var times = english.WordSet("before after until till")

// secondDemand returns the word that joins a second demand with a subject and a time of its own to a first one, which begins with a time or a
// place; 0 for none.
func secondDemand(words []extract.Word) int {
	if len(words) == 0 || !places[words[0].Low] {
		return 0
	}
	if _, n := linkAt(words, 0); n > 0 {
		return 0
	}
	demands := func(some []extract.Word) bool {
		return slices.ContainsFunc(some[min(1, len(some)):], func(w extract.Word) bool { return demanding[w.Low] })
	}
	for k := 3; k+4 < len(words); k++ {
		subject := words[k+1].Low
		_, pronoun := english.PronounOf(subject)
		if pronoun || words[k].Low != "and" && words[k].Low != "but" || !openers[subject] && !generic[subject] || !demands(words[:k]) || !demands(words[k+1:]) {
			continue
		}
		for i := k + 3; i < len(words)-1; i++ {
			if _, n := linkAt(words, i); n > 0 && times[words[i].Low] {
				return k
			}
		}
	}
	return 0
}

// places begin a phrase that says when or where, before the subject of a sentence.
var places = english.WordSet("at on in by for during from near")

// opening returns the number of words of a phrase without a number that says when or where before the subject: "At night the vault
// …", "By the plan, dogs …"; 0 for none.
func (s *sentence) opening() int {
	if !places[s.words[0].Low] {
		return 0
	}
	for i := 1; i < min(7, len(s.words)-2); i++ {
		w := s.words[i]
		if _, n := linkAt(s.words, i); n > 0 || w.Number != "" {
			return 0
		}
		if i > 1 && (s.words[i-1].SignAfter == ',' || openers[w.Low] && !prepositions[s.words[i-1].Low] && s.words[i-1].SignAfter == 0) {
			return i
		}
	}
	return 0
}

// withoutOpening returns the sentence without its first n words.
func (s *sentence) withoutOpening(n int) *sentence {
	out := &sentence{text: s.text, words: s.words[n:], end: s.end, question: s.question}
	out.cut()
	return out
}

// conditional reports a step that names a condition or a time of its own.
func (x step) conditional() bool {
	for _, s := range extract.Sentences(x.text) {
		for i, w := range s.Words {
			if _, n := linkAt(s.Words, i); n > 0 || isTime(w.Low) {
				return true
			}
		}
	}
	return false
}
