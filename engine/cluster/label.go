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
	Medoid  string // text of the medoid; may be empty
}

// ClusterLabel says in words what a cluster is about.
type ClusterLabel struct {
	Text  string // in sentence case, "Winch and weather"; empty if the members have no term in common
	Terms []Term // the most typical first, at most maxTerms
}

// Term is a typical word or phrase of a cluster.
type Term struct {
	Text    string  // as people write it
	Weight  float64 // > 0, see Label
	Members int     // memories with it
}

const (
	maxTerms    = 10
	maxWords    = 4   // words of a label, without "and"
	secondShare = 0.4 // weight of the second part of a label relative to the first
	phraseShare = 0.5 // share of the memories with a word that must have the phrase that replaces it
	medoidBoost = 1.25
	lift        = 1.5  // minimum ratio of the share of members with a word of a label to that of other memories
	telling     = 0.15 // share of the members that must have the first noun; else a saying names the cluster if there is one
)

// Label names a cluster by its typical terms. The weight of a term is that of class-based TF-IDF
// (Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// arXiv:2203.05794): tf·log(1 + A/f). tf is the number of members with the term, f that of all
// memories, and A the mean number of words in a class. Terms of the medoid weigh a quarter more.
//
// A label consists of nouns and phrases that end in a noun; what is a noun is read from the words
// around it in all texts. A phrase replaces its words if half of the members with the best of
// them have it. Only if there is no noun are other words used. A term that fewer than three members have
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
	out.Text = l.compose()
	return out
}

// labelling is the state of Label.
type labelling struct {
	in         LabelInput
	least      int
	medoid     map[string]int // where the terms of the medoid begin in it
	candidates []candidate    // the heaviest first
}

// candidate is a term that may be part of a label.
type candidate struct {
	key    string
	words  []string // lemmas
	count  *termCount
	roles  roles // over all texts
	weight float64
}

// leastMembers is the number of members that must have a term.
func leastMembers(texts int) int {
	if texts < 6 {
		return 2
	}
	return 3
}

func newLabelling(in LabelInput) *labelling {
	l := &labelling{in: in, least: leastMembers(in.Members.texts), medoid: map[string]int{}}
	for _, run := range runsOf(in.Medoid) {
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
		x := candidate{key: key, words: strings.Fields(key), count: c, roles: all}
		x.weight = float64(c.texts) * math.Log(1+average/float64(everywhere))
		if _, ok := l.medoid[key]; ok {
			x.weight *= medoidBoost
		}
		if len(x.words) == 1 || l.isPhrase(x.words) {
			l.candidates = append(l.candidates, x)
		}
	}
	slices.SortFunc(l.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key))
	})
	return l
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
		if i < len(words)-1 && !r.modifies() || i == len(words)-1 && !r.isNoun() {
			return false
		}
	}
	return true
}

// compose makes the text of the label.
func (l *labelling) compose() string {
	parts := l.parts(func(c candidate) bool { return len(c.words) > 1 || c.roles.isNoun() || l.dominant(c) })
	if len(parts) == 0 || float64(parts[0].count.texts) < telling*float64(l.in.Members.texts) {
		if said := l.saying(); said != "" {
			return capitalised(said)
		}
	}
	if len(parts) == 0 {
		parts = l.parts(func(c candidate) bool { return !c.roles.isName() })
	}
	if len(parts) == 0 {
		parts = l.parts(func(candidate) bool { return true })
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = l.written(p)
	}
	return capitalised(strings.Join(texts, " and "))
}

// dominantShare is the share of the members from which a word is what they are about.
const dominantShare = 0.75

// dominant reports a word that most members have and that is never used as a verb or as a quality.
// The subject of "the choir rehearses" stands where an adjective would.
func (l *labelling) dominant(c candidate) bool {
	return float64(c.count.texts) >= dominantShare*float64(l.in.Members.texts) && c.roles.modifier > 0 && c.roles.verb+c.roles.quality == 0
}

