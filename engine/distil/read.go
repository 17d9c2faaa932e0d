package distil

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// Source is a text to distil.
type Source struct {
	ID       graph.ID
	Text     string
	At       time.Time // when it was said or happened; zero if unknown: then relative times can't be used
	Speaker  string    // the name for which "I" stands; empty if unknown
	Weight   float64   // importance · retention, ≥ 0
	Entities []string  // names of entities that it mentions
	Session  string    // see Procedures
	Revises  bool      // it replaced an earlier memory, see Project
}

// read cuts a source into sentences that can be used alone and reads their facts.
func read(s Source) []*sentence {
	names := namesOf(s)
	var out []*sentence
	all := splitSentences(s.Text)
	for _, raw := range all {
		text, question := raw.text, raw.question
		if len(all) > 1 && onlySaysWho(text, names) {
			continue
		}
		x := &sentence{}
		if hasCode(s.Text) {
			x = readFacts(text, s.At, s.Speaker, names, false)
		} else {
			turned := inThirdPerson(withoutLeadIn(text), s.Speaker)
			dated, ok := withDates(turned, s.At)
			x = readFacts(dated, s.At, s.Speaker, names, question)
			x.unusable, x.undated = !ok, !ok
			if needsContext(extract.Sentences(text), names) {
				if len(out) > 0 {
					x.antecedent = out[len(out)-1]
				} else {
					x.unusable, x.undated = true, false // the referent is unknown
				}
			}
		}
		if isSmallTalk(text, question, x) {
			x.facts = nil
		}
		out = append(out, x)
	}
	return out
}

// namesOf returns the canonical names that a source mentions, the longest first.
func namesOf(s Source) []string {
	var names []string
	for _, e := range extract.Text(s.Text, extract.Hints{Speaker: s.Speaker}).Entities {
		names = append(names, e.Canonical)
	}
	for _, e := range s.Entities {
		names = append(names, extract.Canonical(e))
	}
	if s.Speaker != "" {
		names = append(names, extract.Canonical(s.Speaker))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(names)
}

// rawSentence is a sentence as written.
type rawSentence struct {
	text     string
	question bool
}

// splitSentences returns the sentences of a text, each on one line. A sentence that begins in
// lower case continues the one before. A text with code is one sentence.
func splitSentences(text string) []rawSentence {
	if hasCode(text) {
		return []rawSentence{{text: strings.TrimSpace(text)}}
	}
	var out []rawSentence
	end := 0
	for _, s := range extract.Sentences(text) {
		line := strings.Join(strings.Fields(text[s.Start:s.End]), " ")
		first := s.Words[0]
		broken := len(out) > 0 && !strings.Contains(text[end:s.Start], "\n") && first.Text[:1] != strings.ToUpper(first.Text[:1]) && first.Number == ""
		end = s.End
		if broken {
			out[len(out)-1].text += " " + line
			out[len(out)-1].question = s.Question
			continue
		}
		out = append(out, rawSentence{line, s.Question})
	}
	return out
}

// needsContext reports a sentence that can't be understood without the one before: it begins with
// a pronoun, or mentions "he" or "she" before it names anybody or anything. "It turned out" and
// "this week" need no context.
func needsContext(all []extract.Sentence, names []string) bool {
	if len(all) == 0 {
		return false
	}
	ws := all[0].Words
	for len(ws) > 1 && connectives[ws[0].Low] {
		ws = ws[1:]
	}
	next := ""
	if len(ws) > 1 {
		next = ws[1].Low
	}
	switch low := strings.SplitN(ws[0].Low, "'", 2)[0]; {
	case low == "it" && !impersonalVerbs[next], low == "they" || low == "them" || low == "their" || low == "theirs" || low == "its":
		return true
	case (low == "this" || low == "that" || low == "these" || low == "those") && !timeNouns[next]:
		return true
	}
	known := false
	for i, w := range ws {
		low := strings.SplitN(w.Low, "'", 2)[0]
		if thirdPerson[low] && !known {
			return true
		}
		known = known || articles[low] && i+1 < len(ws) || slices.ContainsFunc(names, func(n string) bool {
			first, _, _ := strings.Cut(n, " ")
			return first == extract.Canonical(w.Text)
		})
	}
	return len(ws) < len(all[0].Words) && contrasts[all[0].Words[0].Low]
}

// hasCode reports a text whose lines must not be changed.
func hasCode(text string) bool { return strings.Contains(text, "```") }

// withoutLeadIn drops a lead-in: "Well, the boat is sold." → "The boat is sold."
func withoutLeadIn(text string) string {
	for range 2 {
		ws := wordsOf(text)
		if len(ws) < 4 || ws[0].Start != 0 || !leadIns[ws[0].Low] || ws[0].SignAfter != ',' {
			break
		}
		text = capitalised(text[ws[1].Start:])
	}
	return text
}

// onlySaysWho reports a sentence that says who said the others, and names nobody: "As the owner said."
func onlySaysWho(text string, names []string) bool {
	ws := wordsOf(text)
	return len(ws) > 2 && ws[0].Low == "as" && extract.SaysWho(ws[1:], true) == len(ws)-1 && !slices.ContainsFunc(ws, func(w extract.Word) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(strings.Fields(n), extract.Canonical(w.Text)) })
	})
}

// isSmallTalk reports a sentence without facts: a short greeting, a question to somebody, or a
// question without names, numbers and dates.
func isSmallTalk(text string, question bool, s *sentence) bool {
	if len(s.numbers)+len(s.dates) > 0 || len(s.statements) > 0 {
		return false
	}
	ws := wordsOf(text)
	if len(ws) == 0 {
		return true
	}
	if greetings[ws[0].Low] && len(ws) <= 5 {
		return true
	}
	return question && (len(s.names) == 0 || slices.ContainsFunc(ws, func(w extract.Word) bool { return strings.HasPrefix(w.Low, "you") }))
}
