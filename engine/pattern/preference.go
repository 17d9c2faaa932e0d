package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// tastes are the verbs of preferences by their stem: the direction, and whether they choose one
// thing over others.
var tastes = map[string]struct {
	sign   int
	choice bool
}{
	"prefer": {1, true}, "favour": {1, true}, "favor": {1, true}, "like": {1, false}, "love": {1, false}, "enjoy": {1, false}, "ador": {1, false},
	"hate": {-1, false}, "dislik": {-1, false}, "avoid": {-1, false}, "detest": {-1, false}, "loath": {-1, false},
}

// preferredNouns name what is preferred: "the preferred editor is Vim".
var preferredNouns = english.WordSet("preferred favourite favorite preference go-to")

// comparing are the words before what is avoided.
var comparing = english.WordSet("over than instead not versus vs")

// readPreference reads what somebody prefers, likes or avoids; nil for any other sentence.
func readPreference(s *sentence, speaker string) *statement {
	for i := range s.main {
		low := s.low(i)
		if preferredNouns[low] {
			return readPreferred(s, i, speaker)
		}
		sign, choice, to := 0, false, i+1
		switch taste, known := tastes[english.Stem(low)]; {
		case known && !strings.HasSuffix(low, "ed") && !strings.HasSuffix(low, "ing"):
			sign, choice = taste.sign, taste.choice
			if low == "like" && !likes(s, i) || low == "favor" && s.low(i-1) == "in" {
				continue
			}
		case low == "rather" && (s.low(i-1) == "would" || strings.HasSuffix(s.low(i-1), "'d")):
			sign, choice = 1, true
		case low == "stand" && (s.low(i-1) == "can't" || s.low(i-1) == "cannot"):
			sign = -1
		case low == "fond" && s.low(i+1) == "of", low == "keen" && s.low(i+1) == "on":
			sign, to = 1, i+2
		default:
			continue
		}
		if s.words[s.main[i]].Negates || negatedBefore(s, i) && low != "stand" {
			sign = -sign
		}
		if past := s.low(i - 1); past == "did" || past == "used" || past == "to" && s.low(i-2) == "used" {
			return nil
		}
		return preferenceOf(s, i, to, sign, choice, speaker)
	}
	return nil
}

// likes reports "like" as a verb.
func likes(s *sentence, i int) bool {
	if i == 0 {
		return false
	}
	before := s.low(i - 1)
	_, pronoun := english.PronounOf(before)
	return pronoun || before == "do" || before == "not" || strings.HasSuffix(before, "n't") || before == "really" || before == "also" || before == "all" || before == "team" || before == "crew" ||
		strings.HasSuffix(before, "s") && before != "is" && before != "was" && before != "looks" && before != "feels" && before != "sounds" && before != "seems" && before != "works" && before != "things"
}

func negatedBefore(s *sentence, i int) bool {
	for k := max(0, i-3); k < i; k++ {
		if s.words[s.main[k]].Negates {
			return true
		}
	}
	return false
}

// preferenceOf reads the holder before the verb, and what is preferred and avoided after it.
func preferenceOf(s *sentence, verb, from, sign int, choice bool, speaker string) *statement {
	st := &statement{kind: graph.StatedPreference, sign: 1, choice: choice, plus: map[string]bool{}, minus: map[string]bool{}, object: map[string]bool{}, lack: map[string]bool{}}
	st.content(s, nil)
	st.company(s)
	holder, first := s.before(verb)
	if verb == 0 && sign > 0 && !choice || verb > 0 && len(holder) == 0 && !holds(s, verb) {
		return nil
	}
	st.holder = holderOf(strings.Join(holder, " "), first, speaker)
	side, other := st.plus, st.minus
	if sign < 0 {
		side, other = st.minus, st.plus
	}
	object := objectOf{words: st.object, done: sign < 0}
	denied := false // "no milk", "afternoons without meetings"
	for k := from; k < len(s.main); k++ {
		w := s.words[s.main[k]]
		object.next(w.Low)
		if w.Low == "no" {
			denied, object.done = true, true
			continue
		}
		if denied {
			if stem := stemOf(w); stem != "" {
				other[stem] = true
				if sign > 0 {
					st.lack[stem] = true
				}
			}
			denied = w.SignAfter == 0 && !comparing[w.Low]
			continue
		}
		if comparing[w.Low] || w.Low == "rather" || choice && w.Low == "to" && k > from && len(side) > 0 {
			side, object.done = other, true
			continue
		}
		if w.SignAfter == ';' {
			break
		}
		if stem := stemOf(w); stem != "" && w.Low != "of" {
			side[stem] = true
			object.add(stem)
		}
	}
	for _, c := range s.conds {
		if s.words[c.start].Low == "without" && c.start > s.main[verb] && len(side) > 0 {
			for _, w := range s.words[c.from:c.to] {
				if stem := stemOf(w); stem != "" {
					other[stem] = true
					if sign > 0 { // who hates rooms without windows does not do without them
						st.lack[stem] = true
					}
				}
			}
		}
	}
	for _, x := range holder {
		delete(st.stems, x)
	}
	delete(st.stems, stemOf(s.words[s.main[verb]]))
	delete(st.ends, stemOf(s.words[s.main[verb]])) // the side says it: "don't like" and "hate" are no opposites
	if len(st.plus)+len(st.minus) == 0 {
		return nil
	}
	return st
}

