// Package relative reads sentences whose subject has a relative clause and whose complement names it: "the book I am reading is
// Emma" says "I am reading Emma", and "the person who cuts my hair is Lena" says "Lena cuts my hair".
package relative

import "github.com/somnograph/somnograph/internal/english"

// Word is a word of a clause.
type Word struct {
	Low                             string // in lower case; a contraction is several words
	Sign                            bool   // a comma or another sign is before it
	Determiner, Preposition, Finite bool   // Finite: an auxiliary or a form of "be"
	Verb, Third                     bool   // a form of a verb; that of the third person
	Name                            bool   // a name, a number, a time or another value
}

var (
	relatives = english.WordSet("who that which whom")
	present   = english.WordSet("is are")
	naming    = english.WordSet("called named")
	pointing  = english.WordSet("this that these those") // may be the subject: "this ensures that the page is fast"
	// circumstances are nouns whose relative clause has no gap for them: "the reason I called is the leak".
	circumstances = english.WordSet(`reason way time day week month year moment hour minute morning afternoon evening night weekend place
		fact idea rumour rumor claim news belief feeling hope chance thought sign proof case point truth problem`)
)

const (
	maxHead  = 5 // words of the noun before its relative clause
	maxInner = 4 // words of the subject of the relative clause
)

// Least is the least number of words of a clause whose subject has a relative clause.
const Least = 5

// Begins reports a word, in lower case, that can begin a relative clause, but for determiners: "who", "I".
func Begins(low string) bool { return relatives[low] || subject(low) }

// clause is a relative clause of a subject.
type clause struct {
	inner, end int  // its first word after the pronoun, and the end of its verb group
	object     bool // the noun is not its subject: "the book that I am reading"
}

// find returns the relative clause of the subject with which a clause begins.
func find(words []Word) (c clause, ok bool) {
	if len(words) < Least || !words[0].Determiner || pointing[words[0].Low] {
		return c, false
	}
	c.inner = head(words)
	if c.inner == 0 {
		return c, false
	}
	if relatives[words[c.inner].Low] {
		c.inner++
	}
	from := c.inner
	if c.object = opens(words[from]); c.object {
		from = verb(words, from)
	}
	if from < 0 {
		return c, false
	}
	c.end = group(words, from)
	if c.end == from {
		return c, false
	}
	for n := 0; c.object && n < 2 && c.end < len(words) && words[c.end].Preposition && !words[c.end].Sign; n++ {
		c.end++
	}
	return c, c.end < len(words)
}

// Plain returns the order of the words of the plain sentence that a clause says, without the words that it does not need. ok is
// false if the clause is of another form.
func Plain(words []Word) (order []int, ok bool) {
	c, ok := find(words)
	if !ok {
		return nil, false
	}
	if !c.object {
		return named(words, c.inner, c.end)
	}
	value := complement(words, c.end)
	if value < 0 {
		return nil, false
	}
	return append(span(c.inner, c.end), span(value, len(words))...), true
}

// Main returns the index of the verb of a clause whose subject has a relative clause, 0 if it has none: "the train I take leaves at
// 7:40".
func Main(words []Word) int {
	c, ok := find(words)
	if !ok {
		return 0
	}
	if c.object {
		if words[c.end].Sign || !words[c.end].Finite && !words[c.end].Third {
			return 0
		}
		return c.end
	}
	for i := c.end; i < len(words) && !words[i].Sign; i++ {
		if words[i].Finite {
			return i
		}
	}
	return 0
}

// head returns where the relative clause begins after a noun, 0 if none does.
func head(words []Word) int {
	for i := 2; i <= maxHead && i < len(words)-3; i++ {
		switch before := &words[i-1]; {
		case words[i].Sign, words[i].Finite, before.Preposition, before.Determiner:
			return 0
		case Begins(words[i].Low), words[i].Determiner && words[0].Low == "the":
			if circumstances[before.Low] {
				return 0
			}
			return i
		}
	}
	return 0
}

// subject reports a pronoun that only a subject has.
func subject(low string) bool {
	p, ok := english.PronounOf(low)
	return ok && p.Case&english.Subjective != 0 && p.Case&english.Objective == 0
}

// opens reports that a word begins the subject of a relative clause.
func opens(w Word) bool { return subject(w.Low) || w.Low == "you" || w.Determiner || w.Name }

// verb returns where the verb of a relative clause begins, −1 if it is not found.
func verb(words []Word, subject int) int {
	for i := subject + 1; i <= subject+maxInner && i < len(words); i++ {
		switch {
		case words[i].Sign, words[i].Preposition:
			return -1
		case words[i].Finite || words[i].Verb:
			return i
		}
	}
	return -1
}

// group returns the end of a verb group: auxiliaries and one main verb. It is from if there is no main verb.
func group(words []Word, from int) int {
	i := from
	for i < len(words) && words[i].Finite && !words[i].Sign {
		i++
	}
	if i < len(words) && words[i].Verb && !words[i].Finite && !words[i].Sign {
		return i + 1
	}
	return from
}

// complement returns where the words begin that name the subject after "is" or "is called", −1 if the verb is another one or what
// follows does not name it: "the car I drive is red".
func complement(words []Word, verb int) int {
	value := verb + 1
	if verb >= len(words) || words[verb].Sign || !present[words[verb].Low] || value >= len(words) {
		return -1
	}
	if naming[words[value].Low] && value+1 < len(words) {
		return value + 1
	}
	if w := words[value]; w.Sign || !w.Determiner && !w.Name || w.Low == "no" {
		return -1
	}
	return value
}

// named returns the order of "who cuts my hair is Lena": the name first. Only a name identifies who or what acts.
func named(words []Word, inner, from int) ([]int, bool) {
	for i := from; i < len(words); i++ {
		if words[i].Sign || words[i].Finite && !present[words[i].Low] {
			return nil, false
		}
		if !present[words[i].Low] {
			continue
		}
		value := complement(words, i)
		if value < 0 || !words[value].Name {
			return nil, false
		}
		for j := value; j < len(words); j++ {
			if !words[j].Name {
				return nil, false
			}
		}
		return append(span(value, len(words)), span(inner, i)...), true
	}
	return nil, false
}

// span returns the indices from a to b, without b.
func span(a, b int) []int {
	out := make([]int, 0, b-a)
	for i := a; i < b; i++ {
		out = append(out, i)
	}
	return out
}
