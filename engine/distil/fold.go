package distil

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// MaxOccurrences is the maximum number of sources of a [Fold].
const MaxOccurrences = 64

// Fold is one statement that stands for sources that repeat each other.
type Fold struct {
	Text        string       // "Standup, 5 times from 3 to 9 March: …"
	Words       int          // separated by white space, at most MaxWords
	Subject     string       // the subject that all sources have in common, as written; empty if there is none
	Differs     bool         // what the sources say differs in a place; of "Sync 3: the build is green" that is what follows the label
	Numbered    bool         // the label differs: "Sync 3", "Sync 4"
	Whole       bool         // the sources say nothing else
	Occurrences []Occurrence // by time, then id; 2 to MaxOccurrences
}

// Occurrence is one source of a fold.
type Occurrence struct {
	ID graph.ID  `json:"id"`
	At time.Time `json:"at"`
}

// IDs returns the ids of the sources, by time.
func (f Fold) IDs() []graph.ID {
	ids := make([]graph.ID, len(f.Occurrences))
	for i, o := range f.Occurrences {
		ids[i] = o.ID
	}
	return ids
}

// Folds finds sources that repeat each other and writes one statement for each such group: a count,
// the range of days, and the words that the sources have in common, with a list where they differ.
// "Ran 5 km", "Ran 6 km" and "Ran 5 km" become "3 times from 2 to 9 March: Ran 5, 6 and 5 km."
//
// Sources repeat each other if the longest sentence of each fits one template: the words that all
// have, in the same order, with up to four places where they differ in a number, a date or a few
// words. The templates are found as in Spell (Du, Li, "Spell: Streaming Parsing of System Event
// Logs", ICDM 2016): the longest common subsequence of a sentence and a template becomes the
// template if it has most of the words of all its sentences. Places differ in all sources or in
// none. A negation never differs, nor does the name of anything but a person.
//
// Every subject, number, date and name of the sources is in the text, except the day on which a
// source was said: that is in Occurrences. A source with a question, code, or a sentence that can't
// be used alone is in no fold. The order of the sources makes no difference; folds are sorted by
// their first occurrence.
func Folds(sources []Source) []Fold {
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, func(a, b Source) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	var told []*account
	m := newMiner()
	for _, s := range sources {
		if a := readAccount(s); a != nil {
			told = append(told, a)
			m.add(a.main)
		}
	}
	groups := map[*template][]*account{}
	var order []*template
	for _, a := range told {
		t := a.main.template
		if groups[t] == nil {
			order = append(order, t)
		}
		groups[t] = append(groups[t], a)
	}
	var out []Fold
	for _, t := range order {
		for part := range slices.Chunk(groups[t], MaxOccurrences) {
			out = append(out, foldsOf(part)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Fold) int {
		return cmp.Or(a.Occurrences[0].At.Compare(b.Occurrences[0].At), cmp.Compare(a.Occurrences[0].ID, b.Occurrences[0].ID))
	})
	return out
}

// account is a source as a list of sentences.
type account struct {
	source Source // its text is without the day on which it was said
	lines  []*line
	main   *line   // the longest
	units  []*unit // as read, for the facts
}

// line is a sentence of an account.
type line struct {
	account  *account
	text     string
	tokens   []foldToken
	words    int // tokens other than numbers and dates
	template *template
}

// readAccount reads a source; nil if it can't be folded.
func readAccount(s Source) *account {
	if hasCode(s.Text) || s.At.IsZero() {
		return nil
	}
	s.Text = withoutRepeats(withoutDay(s.Text, s.At))
	a := &account{source: s, units: unitsOf(0, s)}
	things := thingsOf(s.Text, s.Speaker)
	for _, u := range a.units {
		if u.unusable || slices.ContainsFunc(u.sentences, func(x *sentence) bool { return x.question }) {
			return nil
		}
		l := &line{account: a, text: u.text}
		l.tokens = foldTokens(l.text, s.At, things)
		for _, t := range l.tokens {
			if t.kind == wordToken {
				l.words++
			}
		}
		if l.words == 0 && len(l.tokens) == 0 {
			continue // small talk
		}
		a.lines = append(a.lines, l)
		if a.main == nil || l.words > a.main.words {
			a.main = l
		}
	}
	if a.main == nil || a.main.words < minTemplateWords {
		return nil
	}
	return a
}

// foldsOf folds accounts whose main lines have one template. If the text is too long, it folds
// each half. Accounts that would lose a fact are left out.
func foldsOf(group []*account) []Fold {
	if len(group) < 2 {
		return nil
	}
	f := foldText(group)
	words := f.Words
	if words > MaxWords {
		return append(foldsOf(group[:len(group)/2]), foldsOf(group[len(group)/2:])...)
	}
	written := read(Source{Text: f.Text})
	kept := slices.DeleteFunc(slices.Clone(group), func(a *account) bool { return len(missing(written, a.facts())) > 0 })
	if len(kept) < len(group) {
		return foldsOf(kept)
	}
	var units [][]*unit
	for _, a := range group {
		f.Occurrences = append(f.Occurrences, Occurrence{a.source.ID, a.source.At})
		units = append(units, a.units)
	}
	f.Subject = sharedSubject(units)
	return []Fold{f}
}

// facts returns the facts of an account, without the day on which it was said.
func (a *account) facts() []Fact {
	var all []Fact
	for _, u := range a.units {
		for _, x := range u.sentences {
			all = append(all, x.facts...)
		}
	}
	return unique(all)
}

// foldText writes the statement for a group of accounts.
func foldText(group []*account) (f Fold) {
	span := span{group[0].source.At.UTC(), group[len(group)-1].source.At.UTC()}
	mains := make([]*line, len(group))
	m := newMiner()
	var others []*template
	for i, a := range group {
		mains[i] = a.main
		for _, l := range a.lines {
			if l == a.main {
				continue
			}
			if t := m.add(l); len(t.lines) == 1 {
				others = append(others, t)
			}
		}
	}
	var first, last string // what the accounts say before their main lines, and after them
	for _, t := range others {
		said, _ := templateText(t.lines, span)
		if len(t.lines) < len(group) {
			said = withParenthesis(said, span.partText(t.lines))
		}
		if t.lines[0].beforeMain() {
			first += said + " "
		} else {
			last += " " + said
		}
	}
	body, places := templateText(mains, span)
	count := times(len(group)) + " " + span.text()
	label, rest := cutLabel(body)
	if first != "" {
		label = ""
	}
	f.Text = capitalised(count) + ": " + first + body
	if label != "" {
		f.Text = label + ", " + count + ": " + rest
	}
	f.Text += last
	f.Numbered = len(places) > 0 && places[0] < len(label)
	f.Whole = len(others) == 0
	f.Differs = !f.Whole || len(places) > 0 && places[len(places)-1] >= len(label)
	f.Words = len(strings.Fields(f.Text))
	return f
}

// beforeMain reports whether a line comes before the main line of its account.
func (l *line) beforeMain() bool {
	return slices.Index(l.account.lines, l) < slices.Index(l.account.lines, l.account.main)
}

// cutLabel cuts a text like "Standup: the build is green." after its label.
func cutLabel(text string) (label, rest string) {
	label, rest, found := strings.Cut(text, ": ")
	if !found || rest == "" || len(strings.Fields(label)) > maxLabel || strings.ContainsAny(label, ".!?") {
		return "", text
	}
	return label, rest
}

// maxLabel is the maximum number of words of a label.
const maxLabel = 16

// withParenthesis adds a note before the sign that ends a sentence.
func withParenthesis(text, note string) string {
	end := len(strings.TrimRight(text, ".!"))
	return text[:end] + " (" + note + ")" + cmp.Or(text[end:], ".")
}

// repeatPhrases say that nothing has changed since the last time.
var repeatPhrases = func() (all [][]string) {
	for _, line := range wordLists.Lines("repeatPhrases") {
		all = append(all, strings.Fields(line))
	}
	return all
}()

// withoutRepeats removes the phrases of a text that say that nothing has changed: "nothing new" as a clause of its own before a comma or at
// the end, "as before" at the end of a sentence. The count of a fold says it too.
func withoutRepeats(text string) string {
	for i := 0; ; i++ {
		ws := wordsOf(text)
		if i >= len(ws) {
			return text
		}
		for _, phrase := range repeatPhrases {
			if shorter, ok := withoutRepeat(text, ws, i, phrase); ok {
				text, i = shorter, i-1
				break
			}
		}
	}
}

// withoutRepeat removes a phrase at the i-th word of a text; false: it is not there, or it is a part of what is said.
func withoutRepeat(text string, ws []extract.Word, i int, phrase []string) (string, bool) {
	last := i + len(phrase) - 1
	if last >= len(ws) || !slices.EqualFunc(ws[i:last+1], phrase, func(w extract.Word, p string) bool { return w.Low == p }) {
		return text, false
	}
	before, after := strings.TrimRight(text[:ws[i].Start], " "), text[ws[last].End:]
	opens := before == "" || strings.ContainsAny(before[len(before)-1:], ",;:.!?")
	if !opens && (phrase[0] != "as" || english.StopWord(ws[i-1].Low)) { // "made no progress", "is the same as before", "is as before"
		return text, false
	}
	switch {
	case strings.HasPrefix(after, ",") && before == "":
		return capitalised(strings.TrimLeft(after, " ,")), true
	case before == "":
		return text, false
	case strings.HasPrefix(after, ",") && !strings.HasSuffix(before, ","):
		after = after[1:]
	case strings.Trim(after, " .!") != "" && !strings.HasPrefix(after, ".") && !strings.HasPrefix(after, ","):
		return text, false
	default:
		before = strings.TrimRight(before, ",")
	}
	return before + after, true
}

// withoutDay removes the times of a text that say the day on which it was said. The occurrence has
// the day.
func withoutDay(text string, at time.Time) string {
	day := at.UTC().Format(dayForm)
	for {
		found := timesIn(text, at)
		i := slices.IndexFunc(found, func(t timeExpression) bool { return t.canonical == day && !t.undatable })
		if i < 0 {
			return text
		}
		before, after := strings.TrimRight(text[:found[i].start], " "), text[found[i].end:]
		switch {
		case before == "":
			after = capitalised(strings.TrimLeft(after, " ,"))
		case strings.HasPrefix(after, ",") && strings.HasSuffix(before, ","):
			after = after[1:]
		case after != "" && !strings.ContainsAny(after[:1], " ,.;:!?)"):
			after = " " + after
		}
		text = strings.TrimSpace(before + after)
	}
}
