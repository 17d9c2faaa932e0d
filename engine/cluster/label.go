package cluster

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// LabelInput is what a label is made from.
type LabelInput struct {
	Members *Terms // of the members of the cluster
	All     *Terms // of all clusters, this one included, and of any other memories
	Classes int    // number of clusters that All was counted from, ≥ 1
	// Spread is the number of those clusters with each word, see Spread; nil: it is not known, and no word is general.
	Spread map[string]int
	Medoid string // text of the medoid; may be empty
	// Taken are labels of other clusters. A label of one part that is taken gets a second one, if there
	// is any noun for it.
	Taken map[string]bool
	// People are the lemmas of the names of people whom the members mention, as far as they are known.
	People map[string]bool
}

// ClusterLabel says in words what a cluster is about.
type ClusterLabel struct {
	Text  string // in sentence case, "Winch and weather"; empty if the members have no term in common
	Terms []Term // the most typical first, at most maxTerms
	// Share is the share of the members that have what Text says: of two parts the more frequent one. 0: Text is empty.
	Share float64
	// Matter is the number of members that have a part of Text that is not the name of a person: of two parts the more
	// frequent one. 0: there is none, or Text is a saying.
	Matter int
	Nouns  []string // lemmas of nouns that three members have: those that Text is made from first, then the most typical; empty if Text is a saying
	// Weak reports that Text is only the name of a person, a unit of measure, words that many clusters have, or a saying
	// of a few members, and that the members share nothing else: all occur in many matters.
	Weak bool
}

// Term is a typical word or phrase of a cluster.
type Term struct {
	Text    string  // as people write it
	Weight  float64 // > 0, see Label
	Members int     // memories with it
}

const (
	maxTerms      = 10
	maxWords      = 4   // words of a label, without "and"
	secondShare   = 0.4 // weight of the second part of a label relative to the first
	parallelShare = 0.6 // weight of a second part of the kind of the first relative to a heavier one of another kind
	phraseShare   = 0.5 // share of the memories with a word that must have the phrase that replaces it
	phraseMostly  = 0.6 // … if fewer than a third of the members have the phrase, see specific
	medoidBoost   = 1.25
	lift          = 1.5    // minimum ratio of the share of members with a word of a label to that of other memories
	noLift        = 1      // … if no word has that
	covering      = 1. / 3 // share of the members from which on the share itself does not lower the weight of a term
	dominated     = 0.5    // share of the members from which on a noun names the cluster even if a saying is more frequent
	leastSecond   = 3      // members that must have the second part of a label
	telling       = 0.25   // share of the members that must have the first term of a label, or a saying
	samePhrase    = 1. / 3 // share of the texts with the rarer of two terms that have both in one phrase, from which on they are one part
)

// Label names a cluster by its typical terms. The weight of a term is that of class-based TF-IDF
// (Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// arXiv:2203.05794): tf·log(1 + A/f). tf is the number of members with the term, f that of all
// memories, and A the mean number of words in a class. Terms of the medoid weigh a quarter more.
// A term of fewer than a third of the members weighs less, in proportion to its share of them: it
// does not say what the cluster is about.
//
// A label consists of nouns and phrases that end in a noun; what is a noun is read from the words
// around it in all texts. A phrase replaces its words if half of the members with the best of
// them have it. The second part of a label has a third of the members, and does not often
// occur in one phrase with the first: two names of one phrase are one part, "Professor Demir".
// A unit, which mostly follows a number, is part of a label only if there is no other, and so is an open noun, which mostly
// has "of" or a number after it; with what follows it names the cluster: "loss of Heron". A noun of half of the members
// comes before the name of a person, and such a name alone gets a second part if there is a noun for it: people take
// part in many matters. So does a term of fewer than a third of the members, and one of at most half of fewer than six.
// In a small cluster, a general word, which four and more than an eighth of the other clusters have, comes after other
// nouns of half of the members, is no part unless more than half of them have it, and gets a second part too. What few
// members may have in common by chance is no part.
// In the text, a word that three fifths of the members with it have in one phrase becomes that phrase, and the name of
// a place or of a thing alone gets a noun of half of the members. Who takes part is the second part only if nothing else is.
// A saying names the cluster if more members have it than any noun, no noun has half of them, and no other cluster has that
// label, unless nothing else tells them apart. The text is empty if no
// noun and no saying has enough members. A term that fewer than three members have
// (two in clusters of fewer than six) is never used, because it would reveal a single memory.
func Label(in LabelInput) ClusterLabel {
	l := newLabelling(in)
	var out ClusterLabel
	for _, c := range l.candidates {
		if len(out.Terms) == maxTerms {
			break
		}
		if !l.repeats(out.Terms, c) {
			out.Terms = append(out.Terms, Term{l.written(c), c.weight, c.count.texts})
		}
	}
	out.Text, out.Weak = l.compose()
	out.Share, out.Matter = l.having, l.matter
	if len(l.keys) > 0 {
		out.Nouns = l.nounsAfter(l.keys, maxTerms)
	}
	return out
}

