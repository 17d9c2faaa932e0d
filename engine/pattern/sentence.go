package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// sentence is a sentence with its clauses.
type sentence struct {
	text     string         // of the source; the words have offsets in it
	words    []extract.Word // at least one
	end      int            // byte offset
	question bool
	place    int      // among the sentences of the text
	main     []int    // indices of the words outside conditions
	conds    []clause // in order
	numbers  bool     // a word is a number
	opinion  int      // byte offset of who thinks so, if that is not the speaker and was dropped; -1: nobody
}

// clause is a subordinate clause or phrase that says when or why.
type clause struct {
	link     string // "when", "after", "because", …
	from, to int    // half-open range of words, without the link
	start    int    // first word of the link
}

// links begin a clause that says when or why. The value is its meaning.
var links = map[string]string{
	"when": "when", "whenever": "when", "if": "when", "while": "when", "during": "when", "where": "when",
	"after": "after", "once": "after", "before": "before", "until": "until", "till": "until", "unless": "unless", "without": "without",
	"because": "because", "since": "because", "upon": "after", "except": "unless", "following": "after", "provided": "when",
}

// lacking are the links to a condition that is not met: the statement holds while it is not.
var lacking = english.WordSet("before until unless without")

// longLinks are links of several words, the longest first.
var longLinks = []struct {
	words []string
	means string
}{
	{[]string{"as", "soon", "as"}, "after"}, {[]string{"as", "long", "as"}, "when"}, {[]string{"in", "the", "event", "of"}, "when"}, {[]string{"on", "the", "back", "of"}, "because"},
	{[]string{"due", "to"}, "because"}, {[]string{"owing", "to"}, "because"}, {[]string{"thanks", "to"}, "because"}, {[]string{"because", "of"}, "because"}, {[]string{"as", "a", "result", "of"}, "because"},
	{[]string{"in", "case"}, "when"}, {[]string{"every", "time"}, "when"}, {[]string{"each", "time"}, "when"}, {[]string{"any", "time"}, "when"}, {[]string{"prior", "to"}, "before"}, {[]string{"ahead", "of"}, "before"},
}

// linkAt returns the link that begins with a word, and its number of words; 0 for none.
func linkAt(words []extract.Word, i int) (means string, n int) {
	for _, l := range longLinks {
		if hasWords(words, i, l.words...) {
			return l.means, len(l.words)
		}
	}
	low := words[i].Low
	if low == "by" && deadline(words[i+1:]) && !measures(words, i) {
		return "before", 1
	}
	if low == "following" && i > 0 && words[i-1].Low == "the" {
		return "", 0
	}
	if means = links[low]; means != "" {
		return means, 1
	}
	return "", 0
}

// deadline reports words that begin with a time: "nine", "noon on Fridays", and not "two reviewers".
func deadline(words []extract.Word) bool {
	if len(words) == 0 || words[0].Number == "" {
		return len(words) > 0 && namesTime(words[0])
	}
	if len(words) == 1 || words[0].SignAfter != 0 {
		return true
	}
	next := words[1].Low
	return next == "am" || next == "pm" || next == "o'clock" || places[next]
}

// changesBy are the stems of verbs whose "by" names an amount: "raise the dose by 5".
var changesBy = stems("raise reduce lower increase decrease change divide multiply cut exceed grow shrink shorten extend divided")

// measures reports a "by" at the i-th word that names an amount and no time: "8 by 11", "divided by four".
func measures(words []extract.Word, i int) bool {
	if i+1 >= len(words) || words[i+1].Number == "" {
		return false
	}
	if i+2 < len(words) && (words[i+2].Low == "am" || words[i+2].Low == "pm" || words[i+2].Low == "o'clock") {
		return false
	}
	return i > 0 && words[i-1].Number != "" || slices.ContainsFunc(words[:i], func(w extract.Word) bool { return changesBy[english.Stem(english.Lemma(w.Low))] })
}

// hasWords reports whether words follow each other from the i-th on.
func hasWords(words []extract.Word, i int, lows ...string) bool {
	if i < 0 || i+len(lows) > len(words) {
		return false
	}
	for k, low := range lows {
		if words[i+k].Low != low {
			return false
		}
	}
	return true
}

// maxSentence is the number of words above which a sentence is not read.
const maxSentence = 60

