package distil

import (
	"cmp"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// MaxWords is how long a summary is at most (SPEC section 9).
const MaxWords = 200

// Summary is several sources in one text.
type Summary struct {
	Text    string // sentences by time; empty where nothing fits or may stand alone
	Words   int    // separated by white space
	Sources []Coverage
	Subject string // what all sources that state something are about, as written; empty: nothing they share
}

// Coverage says what became of a source.
type Coverage struct {
	ID      graph.ID
	Covered bool   // all that it states is in the text
	Lost    []Fact // of the sentences that are not in the text; none where it is covered
}

// Distil writes the summary of a group in at most MaxWords words. It covers as much as
// it can, weighted: again and again the source whose missing sentences bring the most
// new facts a word, times its weight, is taken in whole; a sentence that only repeats
// what is there costs nothing and is not written twice. Where no source fits whole the
// best single sentences stand. Sentences come by time, then id; the order of the
// sources does not count. One source alone is answered as it is.
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

// unit is what stands together or not at all: a sentence with those that lean on it.
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

// withFullStop ends a sentence that a line ended.
func withFullStop(text string) string {
	if strings.HasSuffix(text, "```") || strings.ContainsAny(text[max(0, len(text)-1):], ".!?:;") {
		return text
	}
	if strings.HasSuffix(text, `"`) || strings.HasSuffix(text, "”") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, ")") {
		return text
	}
	return text + "."
}

// distiller is a choice of units under way.
type distiller struct {
	sources [][]*unit
	weights []float64
	budget  int
	chosen  map[*unit]bool
	said    []*sentence // of the chosen units
	facts   map[Fact]bool
}

// uncovered are the units of a source that state something the text does not say yet.
func (d *distiller) uncovered(units []*unit) []*unit {
	var out []*unit
	for _, u := range units {
		if !d.chosen[u] && slices.ContainsFunc(u.sentences, func(s *sentence) bool { return !d.covers(s) }) {
			out = append(out, u)
		}
	}
	return out
}

// covers reports whether what a sentence states is in the text.
func (d *distiller) covers(s *sentence) bool {
	return len(s.facts) == 0 || slices.ContainsFunc(d.said, func(t *sentence) bool { return t == s || entails(t, s) })
}

// gain is the worth of the facts that units add, and what they cost in words.
func (d *distiller) gain(units []*unit) (worthOf float64, words int) {
	fresh := map[Fact]bool{}
	for _, u := range units {
		words += u.words
		for _, s := range u.sentences {
			for _, f := range s.facts {
				f.Text = ""
				if !d.facts[f] && !fresh[f] {
					fresh[f] = true
					worthOf += factWeight[f.Kind]
				}
			}
		}
	}
	return worthOf, words
}

// takeSource takes in what is missing of the best source that fits whole.
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

// takeUnit takes the best unit that fits.
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

// gainPerWord is worth a word, by the weight of the source. What brings no new fact but is
// not said yet still has a little.
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

// text is the chosen units by time.
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

// coverage looks the facts of a source up in what was written.
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

// entails reports whether t says what s states. Both ask or both don't, both deny alike,
// and the numbers and dates of s stand in t; and either their words are the same ones in
// the same order but for fillers, or s makes one statement which t makes too and has
// no word besides that t has not. Where s leans on a sentence, t leans on one that says
// the same.
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
	return extract.Canonical(a.Subject) == extract.Canonical(b.Subject) && a.Predicate == b.Predicate && slices.Equal(stems(a.Object), stems(b.Object))
}

// isSubset reports whether each of a stands in b.
func isSubset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// isSubsequence reports whether a stands in b in its order.
func isSubsequence(a, b []string) bool {
	i := 0
	for _, x := range b {
		if i < len(a) && a[i] == x {
			i++
		}
	}
	return i == len(a)
}

// sharedSubject is what each source that states something is about or names: of
// several the one that most sentences are about, the longer of equals, then the first
// in the alphabet.
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