// nounsAfter returns lemmas and those of other nouns of three members or more, at most limit.
func (l *labelling) nounsAfter(first []string, limit int) []string {
	out := slices.Clone(first)
	for _, c := range l.candidates {
		if len(out) < limit && c.count.texts >= LeastMembers && len(c.words) == 1 && (l.nominal(c) || c.roles.modifies() && c.roles.verb+c.roles.quality == 0) && !l.isUnit(c) && !l.isPerson(c) && !slices.Contains(out, c.key) {
			out = append(out, c.key)
		}
	}
	return out
}

// labelling is the state of Label.
type labelling struct {
	in         LabelInput
	least      int
	medoid     map[string]int // where the terms of the medoid begin in it
	candidates []candidate    // the heaviest first
	lift       float64        // minimum ratio of the share of members with a part to that of other memories
	units      bool           // units may be parts
	having     float64        // share of the members that have what the label says
	matter     int            // members that have a part of the label that is not the name of a person
	keys       []string       // of the parts of the label
	counted    bool           // what is counted may be one although nothing else shows that it is a noun
}

// candidate is a term that may be part of a label.
type candidate struct {
	key    string
	words  []string // lemmas
	count  *termCount
	roles  roles // over all texts
	weight float64
	word   string // of a phrase in a label: the word that it says more of; else empty
}

// said is the key of what members with a part of a label have: of a phrase the word that it says more of. "Ferry pilot" is what
// those say who say "the pilot".
func (c candidate) said() string { return cmp.Or(c.word, c.key) }

// fewTexts is the number of members below which two of them are enough for a term.
const fewTexts = 6

// leastMembers is the number of members that must have a term.
func leastMembers(texts int) int {
	if texts < fewTexts {
		return 2
	}
	return 3
}

func newLabelling(in LabelInput) *labelling {
	l := &labelling{in: in, least: leastMembers(in.Members.texts), medoid: map[string]int{}, lift: lift}
	for _, run := range runsOf(prose(in.Medoid)) {
		for i := range run {
			for n := 1; n <= maxPhrase && i+n <= len(run); n++ {
				key, _, _ := joined(run[i : i+n])
				if _, seen := l.medoid[key]; !seen {
					l.medoid[key] = len(l.medoid)
				}
			}
		}
	}
	average := float64(max(in.All.sum, in.Members.sum)) / float64(max(1, in.Classes))
	for key, c := range in.Members.terms {
		if c.texts < l.least {
			continue
		}
		all, everywhere := c.roles, c.texts
		if a := in.All.terms[key]; a != nil {
			all, everywhere = a.roles, max(a.texts, c.texts)
		}
		if _, ordinal := english.OrdinalWord(key); ordinal { // "the third of March" and "for the third time"
			continue
		}
		x := candidate{key: key, words: strings.Fields(key), count: c, roles: all}
		x.weight = float64(c.texts) * math.Log(1+average/float64(everywhere)) * min(1, l.share(c.texts)/covering)
		if _, ok := l.medoid[key]; ok {
			x.weight *= medoidBoost
		}
		if len(x.words) == 1 || l.isPhrase(x.words) {
			l.candidates = append(l.candidates, x)
		}
	}
	slices.SortFunc(l.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(l.placeOf(a), l.placeOf(b)), cmp.Compare(a.key, b.key))
	})
	return l
}

