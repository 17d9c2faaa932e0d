package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/reader/worlds"
)

// Pairs made from the written ones. A pair that is no update is one the other way round, too. Nothing
// revises a statement about another matter, person or thing, whatever its words of change say.
const (
	madeWeight  = 0.5 // weight of a pair that was made; a written one has 1
	prefixShare = 0.2 // share of the made pairs with a prefix
)

// prefixes announce an update or a correction, also where there is none.
var prefixes = []string{"Correction: ", "Correction, this is the latest: ", "Update: ", "Actually, ", "Just so you know: ", "News: ", "Please note: "}

// maker makes pairs of written ones.
type maker struct {
	rng    *rand.Rand
	common map[string]bool // words that some statement has in lower case
	names  []string        // words that all statements begin with a capital
	nouns  []string        // words in lower case that both statements of an update have
}

func newMaker(seed uint64, all []worlds.Written) *maker {
	k := &maker{rng: rand.New(rand.NewPCG(seed, 99)), common: map[string]bool{}}
	for _, w := range all {
		for _, x := range append(wordsOf(w.Earlier), wordsOf(w.Later)...) {
			if unicode.IsLower(rune(x[0])) {
				k.common[x] = true
			}
		}
	}
	for _, w := range all {
		for _, x := range wordsOf(w.Earlier) {
			if k.isName(x) {
				k.names = append(k.names, x)
			} else if w.Revises() && len(x) > 4 && slices.Contains(wordsOf(w.Later), x) {
				k.nouns = append(k.nouns, x)
			}
		}
	}
	return k
}

// wordsOf returns the words of a text that are made of ASCII letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r >= unicode.MaxASCII || !unicode.IsLetter(r) })
}

func (k *maker) isName(word string) bool {
	return len(word) > 2 && unicode.IsUpper(rune(word[0])) && !k.common[strings.ToLower(word)]
}

// otherThing returns an update whose later statement is about another person or thing: a word that
// both statements have is replaced in it.
func (k *maker) otherThing(w worlds.Written) (later string, ok bool) {
	var names, nouns []string
	others := wordsOf(w.Later)
	for _, x := range wordsOf(w.Earlier) {
		switch {
		case !slices.Contains(others, x):
		case k.isName(x):
			names = append(names, x)
		case len(x) > 4 && unicode.IsLower(rune(x[0])):
			nouns = append(nouns, x)
		}
	}
	switch {
	case len(names) > 0:
		return replaceWord(w.Later, names[k.rng.IntN(len(names))], k.names[k.rng.IntN(len(k.names))]), true
	case len(nouns) > 0:
		return replaceWord(w.Later, nouns[k.rng.IntN(len(nouns))], k.nouns[k.rng.IntN(len(k.nouns))]), true
	}
	return "", false
}

// otherPerson returns the earlier statement about another person: its owner has another name, or
// the person whom both statements of an update begin with. Another name elsewhere may be a value.
func (k *maker) otherPerson(w worlds.Written) (other string, ok bool) {
	words := wordsOf(w.Earlier)
	for i, x := range words {
		if !k.isName(x) {
			continue
		}
		later := wordsOf(w.Later)
		owner := i > 0 && words[i-1] == "of" || i+1 < len(words) && words[i+1] == "s" && strings.Contains(w.Earlier, x+"'s")
		if owner || i == 0 && w.Revises() && slices.Contains(later[:min(2, len(later))], x) {
			return replaceWord(w.Earlier, x, k.names[k.rng.IntN(len(k.names))]), true
		}
	}
	return "", false
}

// thing matches a statement about a thing: what it is about, the verb and the next word.
var thing = regexp.MustCompile(`^((?:The|Our|My) [a-z-]+(?: [a-z-]+)?) (is|are|was|runs|has|uses|takes|costs|goes|listens|opens|starts|comes|lives|keeps|needs|belongs|sits|holds|works) ([a-z]+)`)

// aboutSame returns a statement about the person or thing that another one names first. It says
// something else of it.
func (k *maker) aboutSame(earlier, later string) (string, bool) {
	if a, b := thing.FindStringSubmatch(earlier), thing.FindStringSubmatch(later); a != nil && b != nil {
		if a[2] == b[2] && (a[3] == b[3] || a[2] == "is" || a[2] == "are") {
			return "", false
		}
		return a[1] + later[len(b[1]):], true
	}
	i := slices.IndexFunc(wordsOf(earlier), k.isName)
	j := slices.IndexFunc(wordsOf(later), k.isName)
	if i < 0 || j < 0 {
		return "", false
	}
	return replaceWord(later, wordsOf(later)[j], wordsOf(earlier)[i]), true
}

// replaceWord replaces a word wherever it stands by itself.
func replaceWord(text, word, other string) string {
	var b strings.Builder
	for rest := text; rest != ""; {
		i := strings.Index(rest, word)
		if i < 0 {
			b.WriteString(rest)
			break
		}
		end := i + len(word)
		if i > 0 && unicode.IsLetter(rune(rest[i-1])) || end < len(rest) && unicode.IsLetter(rune(rest[end])) {
			b.WriteString(rest[:end])
		} else {
			b.WriteString(rest[:i] + other)
		}
		rest = rest[end:]
	}
	return b.String()
}

// announced puts a prefix before some statements.
func (k *maker) announced(text string) string {
	if k.rng.Float64() >= prefixShare {
		return text
	}
	return prefixes[k.rng.IntN(len(prefixes))] + text
}
