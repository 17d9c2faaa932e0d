package pattern

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// People do not say a thing in the same form each time: "invoices must be signed by Monika", "Monika signs all invoices". A sentence
// without the form of a demand, a preference or a failure founds no pattern. It seconds what its writer also says in that form, if it
// has the words that those statements share, mostly says these, and says them with the same polarity. What says the opposite in no
// form counts neither for nor against.

const (
	seeds      = 2      // sources that say it in form, before others second them
	sharedBy   = 2. / 3 // share of those that have a word which a second should have
	mostShared = 2. / 3 // share of these words that a second has
	mostlyFrom = 0.5    // and the share of its words that they are
)

// second adds to matters the sources that second them.
func (f *finder) second(all []*matter) {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *matter) int { return cmp.Compare(len(b.all), len(a.all)) })
	for i, m := range order {
		f.secondMatter(m)
		for _, o := range order[i+1:] { // what seconds a larger matter is none of its own
			if o.kind == m.kind && len(m.seconds) > 0 {
				o.all = slices.DeleteFunc(o.all, func(st *statement) bool {
					return slices.ContainsFunc(m.seconds, func(x *statement) bool { return x.source == st.source && x.from.place == st.from.place })
				})
			}
		}
	}
}

func (f *finder) secondMatter(m *matter) {
	var lead []*statement
	in, by := map[int]bool{}, map[string]bool{}
	known := false
	for _, st := range m.all {
		in[st.source] = true
		if st.may {
			continue
		}
		lead = append(lead, st)
		if known = known || st.source < 0; st.source >= 0 {
			by[f.sources[st.source].Principal] = true
		}
	}
	if len(in) < seeds && !known || len(lead) == 0 {
		return
	}
	common := sharedWords(lead)
	if lead[0].kind == graph.StatedPreference {
		common = append(common, strings.Fields(lead[0].holder)...)
	}
	if !f.words.boundAmong(common) || !f.bound(lead) {
		return
	}
	for _, i := range f.words.with(common) {
		if s := f.sources[i]; !in[i] && by[s.Principal] {
			for _, x := range sentencesOf(s.Text) {
				if st := f.seconding(x, lead, common); st != nil {
					st.source = i
					m.seconds = append(m.seconds, st)
					break
				}
			}
		}
	}
}

// with returns the sources with enough of some words, ascending.
func (m *meetings) with(words []string) (out []int) {
	count := map[int32]int{}
	for _, w := range words {
		for _, i := range m.of[w] {
			count[i]++
		}
	}
	for i, n := range count {
		if float64(n) >= mostShared*float64(len(words)) && n > 1 {
			out = append(out, int(i))
		}
	}
	slices.Sort(out)
	return out
}

// said returns the words of a statement with its numbers.
func (st *statement) said() map[string]bool {
	out := maps.Clone(st.stems)
	for _, v := range st.values {
		out["="+v.number] = true
	}
	return out
}

// seconding returns what a sentence says if it seconds statements that share some words; nil if it does not.
func (f *finder) seconding(x *sentence, lead []*statement, common []string) *statement {
	if x.question || len(x.words) < 3 {
		return nil
	}
	st := &statement{kind: lead[0].kind, from: x}
	st.content(x, nil)
	st.sign = 1
	if negatives := x.denials() - lackingIn(x); negatives%2 == 1 {
		st.sign = -1
	}
	st.demand(x)
	said := st.said()
	has := slices.DeleteFunc(slices.Clone(common), func(w string) bool { return !said[w] })
	if float64(len(has)) < mostShared*float64(len(common)) || float64(len(has)) < mostlyFrom*float64(len(said)) || !f.words.boundAmong(has) {
		return nil
	}
	if st.kind != graph.FailureSignature && x.tells() {
		return nil
	}
	for _, o := range lead {
		if st.kind == graph.StatedPreference && o.holder != lead[0].holder {
			continue
		}
		if f.seconds(st, o, has) {
			st.with = o
			return st
		}
	}
	return nil
}