// placeOf returns where a term begins in the medoid; after all others if it is not in it. Of terms of one weight, as those
// of memories that hardly differ, the first in the medoid says what they are about.
func (l *labelling) placeOf(c candidate) int {
	if at, ok := l.medoid[c.key]; ok {
		return at
	}
	return math.MaxInt
}

// rolesOf returns how a word is used in all texts.
func (l *labelling) rolesOf(word string) roles {
	if a := l.in.All.terms[word]; a != nil {
		return a.roles
	}
	if c := l.in.Members.terms[word]; c != nil {
		return c.roles
	}
	return roles{}
}

// isPhrase reports words that modify a noun, and it.
func (l *labelling) isPhrase(words []string) bool {
	for i, w := range words {
		r := l.rolesOf(w)
		if i < len(words)-1 && !r.modifies() && !titles[w] && !l.compounds(words, i) || i == len(words)-1 && !r.isNoun() {
			return false
		}
	}
	return true
}

// compounds reports a word in -ing that most members with the next one have directly before it: "hearing" in "hearing aid" is a
// part of the noun, although it has the form of a verb.
func (l *labelling) compounds(words []string, i int) bool {
	both, word, next := l.in.Members.terms[words[i]+" "+words[i+1]], l.in.Members.terms[words[i]], l.in.Members.terms[words[i+1]]
	if both == nil || word == nil || next == nil || !strings.HasSuffix(l.form(candidate{words: words[i : i+1], count: word}), "ing") {
		return false
	}
	return both.texts >= leastSecond && float64(both.texts) >= dominantShare*float64(next.texts)
}

// share is the share of the members that n are.
func (l *labelling) share(n int) float64 { return float64(n) / float64(max(1, l.in.Members.texts)) }

// tells reports a term that enough members have to say what the cluster is about. One of fewer than a third
// must be in the most central memory.
func (l *labelling) tells(c candidate) bool {
	_, central := l.medoid[c.key]
	return l.share(c.count.texts) >= covering || central && l.share(c.count.texts) >= telling
}

// nominal reports a noun, or a phrase that ends in one, in the form in which it is written.
func (l *labelling) nominal(c candidate) bool {
	last := c.words[len(c.words)-1]
	r := l.rolesOf(last)
	if l.counted && r.isUnit() {
		return true
	}
	if !r.isNoun() || when(last) || len(c.words) > 1 && slight[c.words[0]] {
		return false
	}
	if r.isName() { // a name that the members mostly call is not what they are about
		return len(c.words) > 1 || c.count.roles.isNoun()
	}
	return c.count.forms[l.form(c)].nominal > 0 && l.usual(c) || len(c.words) > 1
}

// usual reports that the members mostly use a word in forms that differ from the one in which it is written by an ending of nouns.
// Otherwise other words have its lemma: "take care" and "a car".
func (l *labelling) usual(c candidate) bool {
	low := l.form(c)
	same, all := 0, 0
	for other, f := range c.count.forms {
		all += f.all
		if strings.TrimRight(other, "s'") == strings.TrimRight(low, "s'") || f.nominal > 0 {
			same += f.all
		}
	}
	return 2*same >= all
}

// dominantShare is the share of the members from which a word is what they are about.
const dominantShare = 0.75

// dominant reports a word that most members have and that is never used as a verb or as a quality.
// The subject of "the choir rehearses" stands where an adjective would.
func (l *labelling) dominant(c candidate) bool {
	return float64(c.count.texts) >= dominantShare*float64(l.in.Members.texts) && c.roles.modifier > 0 && c.roles.verb+c.roles.quality == 0 && !endsIn(c.key, qualityEndings) && !endsIn(c.key, relationEndings)
}