// parts returns one or two terms that make a label.
func (l *labelling) parts(fits func(candidate) bool) []candidate {
	fitting := slices.DeleteFunc(slices.Clone(l.candidates), func(c candidate) bool { return !fits(c) || !l.typical(c) })
	var parts []candidate
	words := 0
	for _, c := range fitting {
		if len(parts) > 0 && c.weight < secondShare*parts[0].weight {
			break
		}
		c = l.extended(c, fitting)
		if words+len(c.words) > maxWords || slices.ContainsFunc(parts, func(p candidate) bool { return overlaps(p, c) }) {
			continue
		}
		parts = append(parts, c)
		if words += len(c.words); len(parts) == 2 {
			break
		}
	}
	if len(parts) == 2 {
		if whole, ok := together(parts, l.candidates); ok {
			return []candidate{whole}
		}
	}
	if len(parts) == 2 { // as the medoid has them
		first, ok := l.medoid[parts[0].key]
		if second, also := l.medoid[parts[1].key]; ok && also && second < first {
			slices.Reverse(parts)
		}
	}
	return parts
}

// together returns the phrase that consists of two parts, such as a title and a name.
func together(parts, all []candidate) (candidate, bool) {
	for _, p := range all {
		if len(p.words) == len(parts[0].words)+len(parts[1].words) && contains(p.words, parts[0].words) && contains(p.words, parts[1].words) {
			return p, true
		}
	}
	return candidate{}, false
}

// typical reports a term that is more frequent among the members than elsewhere.
func (l *labelling) typical(c candidate) bool {
	all := l.in.All.terms[c.key]
	return all == nil || l.lifts(c.count.texts, all.texts)
}

// lifts reports whether the share of the members with something is much larger than that of the
// other memories. Without at least a quarter as many others as members, everything is.
func (l *labelling) lifts(members, all int) bool {
	others := l.in.All.texts - l.in.Members.texts
	if 4*others < l.in.Members.texts {
		return true
	}
	return float64(members)/float64(l.in.Members.texts) >= lift*float64(all-members)/float64(others)
}

// saying returns the most typical saying of the members; "" if they have none in common.
func (l *labelling) saying() string {
	best, most := "", 0.0
	for said, n := range l.in.Members.sayings {
		if n < l.least || float64(n) < telling*float64(l.in.Members.texts) || !l.lifts(n, l.in.All.sayings[said]) || l.names(said) {
			continue
		}
		if weight := float64(n) * math.Sqrt(float64(1+strings.Count(said, " "))); weight > most || weight == most && said < best {
			best, most = said, weight
		}
	}
	return best
}

// names reports a saying with a name in it, which calls somebody.
func (l *labelling) names(said string) bool {
	for w := range strings.FieldsSeq(said) {
		if l.rolesOf(english.Lemma(w)).isName() {
			return true
		}
	}
	return false
}

// extended returns the phrase that replaces a word, or the word.
func (l *labelling) extended(c candidate, all []candidate) candidate {
	best := c
	for _, p := range all {
		if len(p.words) > len(best.words) && slices.Contains(p.words, c.words[0]) && contains(p.words, c.words) && float64(p.count.texts) >= phraseShare*float64(best.count.texts) {
			best = p
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

// written returns a term as most members write it; as a noun if they use it as one.
func (l *labelling) written(c candidate) string {
	forms := slices.SortedFunc(maps.Keys(c.count.forms), func(a, b string) int {
		x, y := c.count.forms[a], c.count.forms[b]
		return cmp.Or(cmp.Compare(y.nominal, x.nominal), cmp.Compare(y.all, x.all), cmp.Compare(a, b))
	})
	low := forms[0]
	words := strings.Fields(low)
	spelled := mostWritten(c.count.forms[low].written, low)
	for i, w := range strings.Fields(spelled) {
		if i < len(words) && i < len(c.words) && l.rolesOf(c.words[i]).isName() {
			words[i] = w
		}
	}
	for i, w := range words {
		if i < len(c.words) && l.rolesOf(c.words[i]).isName() && w == strings.ToLower(w) {
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