// seconds reports whether a sentence says what a statement says.
func (f *finder) seconds(st, o *statement, has []string) bool {
	x := st.from
	if otherValue(st.values, o.values) {
		return false
	}
	switch o.kind {
	case graph.StatedPreference:
		return x.speaksOf(o.holder) && x.prefers(o, has) && !st.opposed(o)
	case graph.Constraint:
		denied, removes := st.sign < 0, x.removes()
		if st.opposed(o) {
			denied = !denied
		}
		if st.order*o.order < 0 && st.sameCondition(o) {
			return false
		}
		if st.turnsTo(o) {
			denied = false
		}
		return (denied != removes) == ((o.sign < 0) != o.from.removes())
	}
	return o.sign > 0 && (x.denials() == 0 || x.refuses()) && !slices.ContainsFunc(workingWords, func(w string) bool {
		return slices.ContainsFunc(x.words, func(y extract.Word) bool { return y.Low == w && y.Low != "working" })
	})
}

// denials counts the words of a sentence that deny, forbid or except.
func (s *sentence) denials() (n int) {
	for i := range s.words {
		if s.denies(i) {
			n++
		}
	}
	return n
}

func (s *sentence) denies(i int) bool {
	w := s.words[i]
	return w.Negates || w.Low == "no" || w.Low == "nobody" || prohibited[w.Low] || lacking[w.Low]
}

// removing say that something is to be taken away: "shoes off" is "no shoes".
var removing = english.WordSet("off out away")

// removes reports a word that takes something away at the end of its phrase.
func (s *sentence) removes() bool {
	for i, w := range s.words {
		if !removing[w.Low] {
			continue
		}
		if _, linked := linkAt(s.words, min(i+1, len(s.words)-1)); linked > 0 {
			return true
		}
		if i+1 == len(s.words) || w.SignAfter != 0 || prepositions[s.words[i+1].Low] || i > 0 && english.Lemma(s.words[i-1].Low) == "take" || i > 0 && english.Lemma(s.words[i-1].Low) == "come" {
			return true
		}
	}
	return false
}

// tells reports a sentence in the past: it tells what was once.
func (s *sentence) tells() bool {
	for k := range s.main {
		low := s.low(k)
		if low == "was" || low == "were" || low == "had" || low == "did" || low == "didn't" || low == "wasn't" {
			return true
		}
		if !isPast(low) || english.Lemma(low) == low {
			continue
		}
		passive := false
		for j := max(0, k-3); j < k; j++ {
			passive = passive || copulas[s.low(j)] || s.low(j) == "gets" || s.low(j) == "get" || s.low(j) == "have" || s.low(j) == "has"
		}
		if !passive {
			return true
		}
	}
	return false
}

// speaksOf reports whether a sentence is about who prefers something.
func (s *sentence) speaksOf(holder string) bool {
	named := false
	for w := range strings.FieldsSeq(holder) {
		named = true
		if !slices.ContainsFunc(s.words, func(x extract.Word) bool { return stemOf(x) == w || x.Low == w }) {
			named = false
			break
		}
	}
	return named || slices.ContainsFunc(s.words, func(x extract.Word) bool {
		base, _ := english.Contraction(x.Low)
		return speaking[base] && holder != "" || holder == "" && (speaking[base] || base == "we" || base == "our")
	})
}

var speaking = english.WordSet("i me my mine")

// prefers reports whether a sentence denies none of the words that a preference has for what is preferred, and denies those for what is
// avoided, or puts them after a word that compares.
func (s *sentence) prefers(o *statement, has []string) bool {
	from := 0
	for to := 1; to <= len(s.words); to++ {
		if to < len(s.words) && s.words[to-1].SignAfter == 0 {
			continue
		}
		denied, compared := false, false
		for i := from; i < to; i++ {
			denied = denied || s.denies(i)
			compared = compared || comparing[s.words[i].Low]
			word := stemOf(s.words[i])
			if !slices.Contains(has, word) || o.plus[word] == o.minus[word] {
				continue
			}
			if o.plus[word] == (denied || compared) {
				return false
			}
		}
		from = to
	}
	return true
}
