package distil

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Thresholds of a template.
const (
	minTemplateWords = 2   // words that all lines have in common
	commonShare      = 0.6 // of the words of each line
	maxSlots         = 4   // places where lines differ
	maxWordSlots     = 2   // of them, places that differ in words
	maxSlotTokens    = 4   // tokens of a line in one place
)

// tokenKind is the kind of a foldToken.
type tokenKind int

const (
	wordToken tokenKind = iota
	numberToken
	dateToken
)

// foldToken is a word, a number or a date of a line. Words that make no difference are none.
type foldToken struct {
	key        string // equal for equal tokens
	kind       tokenKind
	start, end int // in the text of the line
	negates    bool
	thing      bool // part of a name that is not a person's
}

// foldTokens returns the tokens of a text. things are the words of names of things.
func foldTokens(text string, at time.Time, things map[string]bool) []foldToken {
	var out []foldToken
	times := timesIn(text, at)
	ws := wordsOf(text)
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if k := slices.IndexFunc(times, func(t timeExpression) bool { return w.Start >= t.start && w.Start < t.end }); k >= 0 {
			t := times[k]
			if n := len(out); n == 0 || out[n-1].kind != dateToken || out[n-1].end < w.Start {
				out = append(out, foldToken{key: "\x00" + t.canonical, kind: dateToken, start: t.start, end: t.end})
			}
			continue
		}
		switch {
		case w.Negates:
			out = append(out, foldToken{key: "not", start: w.Start, end: w.End, negates: true})
		case isNumber(w):
			t := foldToken{key: numberWithUnit(text, ws, i), kind: numberToken, start: w.Start, end: w.End}
			if isUnitSign(w.SignAfter) {
				t.end += len(string(w.SignAfter))
			}
			if isUnitSign(w.SignBefore) && strings.HasSuffix(text[:w.Start], string(w.SignBefore)) || strings.HasPrefix(t.key, "-") {
				t.start -= len(string(w.SignBefore))
			}
			if strings.HasSuffix(t.key, "am") || strings.HasSuffix(t.key, "pm") {
				i++
				t.end = ws[i].End
			}
			out = append(out, t)
		case fillers[w.Low] || repeatWords[w.Low]:
		default:
			out = append(out, foldToken{key: english.Lemma(w.Low), start: w.Start, end: w.End, thing: things[w.Low]})
		}
	}
	return out
}

func isUnitSign(r rune) bool { return r == '%' || r == '€' || r == '$' || r == '£' }

var (
	// repeatWords make no difference between repetitions: the count, the days and the owner of the
	// memory say it too.
	repeatWords = english.WordSet("again still today now currently once more was were i my me")
	copulas     = map[string]string{"is": "was", "are": "were"}
)

// thingsOf returns the words of the names in a text that are not names of persons.
func thingsOf(text, speaker string) map[string]bool {
	things := map[string]bool{}
	for _, e := range extract.Text(text, extract.Hints{Speaker: speaker}).Entities {
		if e.Type == graph.Person {
			continue
		}
		for _, w := range wordsOf(e.Name) {
			things[w.Low] = true
		}
	}
	return things
}

// template is what lines have in common.
type template struct {
	fixed []string // keys of tokens, in order
	lines []*line
}

// miner sorts lines into templates.
type miner struct {
	templates []*template
	byKey     map[string][]*template // those that have, or had, the key
}

func newMiner() *miner { return &miner{byKey: map[string][]*template{}} }

// add adds a line to the template that shares most of its words, or to a new one.
func (m *miner) add(l *line) *template {
	shared := map[*template]int{}
	var near []*template
	for _, k := range slices.Compact(slices.Sorted(slices.Values(l.keys()))) {
		for _, t := range m.byKey[k] {
			if shared[t]++; shared[t] == minTemplateWords {
				near = append(near, t)
			}
		}
	}
	slices.SortStableFunc(near, func(a, b *template) int { return shared[b] - shared[a] })
	for _, t := range near[:min(len(near), maxNear)] {
		if fixed := t.with(l); fixed != nil {
			t.fixed, t.lines = fixed, append(t.lines, l)
			l.template = t
			return t
		}
	}
	t := &template{fixed: l.keys(), lines: []*line{l}}
	m.templates = append(m.templates, t)
	for _, k := range slices.Compact(slices.Sorted(slices.Values(t.fixed))) {
		m.byKey[k] = append(m.byKey[k], t)
	}
	l.template = t
	return t
}

// maxNear is the number of templates that a line is compared with.
const maxNear = 16

func (l *line) keys() []string {
	keys := make([]string, len(l.tokens))
	for i, t := range l.tokens {
		keys[i] = t.key
	}
	return keys
}

// with returns the fixed keys of the template with one more line; nil if the line does not fit.
func (t *template) with(l *line) []string {
	fixed := commonSubsequence(t.fixed, l.keys())
	lines := append(slices.Clip(t.lines), l)
	slots := make([]struct{ empty, words bool }, len(fixed)+1)
	filled := make([]bool, len(fixed)+1)
	for _, x := range lines {
		words := 0
		for _, at := range x.positions(fixed) {
			if x.tokens[at].kind == wordToken {
				words++
			}
		}
		if words < minTemplateWords || float64(words) < commonShare*float64(x.words) {
			return nil
		}
		for i, gap := range x.gaps(fixed) {
			if len(gap) > maxSlotTokens {
				return nil
			}
			slots[i].empty = slots[i].empty || len(gap) == 0
			filled[i] = filled[i] || len(gap) > 0
			for _, token := range gap {
				if token.negates || token.thing {
					return nil
				}
				slots[i].words = slots[i].words || token.kind == wordToken
			}
		}
	}
	all, wordy := 0, 0
	for i, s := range slots {
		if !filled[i] {
			continue
		}
		if s.empty {
			return nil
		}
		all++
		if s.words {
			wordy++
		}
	}
	if all > maxSlots || wordy > maxWordSlots {
		return nil
	}
	return fixed
}

// positions returns the positions of the fixed keys among the tokens of the line.
func (l *line) positions(fixed []string) []int {
	out := make([]int, 0, len(fixed))
	for i, t := range l.tokens {
		if len(out) < len(fixed) && t.key == fixed[len(out)] {
			out = append(out, i)
		}
	}
	return out
}

// gaps returns the tokens before, between and after the fixed ones.
func (l *line) gaps(fixed []string) [][]foldToken {
	out := make([][]foldToken, 0, len(fixed)+1)
	from := 0
	for _, at := range l.positions(fixed) {
		out = append(out, l.tokens[from:at])
		from = at + 1
	}
	return append(out, l.tokens[from:])
}

// commonSubsequence returns the longest common subsequence of two lists.
func commonSubsequence(a, b []string) []string {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
