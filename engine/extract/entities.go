package extract

import (
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	maxNameWords = 6
	maxEntities  = 64
)

// entitiesOf returns the entities that the sentences name, each once, in order of first mention.
func entitiesOf(all []Sentence, h Hints) []Entity {
	known := capitalisedWords(all)
	var out []Entity
	at := map[string]int{}
	for _, s := range all {
		heading := isHeading(s)
		for i := 0; i < len(s.Words); {
			kind, n := nameAt(s.Words, i, known, heading)
			if n == 0 {
				i++
				continue
			}
			first, last := s.Words[i], s.Words[i+n-1]
			name := nameText(s.Words[i : i+n])
			e := Entity{Name: name, Canonical: Canonical(name), Type: kind, Start: first.Start, End: last.End}
			i += n
			if e.Canonical == "" || len(name) > maxText {
				continue
			}
			if e.Canonical == Canonical(h.Speaker) {
				e.Type = graph.Person
			}
			if have, ok := at[e.Canonical]; ok {
				// A later mention may show the type.
				if out[have].Type == graph.Concept {
					out[have].Type = e.Type
				}
				continue
			}
			if len(out) == maxEntities {
				return out
			}
			at[e.Canonical] = len(out)
			out = append(out, e)
		}
	}
	return out
}

// nameText joins the words of a name as they are written.
func nameText(ws []Word) string {
	name := ws[0].Text
	for _, w := range ws[1:] {
		if w.SignBefore == '&' {
			name += " &"
		}
		name += " " + w.Text
	}
	return name
}

// capitalisedWords returns the words that have a capital inside some sentence. They are names at
// the beginning of a sentence as well.
func capitalisedWords(all []Sentence) map[string]bool {
	known := map[string]bool{}
	for _, s := range all {
		if isHeading(s) {
			continue
		}
		for _, w := range s.Words {
			if !w.first && w.capital() && !commonWords[w.Low] {
				known[w.Low] = true
			}
		}
	}
	return known
}

// isHeading reports whether most words have a capital. Capitals are no evidence then.
func isHeading(s Sentence) bool {
	caps, long := 0, 0
	for _, w := range s.Words {
		if len(w.Text) < 4 {
			continue
		}
		long++
		if w.capital() {
			caps++
		}
	}
	return long >= 4 && caps*10 > long*8
}

// nameAt returns the type of the entity named by the words at i and the number of words; 0 if they
// name none.
func nameAt(ws []Word, i int, known map[string]bool, heading bool) (graph.EntityType, int) {
	w := ws[i]
	switch {
	case isFile(w):
		return graph.File, 1
	case w.SignBefore == '@' && !isNumber(w.Low):
		return graph.Person, 1
	case strings.Contains(w.Text, "@"), isLink(ws, i), isNumber(w.Low), calendar[w.Low] && !w.allCapitals() && !startsName(ws, i):
		return "", 0
	case software[w.Low] && (!ambiguousSoftware[w.Low] || w.capital() && !w.first):
		return graph.Concept, 1
	}
	n := nameLength(ws, i, known, heading)
	if n == 0 {
		return "", 0
	}
	return kindOf(ws, i, n), n
}

// nameLength returns how many words from i form one name.
func nameLength(ws []Word, i int, known map[string]bool, heading bool) int {
	if !isName(ws, i, known, heading) {
		return 0
	}
	n := 1
	for n < maxNameWords && i+n < len(ws) {
		last := ws[i+n-1]
		if last.SignAfter != 0 && last.SignAfter != '.' || last.Possessive {
			break
		}
		next := ws[i+n]
		if next.SignBefore != 0 && next.SignBefore != '.' && next.SignBefore != '&' {
			break
		}
		if next.capital() && !endsName(next) {
			n++
			continue
		}
		if isSerialNumber(ws, i+n) {
			n++ // Heron 3
			break
		}
		// University of Oslo, Ludwig van Beethoven: a connector only between words with a capital.
		if k := i + n + 1; nameConnectors[next.Low] && next.Low != "and" && k < len(ws) && next.SignAfter == 0 {
			if nameConnectors[ws[k].Low] && allowsConnector(ws[i:i+n], next.Low) && k+1 < len(ws) && ws[k+1].capital() && !endsName(ws[k+1]) && ws[k].SignAfter == 0 && n+3 <= maxNameWords {
				n += 3
				continue
			}
			if ws[k].capital() && !endsName(ws[k]) && allowsConnector(ws[i:i+n], next.Low) {
				n += 2
				continue
			}
		}
		break
	}
	return n
}

// isSerialNumber reports a small number that belongs to the name before it, because no noun
// follows that it could count.
func isSerialNumber(ws []Word, i int) bool {
	w := ws[i]
	if len(w.Low) > 2 || strings.Trim(w.Low, "0123456789") != "" || w.SignAfter == '%' || ws[i-1].Possessive || calendar[ws[i-1].Low] {
		return false
	}
	return w.SignAfter != 0 || i+1 == len(ws) || !isCountedNoun(ws[i+1].Low) && !timeSpans[ws[i+1].Low]
}

