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
func entitiesOf(all []sentence, h Hints) []Entity {
	known := capitalisedWords(all)
	var out []Entity
	at := map[string]int{}
	for _, s := range all {
		heading := isHeading(s)
		for i := 0; i < len(s.words); {
			kind, n := nameAt(s.words, i, known, heading)
			if n == 0 {
				i++
				continue
			}
			first, last := s.words[i], s.words[i+n-1]
			name := nameText(s.words[i : i+n])
			e := Entity{Name: name, Canonical: Canonical(name), Type: kind, Start: first.start, End: last.end}
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
func nameText(ws []word) string {
	if len(ws) == 1 {
		return ws[0].text
	}
	var b strings.Builder
	for i, w := range ws {
		switch {
		case i == 0:
		case w.signBefore == '&':
			b.WriteString(" & ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// capitalisedWords returns the words that have a capital inside some sentence. They are names at
// the beginning of a sentence as well.
func capitalisedWords(all []sentence) map[string]bool {
	known := map[string]bool{}
	for _, s := range all {
		if isHeading(s) {
			continue
		}
		for _, w := range s.words {
			if !w.first && w.capital() && !commonWords[w.low] {
				known[w.low] = true
			}
		}
	}
	return known
}

// isHeading reports whether most words have a capital. Capitals are no evidence then.
func isHeading(s sentence) bool {
	caps, long := 0, 0
	for _, w := range s.words {
		if len(w.text) < 4 {
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
func nameAt(ws []word, i int, known map[string]bool, heading bool) (graph.EntityType, int) {
	w := ws[i]
	switch {
	case isFile(w):
		return graph.File, 1
	case w.signBefore == '@' && !isNumber(w.low):
		return graph.Person, 1
	case strings.Contains(w.text, "@"), isLink(ws, i), isNumber(w.low), calendar[w.low] && !w.allCapitals() && !startsName(ws, i):
		return "", 0
	case software[w.low] && (!ambiguousSoftware[w.low] || w.capital() && !w.first):
		return graph.Concept, 1
	}
	n := nameLength(ws, i, known, heading)
	if n == 0 {
		return "", 0
	}
	return kindOf(ws, i, n), n
}

// nameLength returns how many words from i form one name.
func nameLength(ws []word, i int, known map[string]bool, heading bool) int {
	if !isName(ws, i, known, heading) {
		return 0
	}
	n := 1
	for n < maxNameWords && i+n < len(ws) {
		last := ws[i+n-1]
		if last.signAfter != 0 && last.signAfter != '.' || last.possessive {
			break
		}
		next := ws[i+n]
		if next.signBefore != 0 && next.signBefore != '.' && next.signBefore != '&' {
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
		if k := i + n + 1; nameConnectors[next.low] && next.low != "and" && k < len(ws) && next.signAfter == 0 {
			if nameConnectors[ws[k].low] && allowsConnector(ws[i:i+n], next.low) && k+1 < len(ws) && ws[k+1].capital() && !endsName(ws[k+1]) && ws[k].signAfter == 0 && n+3 <= maxNameWords {
				n += 3
				continue
			}
			if ws[k].capital() && !endsName(ws[k]) && allowsConnector(ws[i:i+n], next.low) {
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
func isSerialNumber(ws []word, i int) bool {
	w := ws[i]
	if len(w.low) > 2 || strings.Trim(w.low, "0123456789") != "" || w.signAfter == '%' || ws[i-1].possessive || calendar[ws[i-1].low] {
		return false
	}
	return w.signAfter != 0 || i+1 == len(ws) || !isCountedNoun(ws[i+1].low) && !timeSpans[ws[i+1].low]
}

// allowsConnector reports whether a connector may follow these words: "of" only after a generic
// noun (University of …, Bay of …), others after any word.
func allowsConnector(ws []word, connector string) bool {
	if connector != "of" && connector != "the" {
		return connector != "and"
	}
	last := ws[len(ws)-1].low
	return orgEnds[last] || placeEnds[last] || eventEnds[last] || last == "republic" || last == "kingdom" || last == "department" || last == "house" || last == "lord" || last == "isle" || last == "gulf" || last == "order"
}

// endsName reports a word with a capital that is not part of the name before it: I, a weekday, a
// month.
func endsName(w word) bool {
	return isI(w.low) || calendar[w.low] && !w.allCapitals()
}

// isName reports whether the word at i is a name, or part of one, without the words after it.
func isName(ws []word, i int, known map[string]bool, heading bool) bool {
	w := ws[i]
	if !w.capital() {
		return w.mixedCase() && !w.first && len(w.text) > 2 && !strings.ContainsAny(w.text, "'’-/") // iPhone, eBay
	}
	if isI(w.low) || calendar[w.low] && !startsName(ws, i) {
		return false
	}
	if len([]rune(w.text)) == 1 {
		return false
	}
	if calendar[w.low] {
		return true // May Whitlock
	}
	if heading {
		return givenNames[w.low] || places[w.low] || known[w.low] && !commonWords[w.low]
	}
	begins := w.first || w.signBefore == '"' || w.signBefore == '“' || w.signBefore == ':' || w.signBefore == '*'
	if !begins {
		return !commonWords[w.low] || i+1 < len(ws) && ws[i+1].capital() && w.signAfter == 0 && !endsName(ws[i+1]) && !nameConnectors[w.low] && (orgEnds[ws[i+1].low] || placeEnds[ws[i+1].low])
	}
	switch {
	case commonWords[w.low]:
		return false
	case known[w.low], givenNames[w.low], places[w.low], w.mixedCase(), w.allCapitals() && len(w.text) < 7:
		return true
	case i+1 == len(ws):
		return false
	}
	next := ws[i+1]
	switch {
	case w.signAfter != 0 && w.signAfter != '.':
		return false
	case isSerialNumber(ws, i+1) && !numberedNouns[w.low] && !hasCommonEnding(w.low) && !strings.HasSuffix(w.low, "s"):
		return true
	case next.capital() && !endsName(next) && !next.first:
		return true // two capitals: Orrin Harbour
	case w.possessive:
		return !strings.HasSuffix(w.low, "ing") // Zuri's
	case personVerbs[next.low], singularVerbs[next.low] && !strings.HasSuffix(w.low, "s"), strings.HasSuffix(next.low, "ed") && !strings.HasSuffix(w.low, "s"):
		// A noun without an article, before a verb in the singular, is a name.
		return !hasCommonEnding(w.low) && !massNouns[w.low]
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
func startsName(ws []word, i int) bool {
	w := ws[i]
	if !w.capital() || w.low != "may" && w.low != "april" && w.low != "june" && w.low != "august" && w.low != "jan" {
		return false
	}
	if i > 0 && timePrepositions[ws[i-1].low] {
		return false
	}
	return i+1 < len(ws) && w.signAfter == 0 && (ws[i+1].capital() && !endsName(ws[i+1]) && !isNumber(ws[i+1].low) || personVerbs[ws[i+1].low])
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
func isFile(w word) bool {
	dot := strings.LastIndexByte(w.low, '.')
	if dot > 0 && dot < len(w.low)-1 && fileExtensions[w.low[dot+1:]] && !strings.Contains(w.low, "@") && strings.ContainsAny(w.low[:dot], "abcdefghijklmnopqrstuvwxyz") {
		return true
	}
	return strings.Count(w.low, "/") >= 2 && !strings.ContainsAny(w.low[:1], "0123456789") || strings.HasPrefix(w.low, "/")
}

// isLink reports a part of a web address.
func isLink(ws []word, i int) bool {
	w := ws[i]
	return strings.HasPrefix(w.low, "www.") || (w.low == "http" || w.low == "https") && w.signAfter == ':' ||
		i > 0 && (ws[i-1].low == "http" || ws[i-1].low == "https") && ws[i-1].signAfter == ':'
}
