// Package dialogue reads turns that say something only together with the turn before them: the correction of a word ("Sorry, I meant 10."),
// the answer to a question ("yes", "Siemens"), and turns that say nothing ("Got it."). It completes the first two to whole statements
// in the words of the earlier turn, and only if their form leaves no doubt: a wrong correction ends a fact. The functions are pure. The
// rules are for English.
package dialogue

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/internal/english"
)

// maxCorrected is the length of a statement of which a word is corrected.
const maxCorrected = 300

// plain returns a text in lower case with plain apostrophes and without signs at its ends.
func plain(text string) string {
	return strings.TrimFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var (
	// repairs are the words by which speakers announce that they correct what they just said. All but "I mean" need a sign after them:
	// "Sorry, 10", and not "Wait for the 10". The first group holds the last one of them.
	repairs = regexp.MustCompile(`(?i)^\s*(?:(?:oh|ah|um|uh|hm+|well|no|nope|actually)[\s,.!–—-]+)*(?:(oops|whoops|sorry|correction|no,? wait|wait|scratch that|make that)(?:\s*[,.:;!…]+\s*|\s+[–—-]+\s+|\s*[–—]\s*)|(i mean(?:t)?)[\s,:]+)+`)
	// resumed are the words that take the subject of the earlier statement up again.
	resumed = regexp.MustCompile(`(?i)^it(?:'s| is)\s+`)
	// contrast divides "10, not 9".
	contrast = regexp.MustCompile(`(?i)^(.+?),? not (.+)$`)
)

// Repair is a correction of a word of an earlier statement.
type Repair struct {
	Value    string // the right words
	Instead  string // the wrong words; empty: not said
	sure     bool   // the words before or beside the value say that it replaces another one, and address or order nobody
	waits    bool   // "Wait, 5 minutes" may be an order
	retracts bool   // "Correction:", "no wait", "scratch that": something that was said is wrong
	begins   bool   // the value begins a sentence, where each word has a capital
}

// Correction reads a turn that only corrects a word of the statement before it: "Sorry, I meant 10.", "Correction: it's in kv/prod/app.".
func Correction(text string) (Repair, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "’", "'"))
	found := repairs.FindStringSubmatchIndex(text)
	if found == nil || len(text) > 100 || strings.ContainsAny(text, "?\n") {
		return Repair{}, false
	}
	marker := strings.ToLower(text[:found[1]])
	r := Repair{
		sure:     found[4] >= 0 || strings.Contains(marker, "no wait") || strings.Contains(marker, "no, wait") || strings.Contains(marker, "correction") || strings.Contains(marker, "that"),
		waits:    found[4] < 0 && found[2] >= 0 && strings.EqualFold(text[found[2]:found[3]], "wait"),
		retracts: strings.Contains(marker, "no wait") || strings.Contains(marker, "no, wait") || strings.Contains(marker, "correction") || strings.Contains(marker, "that"),
		begins:   strings.HasSuffix(strings.TrimSpace(marker), ".") || strings.HasSuffix(strings.TrimSpace(marker), "!"),
	}
	rest := strings.TrimRight(text[found[1]:], " .!…")
	if cut := resumed.FindString(rest); cut != "" {
		rest, r.sure = rest[len(cut):], true
	}
	r.Value = rest
	if parts := contrast.FindStringSubmatch(rest); parts != nil {
		r.Value, r.Instead, r.sure = parts[1], parts[2], true
	}
	if _, ok := valueOf(r.Value); !ok {
		return Repair{}, false
	}
	if _, ok := valueOf(r.Instead); !ok && r.Instead != "" {
		return Repair{}, false
	}
	return r, true
}

// Corrected returns the statement that a correction makes of an earlier text: the text with the right value in the place of its only
// value of the same kind.
func Corrected(earlier string, r Repair) (string, bool) {
	v, ok := valueOf(r.Value)
	if !ok || len(earlier) > maxCorrected || strings.ContainsAny(earlier, "?\n") || Filler(earlier, false) {
		return "", false
	}
	from, to, ok := v.placeIn(earlier)
	if !ok || strings.EqualFold(earlier[from:to], v.text) {
		return "", false
	}
	if r.Instead != "" {
		wrong, _ := valueOf(r.Instead)
		if !strings.EqualFold(wrong.text, earlier[from:to]) {
			return "", false
		}
	}
	switch {
	case r.waits && !r.sure && v.unit != "":
		return "", false
	case v.kind == name && !r.names(v, earlier, from, to):
		return "", false
	case v.kind == date && len(strings.Fields(v.text)) == 1 && !r.sure && extract.GivenName(strings.ToLower(v.text)):
		return "", false // "Sorry, June."
	}
	said, ok := replaced(earlier, from, to, v)
	return said, ok && !doubled(said)
}