// allowsConnector reports whether a connector may follow these words: "of" only after a generic
// noun (University of …, Bay of …), others after any word.
func allowsConnector(ws []Word, connector string) bool {
	if connector != "of" && connector != "the" {
		return connector != "and"
	}
	last := ws[len(ws)-1].Low
	return orgEnds[last] || placeEnds[last] || eventEnds[last] || last == "republic" || last == "kingdom" || last == "department" || last == "house" || last == "lord" || last == "isle" || last == "gulf" || last == "order"
}

// endsName reports a word with a capital that is not part of the name before it: I, a weekday, a
// month.
func endsName(w Word) bool {
	return isI(w.Low) || calendar[w.Low] && !w.allCapitals()
}

// isName reports whether the word at i is a name, or part of one, without the words after it.
func isName(ws []Word, i int, known map[string]bool, heading bool) bool {
	w := ws[i]
	if !w.capital() {
		return w.mixedCase() && !w.first && len(w.Text) > 2 && !strings.ContainsAny(w.Text, "'’-/") // iPhone, eBay
	}
	if isI(w.Low) || calendar[w.Low] && !startsName(ws, i) {
		return false
	}
	if len([]rune(w.Text)) == 1 {
		return false
	}
	if calendar[w.Low] {
		return true // May Whitlock
	}
	if heading {
		return givenNames[w.Low] || places[w.Low] || known[w.Low] && !commonWords[w.Low]
	}
	begins := w.first || w.SignBefore == '"' || w.SignBefore == '“' || w.SignBefore == ':' || w.SignBefore == '*'
	if !begins {
		return !commonWords[w.Low] || i+1 < len(ws) && ws[i+1].capital() && w.SignAfter == 0 && !endsName(ws[i+1]) && !nameConnectors[w.Low] && (orgEnds[ws[i+1].Low] || placeEnds[ws[i+1].Low])
	}
	switch {
	case commonWords[w.Low]:
		return false
	case known[w.Low], givenNames[w.Low], places[w.Low], w.mixedCase(), w.allCapitals() && len(w.Text) < 7:
		return true
	case i+1 == len(ws):
		return false
	}
	next := ws[i+1]
	switch {
	case w.SignAfter != 0 && w.SignAfter != '.':
		return false
	case isSerialNumber(ws, i+1) && !numberedNouns[w.Low] && !hasCommonEnding(w.Low) && !strings.HasSuffix(w.Low, "s"):
		return true
	case next.capital() && !endsName(next) && !next.first:
		return true // two capitals: Orrin Harbour
	case w.Possessive:
		return !strings.HasSuffix(w.Low, "ing") // Zuri's
	case personVerbs[next.Low], singularVerbs[next.Low] && !strings.HasSuffix(w.Low, "s"), strings.HasSuffix(next.Low, "ed") && !strings.HasSuffix(w.Low, "s"):
		// A noun without an article, before a verb in the singular, is a name.
		return !hasCommonEnding(w.Low) && !massNouns[w.Low]
	}
	return false
}

var (
	singularVerbs = english.WordSet("is was has had shall may will can does did isn't wasn't doesn't didn't hasn't won't can't")
	numberedNouns = english.WordSet("chapter page step part section room version release line level phase item number option question figure table lesson stage issue round act scene verse grade class size about around nearly almost")
	massNouns     = wordLists.Set("massNouns")
)

// startsName distinguishes May Whitlock and April Jones from months: a given name that is also a
// month, before another word with a capital and not after a preposition of time.
func startsName(ws []Word, i int) bool {
	w := ws[i]
	if !w.capital() || w.Low != "may" && w.Low != "april" && w.Low != "june" && w.Low != "august" && w.Low != "jan" {
		return false
	}
	if i > 0 && timePrepositions[ws[i-1].Low] {
		return false
	}
	return i+1 < len(ws) && w.SignAfter == 0 && (ws[i+1].capital() && !endsName(ws[i+1]) && !isNumber(ws[i+1].Low) || personVerbs[ws[i+1].Low])
}

var timePrepositions = english.WordSet("in on at for since until till by before after during from of between last next this early late mid")

// hasCommonEnding reports an ending that names rarely have.
func hasCommonEnding(low string) bool {
	for _, end := range []string{"ing", "ly", "tion", "sion", "ment", "ness", "ity", "ers", "ions", "ies", "ism"} {
		if len(low) > len(end)+2 && strings.HasSuffix(low, end) {
			return true
		}
	}
	return false
}

func isNumber(low string) bool {
	return low != "" && low[0] >= '0' && low[0] <= '9'
}

// isFile reports a path, or a file name with a known extension.
func isFile(w Word) bool {
	dot := strings.LastIndexByte(w.Low, '.')
	if dot > 0 && dot < len(w.Low)-1 && fileExtensions[w.Low[dot+1:]] && !strings.Contains(w.Low, "@") && strings.ContainsAny(w.Low[:dot], "abcdefghijklmnopqrstuvwxyz") {
		return true
	}
	return strings.Count(w.Low, "/") >= 2 && !strings.ContainsAny(w.Low[:1], "0123456789") || strings.HasPrefix(w.Low, "/")
}

// isLink reports a part of a web address.
func isLink(ws []Word, i int) bool {
	w := ws[i]
	return strings.HasPrefix(w.Low, "www.") || (w.Low == "http" || w.Low == "https") && w.SignAfter == ':' ||
		i > 0 && (ws[i-1].Low == "http" || ws[i-1].Low == "https") && ws[i-1].SignAfter == ':'
}