// parts returns one or two terms that make a label.
func (l *labelling) parts(fits func(candidate) bool) []candidate {
	fitting := slices.DeleteFunc(slices.Clone(l.candidates), func(c candidate) bool { return !fits(c) || !l.typical(c) || l.isUnit(c) })
	if len(fitting) == 0 {
		return nil
	}
	l.matterFirst(fitting)
	first := l.extended(fitting[0], fitting)
	var second *candidate
	for _, c := range fitting[1:] {
		if c.weight < secondShare*first.weight || second != nil && c.weight < parallelShare*second.weight {
			break
		}
		if c.count.texts < leastSecond || l.share(c.count.texts) < covering || overlaps(first, c) {
			continue
		}
		if whole, ok := l.inOnePhrase(first, c); ok {
			if whole != nil && second == nil {
				first = *whole
			}
			continue
		}
		c = l.extended(c, fitting)
		if len(first.words)+len(c.words) > maxWords || overlaps(first, c) {
			continue
		}
		// "Teal and Avocet" before "Teal and pods": two names or two common nouns belong together, but not a thing and who
		// takes part.
		parallel := l.named(c) == l.named(first) && l.isPerson(c) == l.isPerson(first)
		if second == nil || parallel || l.isPerson(*second) && !l.isPerson(c) {
			second = &c
		}
		if parallel {
			break
		}
	}
	if second == nil {
		return []candidate{first}
	}
	parts := []candidate{first, *second}
	at, ok := l.medoid[first.key]
	if before, also := l.medoid[second.key]; ok && also && before < at { // as the medoid has them
		slices.Reverse(parts)
	}
	return parts
}

// named reports a term that ends in a name.
func (l *labelling) named(c candidate) bool { return l.rolesOf(c.words[len(c.words)-1]).isName() }

// inOnePhrase reports whether two terms occur mostly in one phrase, and returns the part of a label
// that stands for both: the most frequent phrase that has both, or two names in their order. It is
// nil if there is none; then the first stands alone.
func (l *labelling) inOnePhrase(a, b candidate) (whole *candidate, ok bool) {
	rarer := min(a.count.texts, b.count.texts)
	names := l.rolesOf(a.words[0]).isName() && l.rolesOf(b.words[0]).isName() // may have a name between them
	beside, ordered := 0, 0                                                   // members with both in a phrase, and with a before b
	for key, c := range l.in.Members.terms {
		words := strings.Fields(key)
		if len(words) < 2 || len(words) > len(a.words)+len(b.words) && !names && !l.compound(c, words) || !spans(words, a.words, b.words) && !spans(words, b.words, a.words) {
			continue
		}
		beside += c.texts
		if spans(words, a.words, b.words) {
			ordered += c.texts
		}
		if x := (candidate{key: key, words: words, count: c, roles: c.roles}); c.texts >= l.least && (l.nominal(x) || len(words) == 3) && (whole == nil || c.texts > whole.count.texts || c.texts == whole.count.texts && key < whole.key) {
			whole = &x
		}
	}
	if float64(beside) < samePhrase*float64(rarer) {
		return nil, false
	}
	if whole != nil || !names || len(a.words)+len(b.words) > maxPhrase {
		return whole, true
	}
	if 2*ordered < beside {
		a, b = b, a
	}
	low := l.form(a) + " " + l.form(b)
	joined := candidate{key: a.key + " " + b.key, words: slices.Concat(a.words, b.words), weight: a.weight, roles: b.roles}
	joined.count = &termCount{texts: min(a.count.texts, b.count.texts), roles: b.count.roles, forms: map[string]*form{low: {written: map[string]int{l.written(a) + " " + l.written(b): 1}, nominal: 1, all: 1}}}
	return &joined, true
}

// compound reports a phrase of three words that may be one noun: "tracking" in "tracking system" is a part
// of it, but a verb in the third person, as in "ferry leaves Orrin", is not.
func (l *labelling) compound(c *termCount, words []string) bool {
	written := strings.Fields(l.form(candidate{words: words, count: c}))
	if len(written) != 3 || !l.rolesOf(words[2]).isNoun() {
		return false
	}
	return strings.HasSuffix(written[1], "ing") || l.rolesOf(words[1]).modifies() && !strings.HasSuffix(written[1], "s")
}