// names reports whether a name surely stands for the one at a part of a text. "Sorry, Anna." addresses somebody, and "I mean Lena." after "My
// sister lives in Ghent" tells who is meant.
func (r *Repair) names(v value, earlier string, from, to int) bool {
	old, low := earlier[from:to], strings.ToLower(v.text)
	if r.begins && common(v.text) {
		return false
	}
	ordinary := extract.EnglishWord(low) && !extract.PlaceName(low) && !extract.GivenName(low)
	if r.Instead != "" || shareWord(v.text, old) {
		return true
	}
	all := strings.Fields(strings.ToLower(earlier[:from]))
	for len(all) > 0 && determiners[all[len(all)-1]] {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return false
	}
	switch before := all[len(all)-1]; {
	case ordinary && (before != "called" && before != "named" || common(v.text)):
		return false
	case v.preposition != "":
		return before == v.preposition
	case !r.sure:
		return false
	case before == "called" || before == "named" || before == "is" && len(all) > 1 && all[len(all)-2] == "name":
		return true
	case before == "in" || before == "to" || before == "from":
		return extract.PlaceName(low) && !extract.GivenName(low) || !extract.GivenName(low) && r.retracts && toponym.Town(v.text) >= leastTown
	}
	return r.retracts && !extract.GivenName(low) && !extract.PlaceName(low)
}

// sentencesOf divides a text at the signs that end its sentences.
func sentencesOf(text string) (out []string) {
	from := 0
	for i, r := range text {
		if r == '\n' || (r == '.' || r == '!' || r == '?') && english.EndsSentence(text, i) {
			if s := strings.TrimSpace(text[from : i+1]); s != "" {
				out = append(out, s)
			}
			from = i + 1
		}
	}
	if s := strings.TrimSpace(text[from:]); s != "" {
		out = append(out, s)
	}
	return out
}

// inWord reports whether a place is within a word of a text.
func inWord(text string, at int) bool {
	letter := func(b byte) bool { return b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)) }
	return at > 0 && at < len(text) && letter(text[at-1]) && letter(text[at])
}

// replaced puts a value in the place of a part of a text. A preposition of the value replaces the one before the part; where none
// stands before it, the value needs none.
func replaced(s string, from, to int, v value) (string, bool) {
	lead := v.determiner
	if v.preposition != "" {
		before := strings.TrimRight(s[:from], " ")
		at := strings.LastIndexByte(before, ' ') + 1
		if determiners[strings.ToLower(before[at:])] {
			from, before = at, strings.TrimRight(before[:at], " ")
			at = strings.LastIndexByte(before, ' ') + 1
		}
		switch standing := strings.ToLower(before[at:]); {
		case standing == v.preposition, v.kind == code && prepositions[standing]:
			return s[:at] + v.preposition + " " + lead + v.text + s[to:], true
		case v.kind == code, (v.kind == weekday || v.kind == date) && !prepositions[standing] && v.preposition == "on":
			return s[:from] + lead + v.text + s[to:], true
		}
		return "", false // "in 10" is no other "at 9"
	}
	if lead != "" {
		before := strings.TrimRight(s[:from], " ")
		if at := strings.LastIndexByte(before, ' ') + 1; determiners[strings.ToLower(before[at:])] {
			from = at
		}
	}
	return s[:from] + lead + v.text + s[to:], true
}

// doubled reports whether a word follows itself in a text.
func doubled(text string) bool {
	last := ""
	for _, w := range strings.Fields(text) {
		if w = plain(w); w != "" && w == last {
			return true
		}
		last = w
	}
	return false
}

// shareWord reports whether two texts have a word in common: "Marla Dann", "Marla Dunn".
func shareWord(a, b string) bool {
	for _, w := range strings.Fields(a) {
		if slices.ContainsFunc(strings.Fields(b), func(x string) bool { return strings.EqualFold(w, x) }) {
			return true
		}
	}
	return false
}
