// Package holding says what of the text of a memory still holds. The text of a memory never changes; its claims do.
package holding

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Reading is a memory as its claims have it now.
type Reading struct {
	Text      string    // without the clauses of claims that were revised or withdrawn, and with the corrected ones as they are now
	Ended     time.Time // when the first claim was revised or withdrawn; zero: none
	Corrected time.Time // when a person corrected a claim for the last time; zero: never
}

// Changed reports whether the text differs from that of the memory.
func (x *Reading) Changed() bool { return !x.Ended.IsZero() || !x.Corrected.IsZero() }

// Read reads what of a memory holds at an instant.
func Read(m *graph.Memory, now time.Time) (x Reading) {
	x.Text = m.Content
	for i := len(m.Claims) - 1; i >= 0; i-- { // from the end, so that the offsets stay right
		c := &m.Claims[i]
		s := c.State()
		if ended(s, now) {
			at := s.From
			if !s.ValidTo.IsZero() && s.ValidTo.Before(at) {
				at = s.ValidTo
			}
			if x.Ended.IsZero() || at.Before(x.Ended) {
				x.Ended = at
			}
			if inText(c, x.Text) {
				x.Text = withoutClause(x.Text, c.Start, c.End)
			}
			continue
		}
		at, corrected := correctedAt(c)
		if !corrected {
			continue
		}
		x.Corrected = lifecycle.Later(x.Corrected, at)
		switch {
		case inText(c, x.Text):
			x.Text = x.Text[:c.Start] + reworded(x.Text[c.Start:c.End], c.History[0], s) + x.Text[c.End:]
		case len(m.Claims) == 1 && len(extract.Sentences(x.Text)) < 2:
			x.Text = reworded(x.Text, c.History[0], s)
		default:
			x.Text = strings.TrimSpace(x.Text + " " + sentence(s) + ".")
		}
	}
	return x
}

func inText(c *graph.Claim, text string) bool { return c.Start < c.End && c.End <= len(text) }

// ended reports whether a claim was revised or withdrawn, and does not hold until a date that is to come.
func ended(s graph.ClaimState, now time.Time) bool {
	return s.Withdrawn || s.RevisedBy != "" && (!s.ValidTo.After(now) || !s.ValidTo.After(s.From))
}

// correctedAt returns when a person last set what a claim says, if that is not what was read.
func correctedAt(c *graph.Claim) (at time.Time, corrected bool) {
	first, s := c.History[0], c.State()
	if s.Withdrawn || s.Subject == first.Subject && s.Predicate == first.Predicate && s.Object == first.Object {
		return time.Time{}, false
	}
	for i := range c.History[1:] {
		if x, before := c.History[i+1], c.History[i]; x.Corrected && (x.Subject != before.Subject || x.Predicate != before.Predicate || x.Object != before.Object) {
			at = x.From
		}
	}
	return at, !at.IsZero()
}

// reworded writes a corrected claim in the words of its clause. What the clause does not say once, as it was read, cannot be
// replaced in it: then the claim is a sentence of its own.
func reworded(clause string, read, now graph.ClaimState) string {
	for _, part := range [][2]string{{read.Object, now.Object}, {read.Predicate, now.Predicate}, {read.Subject, now.Subject}} {
		if part[0] == part[1] {
			continue
		}
		head, tail, once := cutWords(clause, part[0])
		if !once {
			return sentence(now)
		}
		if words := strings.Fields(part[1]); len(words) > 0 && articles[strings.ToLower(words[0])] {
			for a := range articles { // that of the correction replaces the one in the text
				if h, cut := strings.CutSuffix(head, " "+a+" "); cut {
					head = h + " "
					break
				}
			}
		}
		clause = head + part[1] + tail
	}
	return clause
}

var articles = english.WordSet("a an the")

// cutWords parts a clause around words that stand in it once, as whole words.
func cutWords(clause, words string) (head, tail string, once bool) {
	if words == "" {
		return "", "", false
	}
	for from := 0; ; {
		at := strings.Index(clause[from:], words)
		if at < 0 {
			return head, tail, once
		}
		at += from
		from = at + len(words)
		before, _ := utf8.DecodeLastRuneInString(clause[:at])
		after, _ := utf8.DecodeRuneInString(clause[from:])
		if unicode.IsLetter(before) || unicode.IsDigit(before) || unicode.IsLetter(after) || unicode.IsDigit(after) {
			continue
		}
		if once {
			return "", "", false
		}
		head, tail, once = clause[:at], clause[from:], true
	}
}