// spans reports words that begin with one part and end with another, which do not overlap.
func spans(words, first, last []string) bool {
	return len(words) >= len(first)+len(last) && slices.Equal(words[:len(first)], first) && slices.Equal(words[len(words)-len(last):], last)
}

// typical reports a term that is more frequent among the members than elsewhere.
func (l *labelling) typical(c candidate) bool {
	all := l.in.All.terms[c.key]
	return all == nil || l.lifts(c.count.texts, all.texts)
}

// lifts reports whether the share of the members with something is much larger than that of the
// other memories, and not by chance. Without at least a quarter as many others as members, everything is.
func (l *labelling) lifts(members, all int) bool {
	others := l.in.All.texts - l.in.Members.texts
	if 4*others < l.in.Members.texts {
		return true
	}
	if float64(members)/float64(l.in.Members.texts) < l.lift*float64(all-members)/float64(others) {
		return false
	}
	return l.lift <= noLift || !l.byLuck(members, all)
}

// extended returns the phrase that replaces a word, or the word.
func (l *labelling) extended(c candidate, all []candidate) candidate {
	best := c
	for _, p := range all {
		if len(p.words) > len(best.words) && (l.share(p.count.texts) >= covering || p.count.texts == c.count.texts) && !slight[p.words[0]] && slices.Contains(p.words, c.words[0]) && contains(p.words, c.words) && float64(p.count.texts) >= phraseShare*float64(best.count.texts) {
			best = p
			best.word = c.key
		}
	}
	return best
}

// contains reports whether words has part in it, in one piece.
func contains(words, part []string) bool {
	for i := 0; i+len(part) <= len(words); i++ {
		if slices.Equal(words[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// overlaps reports two terms that have a word in common, but for an ending.
func overlaps(a, b candidate) bool {
	for _, x := range a.words {
		for _, y := range b.words {
			if sameStem(x, y) {
				return true
			}
		}
	}
	return false
}

// repeats reports a term that only repeats words of one before it.
func (l *labelling) repeats(before []Term, c candidate) bool {
	text := strings.ToLower(l.written(c))
	return slices.ContainsFunc(before, func(t Term) bool { return strings.Contains(strings.ToLower(t.Text), text) })
}

// sameStem reports two lemmas that are the same but for an ending.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem := len(a)
	if stem > 4 {
		stem--
	}
	return stem >= 3 && strings.HasPrefix(b, a[:stem])
}

// form returns a term in lower case as most members write it; as a noun if they use it as one.
func (l *labelling) form(c candidate) string {
	forms := slices.SortedFunc(maps.Keys(c.count.forms), func(a, b string) int {
		x, y := c.count.forms[a], c.count.forms[b]
		if len(c.words) > 1 && x.all != y.all { // a phrase is one whatever follows it
			return y.all - x.all
		}
		return cmp.Or(cmp.Compare(y.nominal, x.nominal), cmp.Compare(y.all, x.all), cmp.Compare(a, b))
	})
	return forms[0]
}

// written returns a term as most members write it, with the capitals of names.
func (l *labelling) written(c candidate) string {
	low := l.form(c)
	words := strings.Fields(low)
	spelled := mostWritten(c.count.forms[low].written, low)
	for i, w := range strings.Fields(spelled) {
		if i < len(words) && i < len(c.words) && l.rolesOf(c.words[i]).isName() {
			words[i] = w
		}
	}
	for i, w := range words {
		if i < len(c.words) && (titles[w] || (l.rolesOf(c.words[i]).isName() || l.in.People[c.words[i]]) && w == strings.ToLower(w)) {
			words[i] = capitalised(w)
		}
	}
	return strings.Join(words, " ")
}

// mostWritten returns the most frequent spelling inside sentences, or low if there is none.
func mostWritten(written map[string]int, low string) string {
	best, most := low, 0
	for w, n := range written {
		if w != "" && (n > most || n == most && w < best) {
			best, most = w, n
		}
	}
	return best
}

// capitalised returns a text with a capital at its start.
func capitalised(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
