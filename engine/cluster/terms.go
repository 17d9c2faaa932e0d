package cluster

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// Terms counts the words and short phrases of texts, one text for each memory. Counts are
// additive: those of a merged cluster are the sum of those of its parts, in any order. A term
// counts once for each text. Terms keep no text, but words of it.
type Terms struct {
	texts int // texts counted
	sum   int // sum of the counts of all single words
	terms map[string]*termCount
	// sayings are the texts with each run of two to four words, whatever they are, that begins and
	// ends with a word that is no stop word: "sorry to hear", "take care".
	sayings map[string]int
	// tags are the memories with each tag, see AddTags.
	tags map[string]*termCount
	// openings are the texts that begin with a greeting, thanks or praise, and are short.
	openings [openings]int
	// having are the places of the texts with each term, or with it as a tag, ascending; nil unless NewIndexed made the count.
	having map[string][]int32
}

// termCount is what is known of one term. Its key is the lemmas of its words, separated by spaces.
type termCount struct {
	texts int              // texts with the term
	roles roles            // of its last word, over all occurrences
	forms map[string]*form // by the term as written, in lower case
}

// form is one way to write a term.
type form struct {
	written map[string]int // with its capitals; where a sentence begins only if it is nowhere else
	nominal int            // occurrences as a noun
	all     int
}

// roles counts how a word is used, as far as its neighbours and its ending show it.
type roles struct {
	noun     int // after an article or a preposition, before a word without content or a sign
	modifier int // between an article and another content word: an adjective, or a noun of a compound
	verb     int // after a subject or an auxiliary, or with the ending of a verb form
	quality  int // after a form of "be", or with the ending of an adjective or an adverb
	alone    int // between two signs: an exclamation, or a name that is called
	name     int // with a capital inside a sentence
	small    int // with a small letter
	starts   int // at the start of a sentence
	counted  int // after a number or "per": a unit, or what is counted
	open     int // before "of" or a number, which say what is meant: "the loss of the kite", "part 2"
}

func (r *roles) add(o roles) {
	r.noun += o.noun
	r.modifier += o.modifier
	r.verb += o.verb
	r.quality += o.quality
	r.alone += o.alone
	r.name += o.name
	r.small += o.small
	r.starts += o.starts
	r.counted += o.counted
	r.open += o.open
}

// maxPhrase is the maximum number of words of a term.
const maxPhrase = 3

// NewTerms makes an empty count.
func NewTerms() *Terms {
	return &Terms{terms: map[string]*termCount{}, sayings: map[string]int{}, tags: map[string]*termCount{}}
}

// NewIndexed makes an empty count that also keeps which text has each term, for the members of one cluster.
func NewIndexed() *Terms {
	t := NewTerms()
	t.having = map[string][]int32{}
	return t
}

// index notes that the last text has a term or a tag.
func (t *Terms) index(key string) {
	if t.having == nil {
		return
	}
	last := int32(t.texts - 1)
	if h := t.having[key]; len(h) == 0 || h[len(h)-1] != last {
		t.having[key] = append(h, last)
	}
}

// Texts is the number of texts that were counted.
func (t *Terms) Texts() int { return t.texts }

// Names reports whether the texts write a word, which is given as its lemma, as a name.
func (t *Terms) Names(lemma string) bool {
	c := t.terms[lemma]
	return c != nil && c.roles.isName()
}

// Add counts the terms of one text.
func (t *Terms) Add(text string) {
	t.texts++
	text = prose(text)
	t.countOpening(text)
	seen := map[string]bool{}
	for _, said := range sayingsOf(text) {
		t.sayings[said]++
	}
	for _, run := range runsOf(text) {
		for i := range run {
			for n := 1; n <= maxPhrase && i+n <= len(run); n++ {
				t.count(run[i:i+n], seen)
			}
		}
	}
}

// count adds one occurrence of a term.
func (t *Terms) count(words []contentWord, seen map[string]bool) {
	key, low, written := joined(words)
	c := t.terms[key]
	if c == nil {
		c = &termCount{forms: map[string]*form{}}
		t.terms[key] = c
	}
	if !seen[key] {
		seen[key] = true
		c.texts++
		t.index(key)
		if len(words) == 1 {
			t.sum++
		}
	}
	last := words[len(words)-1]
	c.roles.add(last.roles)
	f := c.forms[low]
	if f == nil {
		f = &form{written: map[string]int{}}
		c.forms[low] = f
	}
	f.all++
	f.nominal += last.roles.noun
	if words[0].roles.starts > 0 || last.titled {
		written = "" // its capitals say nothing
	}
	f.written[written]++
}

// joined returns the key of a term, and the term in lower case and as written.
func joined(words []contentWord) (key, low, written string) {
	if len(words) == 1 {
		return words[0].lemma, words[0].low, words[0].text
	}
	keys, lows, texts := make([]string, len(words)), make([]string, len(words)), make([]string, len(words))
	for i, w := range words {
		keys[i], lows[i], texts[i] = w.lemma, w.low, w.text
	}
	return strings.Join(keys, " "), strings.Join(lows, " "), strings.Join(texts, " ")
}

