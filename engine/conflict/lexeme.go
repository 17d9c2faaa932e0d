package conflict

// class is which of the small lists of English a word stands on, one bit a list.
type class uint32

// The lists; see the sets of the same order in [lists].
const (
	adverb class = 1 << iota
	stopWord
	determiner
	preposition
	joining
	formOfBe
	formOfHave
	formOfDo
	modal
	subjectForm
	interjection
	vagueWord
	clauseEndWord
	placePreposition
	doubtWord
	choiceWord
	permitWord
	reportingVerb
	stateVerb
	anchorWord // a wording of an attribute is read around it, see wordings
)

// equated reports whether a word stands on a list, or on one of some.
func (x token) is(c class) bool { return x.class&c != 0 }

// lexeme is what is known of a word by itself: the key of its family, its lists, and the
// part it can play in a verb group.
type lexeme struct {
	low, lem        string
	class           class
	verb, past, ing bool
}

// wordClasses are the sets that the bits of a class stand for, in the order of the bits.
var wordClasses = []map[string]bool{
	adverbs, stopWords, determiners, prepositions, joiners, beForms, haveForms, doForms, modals, subjectPronoun, interjections, vagueWords, clauseEndWords, placePrepositions, doubtWords, choiceWords, permitWords, reportingVerbs, statingVerbs,
}

// lexicon holds the words of all lists, read once: half the words of a text are among them.
var lexicon = func() map[string]lexeme {
	m := make(map[string]lexeme, 2048)
	for bit, list := range wordClasses {
		for w := range list {
			l := m[w]
			l.class |= 1 << bit
			m[w] = l
		}
	}
	for w, l := range m {
		known := lexemeOf(w)
		known.class |= l.class
		m[w] = known
	}
	return m
}()

// lexemeOf reads a word, in lower case, by its form.
func lexemeOf(low string) lexeme {
	l := lexeme{low: low, lem: lemma(low)}
	l.verb = isVerb(l.lem)

	l.past, l.ing = isPast(low), isIng(low)
	if patterns[l.lem] != nil {
		l.class |= anchorWord
	}
	return l
}

// lookUp is the lexeme of a word in lower case.
func lookUp(low string) lexeme {
	if l, ok := lexicon[low]; ok {
		return l
	}
	return lexemeOf(low)
}