// objectOf collects the words that say what is preferred: up to the first preposition, or up to the second if only a noun
// or a verb comes before the first: "window seats", "a seat at the window", "to sit at the window".
type objectOf struct {
	words    map[string]bool
	modified bool // a prepositional phrase belongs to it
	done     bool
}

// next looks at the next word after the verb.
func (o *objectOf) next(low string) {
	switch {
	case comparing[low] || prepositions[low] && o.modified:
		o.done = true
	case prepositions[low] && len(o.words) == 1:
		o.modified = true
	case prepositions[low] && len(o.words) > 1:
		o.done = true
	}
}

func (o *objectOf) add(stem string) {
	if !o.done {
		o.words[stem] = true
	}
}

// before returns the content words of the noun phrase before a verb, at most two, and its first
// word.
func (s *sentence) before(verb int) (holder []string, first string) {
	named := false
	for k := verb - 1; k >= 0 && len(holder) < 2; k-- {
		w := s.words[s.main[k]]
		if w.SignAfter == ',' || k+1 < len(s.main) && s.main[k+1] != s.main[k]+1 {
			break
		}
		stem := stemOf(w)
		base, _ := english.Contraction(w.Low)
		if len(holder) > 0 && named && !capital(w) {
			break
		}
		named = named || capital(w) && s.main[k] > 0
		if _, pronoun := english.PronounOf(base); pronoun || stem == "" && len(holder) > 0 {
			if len(holder) == 0 || w.Low == "my" {
				first = base
			}
			break
		}
		if stem != "" && !strings.HasSuffix(w.Low, "ly") {
			holder = append([]string{stem}, holder...)
		}
	}
	return holder, first
}

// capital reports a word that begins with a capital.
func capital(w extract.Word) bool {
	r, _ := utf8.DecodeRuneInString(w.Text)
	return unicode.IsUpper(r)
}

// holds reports a pronoun before the verb.
func holds(s *sentence, verb int) bool {
	for k := range verb {
		base, _ := english.Contraction(s.low(k))
		if _, pronoun := english.PronounOf(base); pronoun {
			return true
		}
	}
	return false
}

// holderOf names who prefers. "I" and "we" are the speaker.
func holderOf(named, first, speaker string) string {
	switch {
	case first == "i" || first == "my" || named == "i":
		return strings.ToLower(speaker)
	case named == "user" || named == "team" || named == "crew" || named == "everyon" || named == "everybodi" || named == "":
		return ""
	}
	return named
}

// readPreferred reads "the preferred editor is Vim", "Mira's favourite tea is mint", "my preference
// is mint".
func readPreferred(s *sentence, at int, speaker string) *statement {
	be := -1
	for k := at + 1; k < len(s.main); k++ {
		if low := s.low(k); low == "is" || low == "are" {
			be = k
			break
		}
	}
	st := &statement{kind: graph.StatedPreference, sign: 1, choice: true, plus: map[string]bool{}, minus: map[string]bool{}}
	st.content(s, nil)
	side := st.plus
	read := func(from, to int) {
		for k := from; k < to; k++ {
			w := s.words[s.main[k]]
			if comparing[w.Low] || w.Low == "rather" {
				side = st.minus
				continue
			}
			if stem := stemOf(w); stem != "" && !preferredNouns[w.Low] {
				side[stem] = true
			}
		}
	}
	var holder []string
	switch {
	case be >= 0: // "favourite tea is mint"
		for k := at + 1; k < be; k++ {
			if stem := stemOf(s.words[s.main[k]]); stem != "" {
				st.when[stem] = true
			}
		}
		for k := range at {
			if stem := stemOf(s.words[s.main[k]]); stem != "" {
				holder = append(holder, stem)
			}
		}
		read(be+1, len(s.main))
	default: // "mint is the preferred tea"
		for k := at - 1; k > 0; k-- {
			if low := s.low(k); low == "is" || low == "are" {
				read(0, k)
				break
			}
		}
	}
	st.holder = holderOf(strings.Join(holder, " "), s.low(0), speaker)
	for _, x := range holder {
		delete(st.stems, x)
	}
	for w := range preferredNouns {
		delete(st.stems, english.Stem(w))
	}
	if len(st.plus) == 0 {
		return nil
	}
	return st
}
