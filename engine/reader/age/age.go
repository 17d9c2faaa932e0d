// Package age reads how old a clause says that somebody is, and tells whether a later clause says that the same one has
// become older.
package age

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a clause, or several that mean one value.
type Word struct {
	Low        string // in lower case
	Lemma      string
	Value      string // normal form of a number: "7", "8 th", "7 month"; empty if it is none
	Name       bool   // it has a capital
	Content    bool   // it counts in comparisons
	Possessive bool   // it had 's
}

// Clause is what is said of an age.
type Clause struct {
	Verb            string // lemma
	Words           []Word
	Subject, Object []Word
	Pronoun         string    // whom the subject stands for, if it is a pronoun; "?" if the text does not say
	Owners          [2]string // of the subject and the object, if they are pronouns: whom "my" stands for
	Personal        bool      // the subject is a person or an animal
	Alone           bool      // nothing but times follows the object
	Past, Perfect   bool
	Today           bool // it is said of today
}

// Told is an age that a clause tells.
type Told struct {
	whom  whom
	years float64
	event bool // it was reached then
}

// maxYears is the highest age of a number that stands alone.
const maxYears = 125

// Verbs by their lemmas.
var (
	reaching    = english.WordSet("turn reach becom")
	celebrating = english.WordSet("hav have celebrat mark")
	mine        = english.WordSet("my our")
	theirs      = english.WordSet("his her their its")
	uncertain   = english.WordSet("almost nearly soon barely approximately roughly about around")
)

// Told returns the age that a clause tells; ok is false if it tells none.
func (c *Clause) Told() (t Told, ok bool) {
	if slices.ContainsFunc(c.Words, func(w Word) bool { return uncertain[w.Low] }) {
		return Told{}, false
	}
	if at, years := birthday(c.Words); at >= 0 {
		t = Told{c.celebrated(c.Words[:at]), years, true}
		return t, t.whom.known() && (c.Past || c.Perfect || c.Today) && (isBirthday(c.Object) && (c.Verb == "be" || celebrating[c.Verb]) || isBirthday(c.Subject) && c.Verb == "be")
	}
	switch {
	case c.Verb == "be" && !(c.Past && !c.Perfect):
		years, plain, read := yearsIn(c.Object)
		of, pronoun, personal := c.Subject, c.Pronoun, c.Personal
		if n := len(of) - 1; n > 0 && of[n].Low == "age" && (of[n-1].Possessive || n == 1 && (mine[of[0].Low] || theirs[of[0].Low])) {
			of, pronoun, personal = of[:n], "", true // "my age", "Liv's age"
			if n == 1 && mine[of[0].Low] {
				pronoun = c.me()
			}
		}
		t = Told{whomOf(of, pronoun), years, false}
		return t, read && t.whom.known() && (!plain || personal && c.Alone)
	case reaching[c.Verb] && (c.Past || c.Perfect || c.Today):
		years, _, read := yearsIn(c.Object)
		t = Told{whomOf(c.Subject, c.Pronoun), years, true}
		return t, read && t.whom.known()
	}
	return Told{}, false
}

// namedApart is the number of years that somebody may have aged whom one of the two statements names in fewer words: "my daughter
// Liv" and "Liv". With more it may be somebody else.
const namedApart = 5

// Outgrows reports that t tells of the one of whom an earlier statement tells, at a higher age.
func (t Told) Outgrows(earlier Told) bool {
	same, all := t.whom.is(earlier.whom)
	return same && t.years > earlier.years && (all || t.years-earlier.years <= namedApart)
}

// Rivals reports that t tells of the one of whom an earlier statement tells, and not when that one was younger.
func (t Told) Rivals(earlier Told) bool {
	same, _ := t.whom.is(earlier.whom)
	return same && !(t.event && t.years < earlier.years)
}

// Found returns the words by which a statement is found that told the age of the year before, each text the words of one: "Liv 7", "Liv seven", "Liv".
func (t Told) Found() (texts []string) {
	who := strings.Join(t.whom.words, " ")
	if len(t.whom.names) > 0 {
		who = t.whom.names[len(t.whom.names)-1]
	}
	before := int(t.years) - 1
	for _, number := range [...]string{strconv.Itoa(before), english.NumberName(before)} {
		if number != "" {
			texts = append(texts, strings.TrimSpace(who+" "+number))
		}
	}
	if len(t.whom.names) > 0 {
		texts = append(texts, who)
	}
	return texts
}

