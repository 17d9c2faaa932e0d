package wording

import "github.com/somnograph/somnograph/internal/english"

// Holder returns whom a personal pronoun stands for: me for the first person, "?" for a person
// or thing that the clause does not name, "@you" for the second person; "" if low is no pronoun.
func Holder(low, me string) string {
	p, ok := english.PronounOf(low)
	switch {
	case !ok:
		return ""
	case p.Person == 1:
		return me
	case p.Person == 2:
		return "@you"
	}
	return "?"
}
