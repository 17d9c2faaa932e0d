package distil

import (
	"cmp"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// MaxWords is the maximum length of a summary.
const MaxWords = 200

// Summary is the summary of several sources.
type Summary struct {
	Text    string // sentences in order of time; empty if none fits or can be used alone
	Words   int    // separated by white space
	Sources []Coverage
	Subject string // the subject that all sources with facts have in common, as written; empty if there is none
}

// Coverage is how much of a source is in a summary.
type Coverage struct {
	ID      graph.ID
	Covered bool   // the summary says all that the source states
	Lost    []Fact // facts of the sentences that the summary does not say; empty if Covered
}

// Distil writes the summary of a group in at most MaxWords words. It is greedy: it repeatedly
// takes the source whose missing sentences add the most new facts per word, times its weight, and
// adds all of them. A sentence that only repeats the summary costs nothing and is not written
// again. If no source fits completely it takes the best single sentences. Sentences are in order
// of time, then id; the order of the sources makes no difference. The summary of a single source
// is its text.
func Distil(sources []Source) Summary {
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, func(a, b Source) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	d := &distiller{budget: MaxWords, chosen: map[*unit]bool{}}
	for i, s := range sources {
		d.sources = append(d.sources, unitsOf(i, s))
		d.weights = append(d.weights, max(s.Weight, 0.01))
	}
	if len(sources) == 1 {
		return Summary{Text: sources[0].Text, Words: len(strings.Fields(sources[0].Text)), Sources: []Coverage{{ID: sources[0].ID, Covered: true}}, Subject: sharedSubject(d.sources)}
	}
	for d.takeSource() {
	}
	if len(d.chosen) == 0 {
		for d.takeUnit() {
		}
	}
	out := Summary{Text: d.text(), Subject: sharedSubject(d.sources)}
	out.Words = len(strings.Fields(out.Text))
	written := read(Source{Text: out.Text})
	for i, s := range sources {
		out.Sources = append(out.Sources, d.coverage(s, d.sources[i], written))
	}
	return out
}

// unit is a sentence with those after it that need it as context. It is used completely or not at
// all.
type unit struct {
	source    int
	sentences []*sentence
	text      string
	words     int
	unusable  bool
}

func unitsOf(source int, s Source) []*unit {
	var out []*unit
	for _, x := range read(s) {
		if x.antecedent != nil {
			u := out[len(out)-1]
			u.sentences = append(u.sentences, x)
			continue
		}
		out = append(out, &unit{source: source, sentences: []*sentence{x}})
	}
	for _, u := range out {
		var parts []string
		for _, x := range u.sentences {
			parts = append(parts, withFullStop(x.text))
			u.unusable = u.unusable || x.unusable
		}
		u.text = strings.Join(parts, " ")
		u.words = len(strings.Fields(u.text))
	}
	return out
}

// withFullStop adds a full stop to a sentence that ended with its line.
func withFullStop(text string) string {
	if strings.HasSuffix(text, "```") || strings.ContainsAny(text[max(0, len(text)-1):], ".!?:;") {
		return text
	}
	if strings.HasSuffix(text, `"`) || strings.HasSuffix(text, "”") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, ")") {
		return text
	}
	return text + "."
}

// distiller is the state of the choice of units.
type distiller struct {
	sources [][]*unit
	weights []float64
	budget  int
	chosen  map[*unit]bool
	said    []*sentence // sentences of the chosen units
	facts   map[Fact]bool
}

// uncovered returns the units of a source that state something the summary does not say yet.
func (d *distiller) uncovered(units []*unit) []*unit {
	var out []*unit
	for _, u := range units {
		if !d.chosen[u] && slices.ContainsFunc(u.sentences, func(s *sentence) bool { return !d.covers(s) }) {
			out = append(out, u)
		}
	}
	return out
}

// covers reports whether the summary says what a sentence states.
func (d *distiller) covers(s *sentence) bool {
	return len(s.facts) == 0 || slices.ContainsFunc(d.said, func(t *sentence) bool { return t == s || entails(t, s) })
}

// gain returns the weight of the facts that units add, and their words.
func (d *distiller) gain(units []*unit) (weight float64, words int) {
	fresh := map[Fact]bool{}
	for _, u := range units {
		words += u.words
		for _, s := range u.sentences {
			for _, f := range s.facts {
				f.Text = ""
				if !d.facts[f] && !fresh[f] {
					fresh[f] = true
					weight += factWeight[f.Kind]
				}
			}
		}
	}
	return weight, words
}

// takeSource takes the missing units of the best source that fits completely. It reports whether
// there was one.
func (d *distiller) takeSource() bool {
	var best []*unit
	bestValue := 0.0
	for i, units := range d.sources {
		missing := d.uncovered(units)
		if len(missing) == 0 || slices.ContainsFunc(missing, func(u *unit) bool { return u.unusable }) {
			continue
		}
		if value, fits := d.gainPerWord(i, missing); fits && value > bestValue {
			best, bestValue = missing, value
		}
	}
	for _, u := range best {
		d.take(u)
	}
	return best != nil
}

