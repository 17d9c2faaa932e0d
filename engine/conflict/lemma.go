package conflict

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// lemma returns a key that the forms of a word and its synonyms share: "lives", "living" and
// "resided" give "liv". It is a key, not a word. low is in lower case.
func lemma(low string) string {
	low = english.Lemma(low)
	if s, ok := synonym[low]; ok {
		return s
	}
	return low
}

// wordLists are the word lists of the package.
var wordLists = english.ReadLists(words)

//go:embed words.txt
var words string

// lemmaSet returns the set of the lemmas of a word list.
func lemmaSet(name string) map[string]bool { return lemmas(wordLists.Words(name)) }

// keysOfWords reads a word list of entries "key: words" and returns the lemma of the key by the
// lemma of each word.
func keysOfWords(name string) map[string]string {
	m := map[string]string{}
	for key, w := range wordLists.Keyed(name) {
		m[lemma(w)] = lemma(key)
	}
	return m
}

// lemmas returns the set of the lemmas of a list.
func lemmas(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[lemma(w)] = true
	}
	return m
}

// synonym maps the lemmas of synonyms to one lemma.
var synonym = func() map[string]string {
	m := map[string]string{}
	for _, line := range wordLists.Lines("synonyms") {
		list := strings.Fields(line)
		key := english.Lemma(list[0])
		for _, w := range list[1:] {
			m[english.Lemma(w)] = key
		}
	}
	return m
}()

// Lemmas that rules name. Those that are equal to their word are written as the word.
var (
	baseKey     = lemma("base")
	becomeKey   = lemma("become")
	changeKey   = lemma("change")
	closeKey    = lemma("close")
	comeKey     = lemma("come")
	commuteKey  = lemma("commute")
	dateKey     = lemma("date")
	decideKey   = lemma("decide")
	driveKey    = lemma("drive")
	engageKey   = lemma("engage")
	giveKey     = lemma("give")
	graduateKey = lemma("graduate")
	lactoseKey  = lemma("lactose")
	leaveKey    = lemma("leave")
	manageKey   = lemma("manage")
	marryKey    = lemma("marry")
	migrateKey  = lemma("migrate")
	moveKey     = lemma("move")
	namesKey    = lemma("name")
	replaceKey  = lemma("replace")
	retireKey   = lemma("retire")
	rewriteKey  = lemma("rewrite")
	startKey    = lemma("start")
	takeKey     = lemma("take")
	writeKey    = lemma("write")
)
