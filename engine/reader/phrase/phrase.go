// Package phrase cuts the words before and after the verb of a clause into its subject, its object and phrases with a preposition.
package phrase

import (
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
)

// Phrase is a preposition or a particle with the words that it governs.
type Phrase struct {
	Prep     string // "every" for a phrase of time without a preposition, "," after a comma
	From, To int    // indexes of the first word that it governs, and of the one after the last
}

// Cut returns the phrases that words consist of. now reports a "since", which says that something is so now.
func Cut(words []syntax.Word) (found []Phrase, now bool) {
	for at := 0; at < len(words); {
		rest, n := words[at:], 1
		for n < len(rest) && (!Opens(rest, n) || lexicon.Occasions[rest[0].Low] && rest[n].Sign == 0) {
			n++
		}
		switch first := &rest[0]; {
		case opensAdverbial(rest, 0):
			found = append(found, Phrase{"every", at, at + n})
		case first.Sign == ',' && !tables.Preposition[first.Low]:
			found = append(found, Phrase{",", at, at + n})
		case first.Low == "since":
			now = true
		default:
			found = append(found, Phrase{first.Low, at + 1, at + n})
		}
		at += n
	}
	return found, now
}

// Before returns the number of words before the first phrase.
func Before(words []syntax.Word) int {
	n := 0
	for n < len(words) && !Opens(words, n) {
		n++
	}
	return n
}

// Opens reports whether the word at n begins a phrase: a preposition or a particle, or a
// word after a comma.
func Opens(words []syntax.Word, n int) bool {
	w := &words[n]
	if n > 0 && w.Sign == ',' {
		return true
	}
	if w.Low == "to" && n > 0 && n+1 < len(words) && isHour(&words[n-1]) && isHour(&words[n+1]) && (n == 1 || words[n-2].Low != "from") {
		return false // "nine to five"
	}
	return (tables.Preposition[w.Low] || lexicon.Particles[w.Low]) && !(w.Low == "of" && n > 0) || n > 0 && lexicon.Occasions[w.Low] && !tables.Determiner[words[n-1].Low] || opensAdverbial(words, n)
}

// isHour reports a number or a time of day.
func isHour(w *syntax.Word) bool { return w.Class == wordclass.Number || w.Class == wordclass.Clock }

// opensAdverbial reports whether the word at n begins a phrase of time without a preposition:
// "every morning", "twice a week", "three times a day", "last month", "yesterday".
func opensAdverbial(words []syntax.Word, n int) bool {
	w := &words[n]
	switch w.Low {
	case "every", "each", "once", "twice", "weekly", "daily", "monthly", "yearly", "hourly", "quarterly", "nightly":
		return n > 0 && !tables.Determiner[words[n-1].Low] || n == 0 && len(words) > 1 && (w.Low == "every" || w.Low == "each" || w.Low == "once" || w.Low == "twice")
	case "last", "next", "this":
		return n+1 < len(words) && (tables.Unit[words[n+1].Low] || words[n+1].Class == wordclass.Weekday || words[n+1].Class == wordclass.Date || words[n+1].Class == wordclass.Part || lexicon.Seasons[words[n+1].Low])
	}
	if w.Low == "a" || w.Class == wordclass.Number || w.Class == wordclass.Amount || lexicon.Vague[w.Low] {
		for i := n + 1; i < len(words) && i <= n+2 && words[i].Sign == 0; i++ {
			if words[i].Low == "ago" {
				return true // "a while ago"
			}
		}
	}
	return tables.Relative[w.Low] || w.Class == wordclass.Number && n+1 < len(words) && words[n+1].Low == "times"
}