// maxText is how much of a source is read, in bytes.
const maxText = 4096

// sentencesOf reads the sentences of a text.
func sentencesOf(text string) []*sentence {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	if strings.Contains(text, "```") {
		return nil // code
	}
	var out []*sentence
	for i, x := range apartDemands(extract.Sentences(text)) {
		if len(x.Words) > maxSentence {
			continue
		}
		s := &sentence{text: text, words: x.Words, end: x.End, question: x.Question, place: i, opinion: -1}
		s.dropLabel()
		s.dropReport()
		s.dropAside()
		s.cut()
		out = append(out, s)
	}
	return out
}

// dropLabel drops a label before the sentence: "Note: …", "Rule 3: …". It keeps what a colon
// explains.
func (s *sentence) dropLabel() {
	for i := 0; i < len(s.words)-2 && i < 3; i++ {
		if s.words[i].SignAfter == ':' {
			if !isFailure(s.words[:i+1]) {
				s.words = s.words[i+1:]
			}
			return
		}
	}
}

// maxReport is the number of words that a report has before its "that".
const maxReport = 5

// dropReport drops who says it: "Ada told us that the winch …". A relative clause ("the winch that
// must …") is no report: a verb follows its "that".
func (s *sentence) dropReport() {
	for i := 1; i < len(s.words)-3 && i <= maxReport; i++ {
		if s.words[i].Low != "that" || s.words[i].SignAfter != 0 {
			continue
		}
		next := s.words[i+1].Low
		if copulas[next] || modals[next] || next == "has" || next == "have" || next == "had" || next == "should" || next == "would" || next == "will" || next == "needs" || next == "need" {
			return
		}
		if _, n := linkAt(s.words, 0); n > 0 {
			return
		}
		if opinionOfOthers(s.words[:i]) {
			s.opinion = s.words[0].Start
		}
		s.words = s.words[i+1:]
		return
	}
}

// opining are the lemmas of verbs with which somebody holds something, whoever else agrees.
var opining = english.WordSet("think believe feel reckon find want wish hope suppose guess assume suggest prefer fear doubt")

// opinionOfOthers reports words before a "that" that say what somebody other than the speaker thinks.
func opinionOfOthers(words []extract.Word) bool {
	if base, _ := english.Contraction(words[0].Low); base == "i" || base == "we" {
		return false
	}
	for _, w := range words[1:] {
		if opining[english.Lemma(w.Low)] {
			return true
		}
	}
	return false
}

// maxAside is the number of words that an aside has at most.
const maxAside = 7

// dropAside drops who says it: after the last comma ("the burner trips, Cleo warns", "…, said Cleo", "…, as she told us") or
// before the first comma or colon ("as Dora keeps saying, …", "as the owner said: …").
func (s *sentence) dropAside() {
	s.words = s.words[asideBefore(s.words):]
	n := len(s.words)
	for at := n - 2; at >= max(3, n-maxAside); at-- {
		if s.words[at-1].SignAfter != ',' {
			continue
		}
		who := at
		if s.words[who].Low == "as" {
			who++
		}
		if who < n && extract.SaysWho(s.words[who:], who > at) == n-who {
			s.words, s.end = s.words[:at], s.words[at-1].End
		}
		return
	}
}

// asideBefore returns the number of words before a statement that only say who says it: "as Dora keeps saying, …".
func asideBefore(words []extract.Word) int {
	if len(words) < 3 || words[0].Low != "as" {
		return 0
	}
	n := extract.SaysWho(words[1:], true)
	if n == 0 || n+3 > len(words) {
		return 0
	}
	if sign := words[n].SignAfter; sign == ',' || sign == ':' {
		return n + 1
	}
	return 0 // "as the gauge reports a leak, …" is a condition
}

