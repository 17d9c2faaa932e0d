package english

import "strings"

// Pronouns lists the personal pronouns in all of their forms.
const Pronouns = `i me my mine myself we us our ours ourselves you your yours yourself yourselves
	he him his himself she her hers herself it its itself they them their theirs themselves`

// Case is a set of the cases that a pronoun can have.
type Case uint8

const (
	Subjective Case = 1 << iota // I
	Objective                   // me
	Possessive                  // my, mine
	Reflexive                   // myself
)

// Pronoun is what is known of a personal pronoun.
type Pronoun struct {
	Subject string // its subjective form: "i" for "me", "my" and "myself"
	Person  int8   // 1, 2 or 3
	Plural  bool   // we, they; you is singular
	Case    Case   // "her" has two
}

// PronounOf returns what is known of a word in lower case; ok is false if it is not a
// personal pronoun.
func PronounOf(low string) (p Pronoun, ok bool) {
	p, ok = pronouns[low]
	return p, ok
}

// pronouns by their form.
var pronouns = func() map[string]Pronoun {
	m := map[string]Pronoun{}
	for _, p := range []struct {
		person                                       int8
		plural                                       bool
		subjective, objective, possessive, reflexive string
	}{
		{1, false, "i", "me", "my mine", "myself"},
		{1, true, "we", "us", "our ours", "ourselves"},
		{2, false, "you", "you", "your yours", "yourself yourselves"},
		{3, false, "he", "him", "his", "himself"},
		{3, false, "she", "her", "her hers", "herself"},
		{3, false, "it", "it", "its", "itself"},
		{3, true, "they", "them", "their theirs", "themselves"},
	} {
		for i, forms := range [...]string{p.subjective, p.objective, p.possessive, p.reflexive} {
			for form := range strings.FieldsSeq(forms) {
				m[form] = Pronoun{p.subjective, p.person, p.plural, m[form].Case | 1<<i}
			}
		}
	}
	return m
}()
