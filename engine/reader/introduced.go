package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/person"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// introducing is the certainty of a claim about who somebody is that a text names by a role and a name.
const introducing = 0.9

// persons returns who a text names by a role and a name together, and the words of each introduction as "my daughter Silke".
func persons(text string, words []word) (out []person.Found) {
	seen := make([]person.Word, len(words))
	for i := range words {
		w := &words[i]
		seen[i] = person.Word{
			Text: w.text, Low: w.low, Sign: w.sign, Name: isName(w.class), Possessive: w.possessive, Verb: verbForm(w.low) != noVerb,
			Function: tables.Function[w.low] || tables.Adverb[w.low] || tables.Filler[w.low] && !isName(w.class) || w.class == classWeekday || w.class == classDate || w.class == classPart || w.quoted,
		}
		for j := w.start - 1; i > 0 && j >= words[i-1].end && !seen[i].Break; j-- {
			seen[i].Break = strings.IndexByte(".!?\n", text[j]) >= 0 && english.EndsSentence(text, j) || strings.HasPrefix(text[j:], "…")
		}
	}
	return person.Find(seen)
}

// introductions appends to the claims of clauses those about who the people are that a text names by a role and a name: "my daughter Silke lives in
// Kiel" says that the daughter is called Silke, and "my friend Tom is a chef" that "my friend Tom" is. A question, a condition or the words of
// somebody else introduce nobody. A subject "Silke, my daughter" is "my daughter Silke".
func introductions(claims []Claim, text string, words []word, found []person.Found, cs []clause) []Claim {
	for _, f := range found {
		own := words[f.Role-1].text
		role, name := textOf(words[f.Role:f.RoleEnd], text), withoutS(textOf(words[f.Name:f.NameEnd], text))
		from, to := words[f.From].start, words[f.To-1].end
		for i := range claims {
			if c := &claims[i]; c.Start <= from && to <= c.End {
				if rest, is := strings.CutPrefix(c.Subject, text[from:to]); is && (rest == "" || rest[0] == ' ') {
					c.Subject = own + " " + role + " " + name + rest
				}
			}
		}
		if name == "" || !tellsWho(cs, words[f.Role].start) {
			continue
		}
		mine := Claim{Subject: own + " " + role, Predicate: "is called", Object: name, Modality: Asserted, Certainty: introducing, Start: from, End: to}
		if !f.Sole {
			mine.Subject += " " + name // "my friend" may be another one
		}
		claims = append(claims, mine)
	}
	return claims
}

// tellsWho reports that a clause at an offset says something itself, and not only that it is known who somebody is: "my wife Lena is a
// pilot". A clause that gives a name is read by itself.
func tellsWho(cs []clause, at int) bool {
	for i := range cs {
		c := &cs[i]
		if at < c.start || at >= c.end {
			continue
		}
		switch c.modality {
		case Asserted, Event, Bounded, Past, Plan, Imperative:
			return c.cues&(cueQuoted|cueFiction|cueIf|cueWish|cueReported) == 0
		}
		return false
	}
	return false
}

func withoutS(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
}
