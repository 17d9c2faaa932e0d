package toponym

import (
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/internal/english"
)

// Kind is what a text tells of a name.
type Kind int

// What a text tells of a name.
const (
	Untold Kind = iota // nothing
	Place              // that it is a place: "here in Hoboken", "the rent in Hoboken"
	Tool               // that it is used: "my Fastmail account"
)

// Told returns what a text tells of a name in lower case. In a sentence that names it, somebody lives there, is near it, or it stands
// after what dwellings and districts have ("the rent in Hoboken"); or somebody uses it, or it has what tools have. "in" alone tells nothing: notes are in Obsidian.
func Told(text, name string) (kind Kind) {
	for _, sentence := range sentences(text) {
		for i, w := range sentence {
			if w != name || i == 0 {
				continue
			}
			before, next := sentence[i-1], ""
			if i+1 < len(sentence) {
				next = sentence[i+1]
			}
			lead := ""
			if i > 1 {
				lead = sentence[i-2]
			}
			about := i > 3 && sentence[i-4] == "of" // "the plans of my flat in Notesy"
			switch {
			case uses[english.Lemma(before)], toolParts[english.Singular(next)]:
				return Tool
			case before == "near" || before == "around" || before == "outside" || before == "downtown", before == "in" && (lead == "here" || dwells[lead] && !about), before == "to" && lead == "commute":
				kind = Place
			case next == "and" && i+3 < len(sentence) && (sentence[i+2] == "my" || sentence[i+2] == "the") && dwellings[english.Singular(sentence[i+3])]:
				kind = Place // "and my commute is shorter"
			case (before == "in" || before == "of") && dwellings[english.Singular(lead)] && !about:
				kind = Place
			}
		}
	}
	return kind
}

// TellsDwelling reports whether a sentence of a text is about what dwellings and districts have, without the name: "The commute is shorter now."
func TellsDwelling(text, name string) bool {
	for _, sentence := range sentences(text) {
		found := false
		for _, w := range sentence {
			if w == name {
				found = false
				break
			}
			found = found || dwellings[english.Singular(w)]
		}
		if found {
			return true
		}
	}
	return false
}

// sentences returns the words of the sentences of a text, in lower case.
func sentences(text string) (out [][]string) {
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?;\n", r) }) {
		words := strings.FieldsFunc(english.Lower(sentence), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' })
		for i, w := range words {
			words[i] = strings.TrimSuffix(w, "'s")
		}
		out = append(out, words)
	}
	return out
}

var (
	dwells = english.WordSet("live lives lived living rent rents renting born raised up flat apartment house home room village town stay staying")
	// dwellings are what dwellings and districts have, and nothing that tools have.
	dwellings = english.WordSet("rent commute neighbour neighbor neighbourhood neighborhood landlord landlady flat apartment house street balcony mover mortgage kitchen bedroom attic roommate flatmate " +
		"village town suburb waterfront bakery landline kindergarten playground tram bus-stop pub bedsit terrace unpack unpacking lease rooftop backyard")
	uses      = lemmas("use using switch install configure prefer uninstall cancel")
	toolParts = english.WordSet("account app subscription plan server plugin config configuration update version license licence extension client api vault inbox setup instance premium login password customer support setting cli widget theme dashboard feature user")
)

func lemmas(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[english.Lemma(w)] = true
	}
	return set
}
