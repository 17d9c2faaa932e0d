package attribute

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Introduction is the name that a claim gives what belongs to somebody, "My daughter is called Liv", "I have a daughter called
// Liv", or somebody: "My name is Ana".
type Introduction struct {
	Phrase string // as written: "ana's younger daughter", "u42"
	Name   string // as written; empty if the claim is about several: "my daughters"
	Is     bool   // it was read from "is", which also says who somebody is: "the chair is Nell"
	Sole   bool   // the phrase means what has the name, as far as the claim says
	Aside  bool   // the claim only names it beside the noun: "my daughter Liv"; it is Sole for those whom one has for good, as a daughter
	owner  string
	noun   string // "daughter"
}

// Introduces reads a state of a claim.
func Introduces(s graph.ClaimState) (x Introduction, ok bool) {
	subject, renames := s.Subject, claimkey.Renames(s.Predicate)
	is := !renames && s.Predicate == "is" && extract.TypeOf(s.Object) == graph.Person // "I'm Ana"
	renames = renames || is
	if of, named := strings.CutSuffix(subject, "'s name"); named && s.Predicate == "is" {
		subject, renames = of, true // "my daughter's name is Liv"
	}
	at := strings.LastIndex(subject, "'s ")
	if at < 0 && renames && !strings.HasPrefix(s.Predicate, "was ") {
		x = Introduction{Phrase: subject, Name: s.Object, Is: is, Sole: true, owner: subject, noun: "name"}
		return x, subject != "" && wording.IsName(x.Name) && startsUpper(x.Name) && !strings.Contains(x.Name, " and ")
	}
	if at < 0 {
		if x, ok = elsewhere(s); ok {
			return x, true
		}
		noun, name, called := cutAny(s.Object, " called ", " named ")
		if reader.Predicate(s.Predicate) != has() || !called && !isPlural(noun) {
			return x, false
		}
		return introduction(subject, strings.Fields(noun), name, called)
	}
	words, named := untilName(subject[at+len("'s "):])
	switch {
	case named == 0: // "Ana's Volvo"
		return x, false
	case named < len(words):
		x, ok = introduction(subject[:at], words[:named], strings.Join(words[named:], " "), false)
		kind := extract.TypeOf(x.Name)
		x.Aside, x.Sole = true, forGood(x.noun) && (kind == graph.Person || kind == graph.Concept) // what is said of Florence may be about the town
		return x, ok
	case renames && (s.Predicate != "is" || subject != s.Subject) || isPlural(words[named-1]):
		return introduction(subject[:at], words, s.Object, renames && !strings.HasPrefix(s.Predicate, "was "))
	}
	return x, false
}

// elsewhere reads who else has a name: "the baker Ravi", "Ravi is my dentist".
func elsewhere(s graph.ClaimState) (x Introduction, ok bool) {
	if words, named := untilName(s.Subject); named > 0 && named < len(words) {
		x, ok = introduction("", words[:named], strings.Join(words[named:], " "), false)
	} else if noun, mine := strings.CutPrefix(s.Object, "my "); mine && s.Predicate == "is" {
		x, ok = introduction("", strings.Fields(noun), s.Subject, false)
	}
	x.Aside = true
	return x, ok
}

// untilName returns the words of a noun phrase, and how many stand before the name at its end.
func untilName(phrase string) (words []string, named int) {
	words = strings.Fields(phrase)
	for named = len(words); named > 0 && startsUpper(words[named-1]); named-- {
	}
	return words, named
}

// introduction makes an Introduction of whose it is, the words of the noun phrase and the name.
func introduction(owner string, words []string, name string, sole bool) (x Introduction, ok bool) {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return english.StopWord(strings.ToLower(w)) })
	if len(words) == 0 {
		return x, false
	}
	head := strings.ToLower(words[len(words)-1])
	x = Introduction{Phrase: owner + "'s " + strings.Join(words, " "), Name: name, Sole: sole, owner: owner, noun: english.Singular(head)}
	if isPlural(head) {
		x.Name, x.Sole = "", false
		return x, true
	}
	return x, wording.IsName(name) && startsUpper(name) && !strings.Contains(name, " and ")
}

// forGood reports a noun of a relative or an animal: who is called by one has it for good, other than a wife, a boss or a friend.
func forGood(noun string) bool {
	return lexicon.Relatives[noun] && !lexicon.Couples[noun] && noun != "friend" || frames.Kinds["animal"][lexicon.Lemma(noun)]
}

// Key is that of all introductions of what one owner calls by one noun.
func (x *Introduction) Key() uint64 {
	return Key(extract.Canonical(x.owner+"'s "+lexicon.Lemma(x.noun)), "\x00noun")
}

// Means reports whether a canonical subject is the phrase of the introduction, also with another word for a relative: "ana's mother" for "ana's mum".
func (x *Introduction) Means(subject string) bool {
	return sameNoun(extract.Canonical(x.Phrase)) == sameNoun(subject)
}

// sameNoun returns a canonical phrase of several words with one word for all that mean its last one.
func sameNoun(phrase string) string {
	at := strings.LastIndexByte(phrase, ' ')
	if at < 0 {
		return phrase
	}
	return phrase[:at+1] + lexicon.Lemma(phrase[at+1:])
}

// Apart reports whether two introductions are of what has two nouns or two owners.
func (x *Introduction) Apart(y *Introduction) bool {
	return x.Key() != y.Key() && !(lexicon.Lemma(x.noun) == lexicon.Lemma(y.noun) && (x.owner == "" || y.owner == ""))
}

// Named reports whether a canonical name is that of the introduction.
func (x *Introduction) Named(name string) bool { return slices.Contains(x.names(), name) }

// Written returns the names as they may be written: of somebody's own full name also the first one, "Ana" of "Ana Lopez".
func (x *Introduction) Written() []string {
	written := []string{x.Name}
	if first, _, full := strings.Cut(x.Name, " "); full && x.Phrase == x.owner && extract.TypeOf(first) == graph.Person {
		written = append(written, first)
	}
	return written
}

// names returns the canonical forms of the names.
func (x *Introduction) names() (names []string) {
	for _, name := range x.Written() {
		names = append(names, wording.Names(name)...)
	}
	return names
}

// IntroducedKey is the key of the introductions of which a canonical subject is the phrase or the name.
func IntroducedKey(subject string) uint64 { return Key(sameNoun(subject), "\x00name") }

// introducedKeys returns the keys of what a state of a claim introduces.
func introducedKeys(s graph.ClaimState) (keys []uint64) {
	x, ok := Introduces(s)
	if !ok {
		return nil
	}
	names := x.names() // "my friend Tom is a chef" gives a name too, for Introduced to know that somebody has it
	if x.Sole {
		names = append(names, extract.Canonical(x.Phrase))
	}
	for _, name := range names {
		keys = append(keys, IntroducedKey(name))
	}
	return append(keys, x.Key())
}

var has = sync.OnceValue(func() string { return reader.Predicate("has") })

func cutAny(text string, separators ...string) (before, after string, found bool) {
	for _, sep := range separators {
		if before, after, found = strings.Cut(text, sep); found {
			return before, after, true
		}
	}
	return text, "", false
}

func isPlural(noun string) bool {
	words := strings.Fields(strings.ToLower(noun))
	return len(words) > 0 && english.Singular(words[len(words)-1]) != words[len(words)-1]
}

func startsUpper(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}