// sentence writes a claim as its three parts.
func sentence(s graph.ClaimState) string {
	text := strings.TrimSpace(strings.Join(strings.Fields(s.Subject+" "+strings.ReplaceAll(s.Predicate, "_", " ")+" "+s.Object), " "))
	if s.Negated {
		return "It is not so that " + text
	}
	return text
}

// Overruled reports that nothing that a memory states holds as its text says it: a person corrected or withdrew each claim, or
// a later statement ended it.
func Overruled(m *graph.Memory, now time.Time) bool {
	return len(m.Claims) > 0 && !slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		_, corrected := correctedAt(&c)
		return !corrected && !ended(c.State(), now)
	})
}

// Wrong reports that a person or a later statement withdrew all that a memory states.
func Wrong(m *graph.Memory) bool {
	return len(m.Claims) > 0 && !slices.ContainsFunc(m.Claims, func(c graph.Claim) bool { return !c.State().Withdrawn })
}

// Parts returns the clauses of a memory that another one ended, or the clause of the claim with a number if it ended none, and what
// else of its text holds. Both are empty if the memory has no such clauses, or says nothing else that holds.
func Parts(m *graph.Memory, by graph.ID, claim int, now time.Time) (changed, rest string) {
	of := func(i int) bool {
		s := m.Claims[i].State()
		return s.RevisedBy == by && ended(s, now)
	}
	one := true
	for i := range m.Claims {
		one = one && !of(i)
	}
	rest = m.Content
	holds := false
	for i := len(m.Claims) - 1; i >= 0; i-- {
		c := &m.Claims[i]
		its := of(i) || one && i == claim
		switch {
		case !inText(c, m.Content):
			return "", ""
		case its:
			changed = m.Content[c.Start:c.End] + " " + changed
		case !ended(c.State(), now):
			holds = true
			continue
		}
		if c.End <= len(rest) {
			rest = withoutClause(rest, c.Start, c.End)
		}
	}
	if !holds || changed == "" {
		return "", ""
	}
	return strings.TrimSpace(changed), rest
}

// joints are what may join two clauses.
var joints = []string{"and", "but", "so", "because", "while", "also"}

// withoutClause cuts a clause and what joins it to the clause before it or, at the start of a
// sentence, to the one after it. With the only clause of a sentence its full stop goes.
func withoutClause(text string, start, end int) string {
	before, after := trimJoint(text[:start]), text[end:]
	first := before == "" || strings.ContainsAny(before[len(before)-1:], ".!?\n")
	rest := strings.TrimLeft(after, " ,;–—-")
	switch {
	case first && strings.TrimLeft(rest, ".!?") != rest:
		after = strings.TrimLeft(rest, ".!?")
	case first:
		for _, j := range joints {
			rest = strings.TrimPrefix(rest, j+" ")
		}
		if r, size := utf8.DecodeRuneInString(rest); size > 0 {
			rest = string(unicode.ToUpper(r)) + rest[size:]
		}
		if after = rest; before != "" {
			after = " " + rest
		}
	}
	return strings.TrimSpace(before + after)
}

// trimJoint removes a trailing conjunction, signs and blanks.
func trimJoint(text string) string {
	text = strings.TrimRight(text, " ,;–—-")
	for _, j := range joints {
		if head, ok := strings.CutSuffix(text, " "+j); ok {
			return strings.TrimRight(head, " ,;–—-")
		}
	}
	return text
}

// WithoutSentences removes the sentences of what from a text, each where it stands whole.
func WithoutSentences(text, what string) string {
	for _, s := range strings.FieldsFunc(what, func(r rune) bool { return r == '.' || r == '!' || r == '?' || r == '\n' }) {
		if s = strings.TrimSpace(s); strings.Contains(s, " ") {
			text = strings.ReplaceAll(text, s+".", "")
			text = strings.ReplaceAll(text, s, "")
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\n-–•.") != "" {
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