// cut divides the words into the main clause and conditions. A condition at the beginning ends at
// the first comma, any other at the next sign or link.
func (s *sentence) cut() {
	for i := 0; i < len(s.words); {
		s.numbers = s.numbers || s.words[i].Number != ""
		means, n := linkAt(s.words, i)
		if n == 0 || i+n >= len(s.words) || means == "because" && i == 0 && s.words[i].Low == "since" && s.words[i+1].Number != "" {
			s.main = append(s.main, i)
			i++
			continue
		}
		to := i + n
		for to < len(s.words) {
			if _, more := linkAt(s.words, to); more > 0 && to > i+n {
				break
			}
			s.numbers = s.numbers || s.words[to].Number != ""
			to++
			if sign := s.words[to-1].SignAfter; sign == ',' || sign == ';' || sign == ':' || sign == ')' {
				break
			}
		}
		if i == 0 && to == len(s.words) {
			to = s.openingEnd(i+n, to)
		}
		s.conds = append(s.conds, clause{link: means, from: i + n, to: to, start: i})
		i = to
	}
}

// openingEnd returns where a condition at the beginning ends if no comma says so: before the last
// noun phrase that begins with a determiner or a pronoun, and follows no preposition: "after a cold
// start the pump failed".
func (s *sentence) openingEnd(from, to int) int {
	for i := to - 2; i > from; i-- {
		if openers[s.words[i].Low] && !prepositions[s.words[i-1].Low] && !openers[s.words[i-1].Low] {
			return i
		}
	}
	return to
}

var (
	openers      = english.WordSet("the a an our my your their this these every we you it they i he she nobody no")
	prepositions = english.WordSet("of in on at to by with for from into onto over under near and or than as through between against about is are was were has have had")
)

// low returns the i-th word of the main clause; empty outside it.
func (s *sentence) low(i int) string {
	if i < 0 || i >= len(s.main) {
		return ""
	}
	return s.words[s.main[i]].Low
}

// span returns the text of a range of words.
func (s *sentence) span(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.Join(strings.Fields(s.text[s.words[from].Start:s.words[to-1].End]), " ")
}

// whole returns the sentence as one line that begins with a capital and ends with a full stop.
func (s *sentence) whole() string {
	return s.wholeFrom(s.words[0].Start)
}

// wholeFrom is whole from a byte offset on.
func (s *sentence) wholeFrom(start int) string {
	end := max(s.end, s.words[len(s.words)-1].End)
	return plainSentence(s.text[start:min(end, len(s.text))])
}

// plainSentence puts a sentence into one line with a capital and a full stop.
func plainSentence(text string) string {
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), " .!;,:-")
	if text == "" {
		return ""
	}
	first := []rune(text)[0]
	return strings.ToUpper(string(first)) + text[len(string(first)):] + "."
}

// mainText returns the longest run of the main clause.
func (s *sentence) mainText() string {
	best, from := [2]int{}, 0
	for k := 1; k <= len(s.main); k++ {
		if k < len(s.main) && s.main[k] == s.main[k-1]+1 {
			continue
		}
		if k-from > best[1]-best[0] {
			best = [2]int{from, k}
		}
		from = k
	}
	if best[1] == 0 {
		return ""
	}
	return s.span(s.main[best[0]], s.main[best[1]-1]+1)
}

// condTexts returns the conditions with their links.
func (s *sentence) condTexts() []string {
	var out []string
	for _, c := range s.conds {
		out = append(out, s.span(c.start, c.to))
	}
	return out
}

// plain are words that say nothing about a matter, besides stop words.
var plain = english.WordSet(`not no never always only also even just still yet again ever please really very quite rather please
 must should shall may might can cannot could would will need needs needed have has had allow allowed permit permitted forbid forbidden prohibited
 banned require requires required mandatory obligatory compulsory necessary okay ok fine rule rules policy limit limits limited maximum minimum max min least most
 more less than up to above over below under beyond within exceed exceeds exceeding cap capped higher lower longer fewer greater any every each all
 better best rather more most instead first then next finally afterwards second third lastly later get gets got make makes made do does did done doing be been being one thing things time times
 remember note reminder fact way because due reason cause causes caused today yesterday tomorrow currently usually often generally typically`)

// stemOf returns the stem of a content word; empty for any other.
func stemOf(w extract.Word) string {
	low := w.Low
	if w.Number != "" || english.StopWord(low) || plain[low] || strings.HasSuffix(low, "n't") || len(low) < 2 {
		return ""
	}
	if base, clitic := english.Contraction(low); clitic != "" {
		if _, pronoun := english.PronounOf(base); pronoun {
			return ""
		}
	}
	if weekday, ok := english.Weekday(low); ok {
		return strings.ToLower(weekday.String())
	}
	return english.Stem(english.Lemma(low))
}
