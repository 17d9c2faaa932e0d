package extract

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// Task is something still to be done, as announced by a text.
type Task struct {
	Text     string  // the task without its cue
	Sentence string  // the sentence that announces it
	Strength float64 // of the cue, [0,1]
	Certain  bool    // the cue alone makes the task a candidate, at any confidence
	Blocks   string  // what has to wait for the task; empty if the text does not say
	Own      bool    // the speaker has to do it or asks to be reminded: from an assistant or a tool it is none
}

// TaskAt is the confidence from which a task is a candidate, TaskHighAt the one above which it has
// high priority.
const (
	TaskAt     = 0.70
	TaskHighAt = 0.85
)

// taskCues are the words that announce a task, with their strength. If two match at one place the
// first applies.
var taskCues = []struct {
	words    []string
	strength float64
	certain  bool
}{
	{[]string{"todo"}, 0.90, true},
	{[]string{"don't", "forget", "to"}, 0.85, true},
	{[]string{"do", "not", "forget", "to"}, 0.85, true},
	{[]string{"i", "need", "to"}, 0.80, false},
	{[]string{"we", "need", "to"}, 0.75, false},
	{[]string{"follow", "up", "on"}, 0.72, false},
	{[]string{"next", "step", "is", "to"}, 0.70, false},
	{[]string{"next", "step", "is"}, 0.70, false},
	{[]string{"i", "should"}, 0.65, false},
}

const blockedStrength = 0.78

// Tasks returns the tasks that a text announces, at most one a sentence, in order. Questions and
// past needs ("I needed to") announce none, except that a question may ask to be reminded. What is pasted or quoted announces none.
func Tasks(text string) []Task {
	var out []Task
	text = pasted.Own(text)
	for _, s := range sentences(text) {
		p := parser{text: text}
		t, ok := p.reminder(s.Words, s.Question)
		if !ok && !s.Question {
			t, ok = taskIn(text, s.Words)
		}
		if ok {
			t.Sentence = p.textOf(s.Words)
			out = append(out, t)
		}
	}
	return out
}

func taskIn(text string, ws []Word) (Task, bool) {
	p := parser{text: text}
	if t, ok := p.blocked(ws); ok {
		return t, true
	}
	for i := range ws {
		for _, c := range taskCues {
			if !startsWith(ws[i:], c.words) || c.words[0] == "todo" && ws[i].SignAfter != ':' {
				continue
			}
			if what := p.textOf(ws[i+len(c.words):]); what != "" {
				return Task{Text: what, Strength: c.strength, Certain: c.certain}, true
			}
		}
	}
	if verb := once(ws); verb >= 0 {
		if what := p.textOf(ws[verb:]); what != "" {
			return Task{Text: what, Strength: needStrength, Own: true}, true
		}
	}
	return Task{}, false
}

// needStrength is the strength of "we have to" and what is like it.
const needStrength = 0.75

// blocked reads "before we can X, we need Y": Y is the task, and X waits for it. That something
// waits makes it a candidate.
func (p *parser) blocked(ws []Word) (Task, bool) {
	if !startsWith(ws, []string{"before", "we", "can"}) && !startsWith(ws, []string{"before", "i", "can"}) {
		return Task{}, false
	}
	for i := 3; i+2 < len(ws); i++ {
		if ws[i].SignAfter != ',' || ws[i+2].Low != "need" || ws[i+1].Low != "we" && ws[i+1].Low != "i" {
			continue
		}
		what := ws[i+3:]
		if len(what) > 0 && what[0].Low == "to" {
			what = what[1:]
		}
		if len(what) == 0 {
			return Task{}, false
		}
		return Task{Text: p.textOf(what), Strength: blockedStrength, Certain: true, Blocks: p.textOf(ws[3 : i+1])}, true
	}
	return Task{}, false
}

// startsWith reports whether ws begins with the words, separated by spaces only.
func startsWith(ws []Word, words []string) bool {
	if len(ws) < len(words) {
		return false
	}
	for i, want := range words {
		if ws[i].Low != want || i < len(words)-1 && ws[i].SignAfter != 0 {
			return false
		}
	}
	return true
}

// TaskConfidence returns 0.6·strength + 0.25·entity + 0.15·repeated, in [0,1]: entity is 1 if the
// sentence of the task names a known entity, repeated is 1 if an earlier one of the last turns announced it.
func TaskConfidence(strength float64, namesKnown, saidBefore bool) float64 {
	c := 0.6 * strength
	if namesKnown {
		c += 0.25
	}
	if saidBefore {
		c += 0.15
	}
	return c
}

// Candidate reports whether the task is proposed at this confidence.
func (t Task) Candidate(confidence float64) bool {
	return t.Certain || confidence >= TaskAt
}

// Waits reports whether a task is what a text calls blocked: all content words of the text stand in
// the task, in any form. "Ship the release on Friday" is "ship the release".
func Waits(task, blocked string) bool {
	words := lemmas(task)
	blocks := slices.DeleteFunc(lemmas(blocked), english.StopWord)
	return len(blocks) > 0 && !slices.ContainsFunc(blocks, func(w string) bool { return !slices.Contains(words, w) })
}

// lemmas are the base forms of the words of a text, in lower case.
func lemmas(text string) (words []string) {
	for t := range english.Tokens(text, english.Names) {
		if t.IsWord() {
			words = append(words, english.Lemma(t.Lower()))
		}
	}
	return words
}
