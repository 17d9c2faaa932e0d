package attribute

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/internal/english"
)

// word is a word of a question or of the object of a claim.
type word struct {
	text, low, lemma string
	groups           []uint16 // of the lexicon
	possessive       bool
	end              bool // the last one of a part of a sentence
	last             bool // of the text
}

// wordsOf returns the words of a text. A compound such as "thirty-four" is one word.
func wordsOf(text string) []word {
	var words []word
	for t := range english.Tokens(text, english.Names) {
		if !t.IsWord() {
			if n := len(words); n > 0 && strings.ContainsAny(t.Text, ".,;:!?") {
				words[n-1].end = true
			}
			continue
		}
		base, clitic := english.Contraction(strings.ReplaceAll(t.Text, "’", "'"))
		low := english.Lower(base)
		w := wordOf(english.Expand(low))
		w.text, w.possessive = base, clitic == "'s" || clitic == "'"
		words = append(words, w)
		if clitic == "n't" {
			words = append(words, wordOf("not"))
		}
	}
	if n := len(words); n > 0 {
		words[n-1].last = true
	}
	return words
}

func (w word) capital() bool {
	initial, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(initial)
}

// has reports whether a word belongs to the class.
func (c *class) has(w word) bool {
	if c.lemmas[w.lemma] || c.except[w.lemma] {
		return c.lemmas[w.lemma]
	}
	if c.listed(w) {
		return true
	}
	return slices.ContainsFunc(c.forms, func(form string) bool { return hasForm(form, w) })
}

// listed reports whether the lexicon has a word in a group of the class.
func (c *class) listed(w word) bool {
	return slices.ContainsFunc(w.groups, func(g uint16) bool { return c.groups[g] })
}

func wordOf(low string) word {
	return word{text: low, low: low, lemma: english.Lemma(low), groups: (lexicon.Topics{}).Of(english.Stem(low))}
}

// agentEndings end nouns that name who does something; demonymEndings the words for where somebody
// is from.
var (
	agentEndings   = []string{"er", "or", "ist", "ian", "eer", "man", "woman", "person", "smith", "wright", "keeper"}
	demonymEndings = []string{"ian", "ean", "ese", "ish", "can", "i"}
)

// hasForm reports whether a word looks like one of a class. A word that the lexicon knows from
// elsewhere, such as "mother" and "vegetarian", names no occupation by its ending.
func hasForm(form string, w word) bool {
	switch form {
	case "#agent":
		return !w.capital() && w.groups == nil && len(w.low) > 5 && (endsWith(w.low, agentEndings) || compound(w.low))
	case "#demonym":
		return w.capital() && (w.groups != nil || len(w.low) > 4 && endsWith(w.low, demonymEndings))
	case "#capital":
		return w.capital()
	case "#town":
		return w.capital() && reader.MayBeTown(w.low)
	case "#name":
		return w.capital() && w.groups == nil
	case "#age", "#height":
		return numeric(w.low)
	case "#date":
		_, weekday := english.Weekday(w.low)
		return numeric(w.low) || weekday || english.Month(w.low) != 0
	}
	return false
}

// compound reports a word that ends with an occupation: "stonemason".
func compound(low string) bool {
	for i := 3; i+4 <= len(low); i++ {
		if utf8.RuneStart(low[i]) && tables().classes["occupation"].listed(wordOf(low[i:])) {
			return true
		}
	}
	return false
}

func endsWith(w string, endings []string) bool {
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// numeric reports a number in digits or words, also in a compound: "34", "thirty-four", "1.80".
func numeric(low string) bool {
	if strings.ContainsAny(low, "0123456789") {
		return true
	}
	for part := range strings.SplitSeq(low, "-") {
		_, number := english.NumberWord(part)
		_, ordinal := english.OrdinalWord(part)
		if number || ordinal {
			return true
		}
	}
	return false
}
