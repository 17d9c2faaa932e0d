package phrase

import (
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/internal/english"
)

// Subject is what the words before a verb are.
type Subject struct {
	From, To int      // indexes of the first word of the subject, and of the one after the last
	Particle string   // it belongs to the subject: "my flight back"; empty: there is none
	Phrases  []Phrase // before and after the subject, in order
	Denied   bool     // the subject denies the clause: "neither of my cats"
	Now      bool     // the words say that something is so now

	words []syntax.Word
}

// BeforeVerb reads the words before a verb: phrases of time and place, then the subject. first is the first word of the clause.
func BeforeVerb(words []syntax.Word, first string) Subject {
	s := Subject{words: words, To: len(words)}
	if len(words) > 1 && lexicon.Whoever[words[0].Low] {
		return s
	}
	for s.From < s.To && !(s.To-s.From == 1 && words[s.From].Low == "that" && first == "that") { // "that's my brother"
		n := s.leading(words[s.From:])
		if n == 0 {
			break
		}
		s.From += n
	}
	s.trim()
	for i := s.From + 1; i < s.To; i++ {
		low := words[i].Low
		if !tables.Preposition[low] && !lexicon.Particles[low] || low == "of" {
			continue
		}
		if i+1 == s.To || lexicon.Particles[low] {
			s.Particle = low
		} else {
			s.cut(i, s.To)
		}
		s.To = i
		break
	}
	return s
}

// leading reads what is no part of the subject at the beginning of words, and returns its number of words.
func (s *Subject) leading(words []syntax.Word) int {
	w := words[0].Low
	if tables.Adverb[w] || tables.Relative[w] || w == "never" || lexicon.Perhaps[w] || lexicon.Subordinators[w] || words[0].Class == wordclass.Weekday && len(words) > 1 && words[1].Class != wordclass.Noun {
		if words[0].Class == wordclass.Weekday || tables.Relative[w] {
			s.Phrases = append(s.Phrases, Phrase{"on", s.From, s.From + 1})
		}
		return 1
	}
	if len(words) > 2 && (w == "last" || w == "next" || w == "this" || w == "every" || w == "each" || w == "all") && (words[1].Class == wordclass.Weekday || tables.Unit[words[1].Low] || words[1].Class == wordclass.Date || words[1].Class == wordclass.Part) {
		s.Phrases = append(s.Phrases, Phrase{"on", s.From, s.From + 2})
		return 2
	}
	if !tables.Preposition[w] && w != "when" {
		return 0
	}
	n := 1
	content := false
	for n < len(words) {
		v := &words[n]
		_, pronoun := english.PronounOf(v.Low)
		if v.Sign != 0 || content && (tables.Determiner[v.Low] || pronoun || startsUpper(v.Text) && !startsUpper(words[n-1].Text) && words[n-1].Class != wordclass.Function) {
			break
		}
		content = content || v.Class != wordclass.Function
		n++
	}
	if n == len(words) {
		return 0
	}
	s.cut(s.From, s.From+n)
	return n
}

// cut reads the words from an index to another one as phrases.
func (s *Subject) cut(from, to int) {
	found, now := Cut(s.words[from:to])
	for _, p := range found {
		s.Phrases = append(s.Phrases, Phrase{p.Prep, from + p.From, from + p.To})
	}
	s.Now = s.Now || now
}

// trim drops from a subject "both of" and "neither of", which denies the clause, and the relative pronoun of
// "Jonas, who runs the bakery".
func (s *Subject) trim() {
	if words := s.words[s.From:s.To]; len(words) > 2 && words[1].Low == "of" {
		switch words[0].Low {
		case "neither", "none":
			s.Denied = true
			s.From += 2
		case "both", "all":
			s.From += 2
		}
	}
	if n := s.To - 1; n > s.From && (s.words[n].Low == "who" || s.words[n].Low == "which") {
		s.To--
	}
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
