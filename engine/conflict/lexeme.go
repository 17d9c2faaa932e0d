package conflict

// class is the set of the word classes of a word, one bit each.
type class uint32

// The word classes, in the order of [wordClasses].
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
	anchorWord // anchors a pattern of an attribute, see patterns
)

// is reports whether a word belongs to one of the classes.
func (x token) is(c class) bool { return x.class&c != 0 }

// lexeme is what is known of a word without its context: its lemma, its classes and its role in a
// verb group.
type lexeme struct {
	low, lem        string
	class           class
	verb, past, ing bool
}

// wordClasses are the words of each class, in the order of the bits.
var wordClasses = []map[string]bool{
	adverbs, stopWords, determiners, prepositions, joiners, beForms, haveForms, doForms, modals, subjectPronoun, interjections, vagueWords, clauseEndWords, placePrepositions, doubtWords, choiceWords, permitWords, reportingVerbs, statingVerbs,
}

// lexicon holds the words of all classes. Half of the words of a text are among them.
var lexicon = func() map[string]lexeme {
	m := make(map[string]lexeme, 2048)
	for bit, list := range wordClasses {
		for w := range list {
			l, known := m[w]
			if !known {
				l = lexemeOf(w)
			}
			l.class |= 1 << bit
			m[w] = l
		}
	}
	return m
}()

// lexemeOf reads a word in lower case by its form.
func lexemeOf(low string) lexeme {
	l := lexeme{low: low, lem: lemma(low)}
	l.verb = isVerb(l.lem)
	l.past, l.ing = isPast(low), isIng(low)
	if patterns[l.lem] != nil {
		l.class |= anchorWord
	}
	return l
}

// lookUp returns the lexeme of a word in lower case.
func lookUp(low string) lexeme {
	if l, ok := lexicon[low]; ok {
		return l
	}
	return lexemeOf(low)
}
