package evaluation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Overlap is the share of the content words of a question that a text has too, by stems, in
// [0,1]: what a search by words could find. Function words, and the words in without, are not
// counted.
func Overlap(question, text string, without ...string) float64 {
	has, skip := stems(text), stems(strings.Join(without, " "))
	asked := slices.DeleteFunc(stems(question), func(s string) bool { return slices.Contains(skip, s) })
	return shareOf(asked, func(s string) bool { return slices.Contains(has, s) })
}

// functionWords are not counted.
var functionWords = strings.Fields(`
a an the this that these those it its i me my mine you your we us our he she him her his they them their who whom whose which what when where why how
am is are was were be been being do does did done have has had will would shall should can could may might must let
and or but so if than then as of at by for with about into onto from to in on up down out over under near off not no nor
there here any some all each every one ones other another much many more most such own same too very just also now
`)

// stems are the distinct stems of the content words of a text.
func stems(text string) []string {
	env := snowballstem.NewEnv("")
	var all []string
	for _, w := range words(text) {
		if slices.Contains(functionWords, w) {
			continue
		}
		env.SetCurrent(w)
		english.Stem(env)
		if s := env.Current(); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// words are the words of a text in lower case, without possessive endings.
func words(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	}) {
		if w = strings.Trim(strings.TrimSuffix(w, "'s"), "'"); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// contains reports whether a text has the words of a phrase in sequence. Every text has an
// empty phrase.
func contains(text, phrase string) bool {
	if len(words(phrase)) == 0 {
		return true
	}
	return strings.Contains(" "+strings.Join(words(text), " ")+" ", " "+strings.Join(words(phrase), " ")+" ")
}

// containsAll reports whether a text has the words of every phrase.
func containsAll(text string, phrases []string) bool {
	return !slices.ContainsFunc(phrases, func(p string) bool { return !contains(text, p) })
}