// takeUnit takes the best unit that fits. It reports whether there was one.
func (d *distiller) takeUnit() bool {
	var best *unit
	bestValue := 0.0
	for i, units := range d.sources {
		for _, u := range d.uncovered(units) {
			if value, fits := d.gainPerWord(i, []*unit{u}); fits && !u.unusable && value > bestValue {
				best, bestValue = u, value
			}
		}
	}
	if best != nil {
		d.take(best)
	}
	return best != nil
}

// gainPerWord returns the gain per word times the weight of the source, and whether the units fit.
// Units without a new fact have a small gain.
func (d *distiller) gainPerWord(source int, units []*unit) (float64, bool) {
	gain, words := d.gain(units)
	return d.weights[source] * (gain + 0.1) / float64(max(1, words)), words <= d.budget
}

func (d *distiller) take(u *unit) {
	if d.facts == nil {
		d.facts = map[Fact]bool{}
	}
	d.chosen[u] = true
	d.budget -= u.words
	for _, s := range u.sentences {
		d.said = append(d.said, s)
		for _, f := range s.facts {
			f.Text = ""
			d.facts[f] = true
		}
	}
}

// text returns the chosen units in order of time.
func (d *distiller) text() string {
	var parts []string
	for _, units := range d.sources {
		for _, u := range units {
			if d.chosen[u] {
				parts = append(parts, u.text)
			}
		}
	}
	return strings.Join(parts, " ")
}

// coverage compares the facts of a source with the text that was written.
func (d *distiller) coverage(s Source, units []*unit, written []*sentence) Coverage {
	c := Coverage{ID: s.ID}
	var kept []Fact
	for _, u := range units {
		for _, x := range u.sentences {
			if d.covers(x) {
				kept = append(kept, x.facts...)
				continue
			}
			c.Lost = append(c.Lost, x.facts...)
		}
	}
	c.Lost = append(c.Lost, missing(written, kept)...)
	c.Lost = unique(c.Lost)
	c.Covered = len(c.Lost) == 0
	return c
}

func unique(facts []Fact) []Fact {
	var out []Fact
	for _, f := range facts {
		if !slices.ContainsFunc(out, f.same) {
			out = append(out, f)
		}
	}
	return out
}

// entails reports whether t says what s states. Both must be questions or not, have the same
// negations, and t must have the numbers, dates and names of s. In addition, either the words
// without fillers are equal, or s makes one statement, t makes it too, and t has all content words
// of s. If s needs another sentence as context, that of t must entail it.
func entails(t, s *sentence) bool {
	if s.antecedent != nil && (t.antecedent == nil || !entails(t.antecedent, s.antecedent)) {
		return false
	}
	if t.question != s.question || t.negations != s.negations || !isSubset(s.numbers, t.numbers) || !isSubset(s.dates, t.dates) || !isSubset(s.names, t.names) {
		return false
	}
	if slices.Equal(t.content, s.content) && isSubsequence(s.numbers, t.numbers) {
		return true
	}
	return len(s.statements) == 1 && !s.question && slices.ContainsFunc(t.statements, func(x extract.Statement) bool { return sameStatement(x, s.statements[0]) }) &&
		!slices.ContainsFunc(s.content, func(w string) bool { return !t.words[w] && isContentWord(w) })
}

func sameStatement(a, b extract.Statement) bool {
	return extract.Canonical(a.Subject) == extract.Canonical(b.Subject) && a.Predicate == b.Predicate && slices.Equal(singularWords(a.Object), singularWords(b.Object))
}

// isSubset reports whether each of a is in b.
func isSubset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// isSubsequence reports whether a is in b, in the same order.
func isSubsequence(a, b []string) bool {
	i := 0
	for _, x := range b {
		if i < len(a) && a[i] == x {
			i++
		}
	}
	return i == len(a)
}

// sharedSubject returns what each source with facts is about or names. Of several it returns the
// one that most sentences are about, then the longest, then the first in the alphabet.
func sharedSubject(sources [][]*unit) string {
	type subject struct {
		in, about, last int
		text            string
	}
	all := map[string]*subject{}
	stating := 0
	for i, units := range sources {
		states := false
		for _, u := range units {
			for _, s := range u.sentences {
				for _, f := range s.facts {
					states = true
					if f.Kind != Subject && f.Kind != Name {
						continue
					}
					x := all[f.Canonical]
					if x == nil {
						x = &subject{last: -1}
						all[f.Canonical] = x
					}
					if x.last != i {
						x.in, x.last = x.in+1, i
					}
					if f.Kind == Subject {
						x.about++
						if x.text == "" {
							x.text = f.Text
						}
					}
				}
			}
		}
		if states {
			stating++
		}
	}
	best := ""
	for canonical, x := range all {
		if x.in < stating || x.about == 0 {
			continue
		}
		if best == "" || isBetterSubject(x.about, canonical, all[best].about, best) {
			best = canonical
		}
	}
	if best == "" {
		return ""
	}
	return all[best].text
}

func isBetterSubject(about int, canonical string, than int, other string) bool {
	return cmp.Or(cmp.Compare(about, than), cmp.Compare(len(canonical), len(other)), cmp.Compare(other, canonical)) > 0
}