// Merge adds the counts of others, which are not changed. An index does not grow by them.
func (t *Terms) Merge(others ...*Terms) {
	for _, o := range others {
		t.texts += o.texts
		t.sum += o.sum
		for i, n := range o.openings {
			t.openings[i] += n
		}
		for said, n := range o.sayings {
			t.sayings[said] += n
		}
		mergeCounts(t.terms, o.terms)
		mergeCounts(t.tags, o.tags)
	}
}

// mergeCounts adds counts to others, and shares nothing with them.
func mergeCounts(into, from map[string]*termCount) {
	for key, c := range from {
		mine := into[key]
		if mine == nil {
			mine = &termCount{forms: map[string]*form{}}
			into[key] = mine
		}
		mine.texts += c.texts
		mine.roles.add(c.roles)
		for low, f := range c.forms {
			g := mine.forms[low]
			if g == nil {
				mine.forms[low] = &form{written: maps.Clone(f.written), nominal: f.nominal, all: f.all}
				continue
			}
			g.nominal += f.nominal
			g.all += f.all
			for w, n := range f.written {
				g.written[w] += n
			}
		}
	}
}

// placeholder is a blank of a form: "[Your Name]"; a link has its address after it.
var placeholder = regexp.MustCompile(`\[\p{Lu}[^\[\]\n]{0,38}\](\(?)`)

// prose returns a text without its fenced blocks of code, because a label says what they are for, and
// without the blanks of forms.
func prose(text string) string {
	if strings.Contains(text, "[") {
		text = placeholder.ReplaceAllStringFunc(text, func(s string) string {
			if strings.HasSuffix(s, "(") {
				return s
			}
			return ","
		})
	}
	const fence = "```"
	if !strings.Contains(text, fence) {
		return text
	}
	var out strings.Builder
	for i, part := range strings.Split(text, fence) {
		if i%2 == 0 {
			out.WriteString(part)
		} else {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// maxSaying is the maximum number of words of a saying.
const maxSaying = 4

// sayingsOf returns the distinct sayings of a text, in lower case.
func sayingsOf(text string) []string {
	var out []string
	var run []string
	for t := range english.Tokens(text, english.Names) {
		if t.Kind != english.Word {
			run = run[:0]
			continue
		}
		run = append(run, t.Lower())
		if english.StopWord(run[len(run)-1]) {
			continue
		}
		for n := 2; n <= min(maxSaying, len(run)); n++ {
			if first := run[len(run)-n]; !english.StopWord(first) {
				out = append(out, strings.Join(run[len(run)-n:], " "))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// contentWord is a word with content in a text.
type contentWord struct {
	text, low, lemma string
	roles            roles // of this occurrence
	titled           bool  // in a heading that writes all words with capitals
}

// runsOf returns the runs of content words of a text that no other word and no sign interrupts.
func runsOf(text string) [][]contentWord {
	var tokens []english.Token
	for t := range english.Tokens(text, english.Names) {
		tokens = append(tokens, t)
	}
	var runs [][]contentWord
	var run []contentWord
	titled := titledAt(tokens)
	for i, t := range tokens {
		w, ok := readWord(t)
		if !ok {
			if len(run) > 0 {
				runs = append(runs, run)
				run = nil
			}
			continue
		}
		w.roles, w.titled = rolesAt(text, tokens, i, len(run), w), titled[i]
		if w.titled {
			w.roles.starts, w.roles.name = 0, 0
		}
		run = append(run, w)
		if w.text != t.Text { // "Ann's": a phrase does not go on after a possessive
			runs = append(runs, run)
			run = nil
		}
	}
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

// titles are short words before the names of people.
var titles = english.WordSet("dr mr ms")

// readWord returns the content word of a token; ok is false if it has none. A word has at least
// three letters, or two capitals; numbers have no content.
func readWord(t english.Token) (w contentWord, ok bool) {
	if t.Kind == english.Unspaced {
		return contentWord{text: t.Text, low: t.Text, lemma: t.Text}, utf8.RuneCountInString(t.Text) > 1
	}
	if t.Kind != english.Word || strings.ContainsAny(t.Text, "/@.") {
		return w, false
	}
	low := t.Lower()
	base, clitic := english.Contraction(low)
	if clitic != "" && clitic != "'s" || english.StopWord(base) || vague[base] {
		return w, false
	}
	n := utf8.RuneCountInString(base)
	if n < 2 || n < 3 && !titles[base] && !(unicode.IsUpper(rune(t.Text[0])) && unicode.IsUpper(rune(t.Text[len(base)-1]))) {
		return w, false
	}
	if !strings.ContainsFunc(base, unicode.IsLetter) || unicode.IsNumber(rune(base[0])) {
		return w, false
	}
	lemma := english.Lemma(base)
	return contentWord{text: t.Text[:len(base)], low: base, lemma: lemma}, true
}
