// Package listing reads what follows a value after commas: the rest of a list, "Ada, Bo and Cy", or the name of what the value is, "a new
// dentist, Dr. Hay".
package listing

import "github.com/somnograph/somnograph/internal/english"

// Part is a phrase after a value.
type Part struct {
	Comma bool     // it begins at a comma and has no preposition
	Words []string // as written
}

// List returns how many of the parts after a value belong to a list that it begins: those up to the one with "and" or "or"; 0 if there
// is no list.
func List(parts []Part) int {
	for i, p := range parts {
		if !p.Comma || len(p.Words) == 0 {
			return 0
		}
		for j, w := range p.Words {
			if w == "and" || w == "or" {
				if j+1 == len(p.Words) {
					return 0
				}
				return i + 1
			}
		}
	}
	return 0
}

// Named reports that the words after an indefinite thing, up to the end of its clause, are its name: "a new dentist, Dr. Hay".
func Named(thing []string, parts []Part) bool {
	if len(parts) != 1 || !parts[0].Comma || len(parts[0].Words) == 0 || len(thing) < 2 || thing[0] != "a" && thing[0] != "an" && thing[0] != "another" {
		return false
	}
	for _, w := range parts[0].Words {
		if _, pronoun := english.PronounOf(english.Lower(w)); pronoun || w[0] < 'A' || w[0] > 'Z' {
			return false
		}
	}
	return true
}