// yearsIn reads an age in what follows a verb: "seven", "7 years old", "aged seven", "a 7-year-old", "seven months old", "seven and a
// half", "the age of eight". plain says that it is a number and nothing else.
func yearsIn(words []Word) (years float64, plain, ok bool) {
	for len(words) > 1 && (words[0].Low == "a" || words[0].Low == "an" || words[0].Low == "aged" || words[0].Low == "the") {
		if words[0].Low == "the" && (len(words) < 4 || words[1].Low != "age" || words[2].Low != "of") {
			return 0, false, false
		}
		if words[0].Low == "the" {
			words = words[2:]
		}
		if words = words[1:]; words[0].Value != "" && !strings.Contains(words[0].Value, " ") && len(words) == 1 {
			years, ok = number(words[0].Value)
			return years, false, ok
		}
	}
	if len(words) == 0 {
		return 0, false, false
	}
	first, rest := words[0], words[1:]
	if before, kind, found := strings.Cut(first.Low, "-year-old"); found && kind == "" {
		years, ok = written(before)
		return years, false, ok
	}
	n, unit, _ := strings.Cut(first.Value, " ")
	years, ok = number(n)
	switch per := perYear[unit]; {
	case !ok:
		return 0, false, false
	case unit == "" && strings.HasSuffix(first.Low, "old"):
		return years, false, true
	case per > 0:
		old := len(rest) > 0 && rest[0].Low == "old" || len(rest) > 1 && rest[0].Low == "of" && rest[1].Low == "age"
		return years / per, false, old
	case unit == "" && len(rest) == 3 && rest[0].Low == "and" && rest[2].Low == "half":
		return years + 0.5, true, true
	}
	return years, true, unit == "" && len(rest) == 0 && years <= maxYears
}

var perYear = map[string]float64{"year": 1, "month": 12, "week": 52, "day": 365}

// number reads a number in digits.
func number(digits string) (float64, bool) {
	n, err := strconv.ParseFloat(digits, 64)
	return n, err == nil && n >= 0
}

// written reads a number in words or digits: "7", "seven", "forty-one".
func written(low string) (float64, bool) {
	if n, ok := number(low); ok {
		return n, true
	}
	tens, one, both := strings.Cut(low, "-")
	t, ok := english.NumberWord(tens)
	if !both {
		return float64(t), ok
	}
	o, ok2 := english.NumberWord(one)
	return float64(t + o), ok && ok2 && t >= 20 && t < 100 && o < 10
}

// birthday returns the index of "eighth" in "eighth birthday" and the number; -1: there is none.
func birthday(words []Word) (at int, years float64) {
	for i := 1; i < len(words); i++ {
		if words[i].Low != "birthday" || i+1 < len(words) && words[i+1].Content && !timely[words[i+1].Low] {
			continue // "eighth birthday party"
		}
		if n, ok := ordinal(&words[i-1]); ok {
			return i - 1, n
		}
	}
	return -1, 0
}

// timely are words with content that say when a birthday was.
var timely = english.WordSet("yesterday today last this on monday tuesday wednesday thursday friday saturday sunday")

// isBirthday reports a noun phrase that ends with "birthday".
func isBirthday(words []Word) bool { return len(words) > 0 && words[len(words)-1].Low == "birthday" }

// ordinal reads "8th", "eighth", "forty-second".
func ordinal(w *Word) (float64, bool) {
	if n, th := strings.CutSuffix(w.Value, " th"); th {
		return number(n)
	}
	tens, one, both := strings.Cut(w.Low, "-")
	if !both {
		tens, one = "", w.Low
	}
	t, ok := english.NumberWord(tens)
	o, place := english.OrdinalWord(one)
	return float64(t + o), place && (ok && t >= 20 && t < 100 && o < 10 || !both)
}

// me returns whom "my" stands for; empty if the clause does not say.
func (c *Clause) me() string {
	for _, of := range [...]string{c.Pronoun, c.Owners[0], c.Owners[1]} {
		if strings.HasPrefix(of, "@") && of != "@you" {
			return of
		}
	}
	return ""
}

// celebrated returns whose birthday it is. The words are those before "eighth birthday".
func (c *Clause) celebrated(before []Word) whom {
	n := len(before)
	switch {
	case n == 0:
		return whom{}
	case before[n-1].Low == "my":
		return whom{pronoun: c.me()}
	case theirs[before[n-1].Low] && celebrating[c.Verb]:
		return whomOf(c.Subject, c.Pronoun)
	case !before[n-1].Possessive:
		return whom{}
	}
	from := n - 1
	for from > 0 && (before[from-1].Content && before[from-1].Name == before[from].Name || before[from-1].Content && before[from].Name && !before[from-1].Name && from > 1 && (mine[before[from-2].Low] || theirs[before[from-2].Low])) {
		from--
	}
	if from > 0 && (mine[before[from-1].Low] || theirs[before[from-1].Low]) {
		from--
	}
	of := slices.Clone(before[from:])
	of[len(of)-1].Possessive = false
	return whomOf(of, "")
}
