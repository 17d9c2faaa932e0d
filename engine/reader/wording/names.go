package wording

import (
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// kindsOfNamed are nouns before a name that say what has it.
var kindsOfNamed = english.WordSet("project product team operation service company band group app club programme program")

// Names returns the canonical forms of a name, with and without the noun that says what has it: "Project Kestrel" is also "kestrel".
func Names(name string) []string {
	whole := extract.Canonical(name)
	if whole == "" {
		return nil
	}
	out := []string{whole}
	if kind, rest, ok := strings.Cut(whole, " "); ok && kindsOfNamed[kind] {
		out = append(out, rest)
	}
	return out
}

// Bare returns a name without the noun that says what has it, before or after the name: "Borealis" of "Project Borealis" and of "the Borealis project".
// It is empty if there is none.
func Bare(name string) string {
	words := strings.Fields(name)
	if len(words) > 1 && strings.EqualFold(words[0], "the") {
		words = words[1:]
	}
	last := len(words) - 1
	switch {
	case last < 1:
		return ""
	case kindsOfNamed[strings.ToLower(words[0])]:
		words = words[1:]
	case kindsOfNamed[strings.ToLower(words[last])]:
		words = words[:last]
	default:
		return ""
	}
	if rest := strings.Join(words, " "); IsName(rest) {
		return rest
	}
	return ""
}

// IsName reports a text that names one thing or person: it has a capital letter, a digit or a hyphen, and is no pronoun.
func IsName(text string) bool {
	_, pronoun := english.PronounOf(strings.ToLower(text))
	return !pronoun && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '-' })
}

// Subjects returns the names by which the subject of a claim is found: the subject itself, and
// the proper name that ends a longer phrase, "Ana" in "ana's sister Ana".
func Subjects(subject string) []string {
	out := []string{subject}
	words := strings.Fields(subject)
	at := len(words)
	for at > 0 && unicode.IsUpper([]rune(words[at-1])[0]) {
		at--
	}
	if at > 0 && at < len(words) && !strings.HasSuffix(words[len(words)-1], "'s") {
		out = append(out, strings.Join(words[at:], " "))
	}
	return out
}
