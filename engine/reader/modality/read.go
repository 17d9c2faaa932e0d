package modality

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
)

// Clause is a clause of which the modality is read.
type Clause struct {
	Words    []syntax.Word
	Cues     cueset.Set
	Question bool // a question mark ends its sentence

	Verb  int    // index of the main verb; -1 if there is none
	Aux   int    // index of the first word of the verb group
	Lemma string // of the main verb

	Pronoun   string // of its subject: "@me", "@you"; empty: it is none
	NoSubject bool

	Past, Perfect, Passive, Negated, Imperative bool // as its verb group says
	Setting                                     bool // "x: value", "x = value"
	Changes                                     bool // the verb names a change of a state
	Begins                                      bool // it says from when something holds: "as of this week"
	Then                                        bool // "today" or "this week" in it says when something happened
	GivesNotice                                 bool // it announces an end: "I handed in my notice"
}

// Read returns the modality of a clause.
func (c *Clause) Read() Modality {
	if len(c.Words) == 0 {
		return Asserted
	}
	quoted := 0
	for i := range c.Words {
		if c.Words[i].Quoted {
			quoted++
		}
	}
	first := c.Words[0].Low
	switch {
	case quoted > 2 && (c.Words[0].Quoted || 2*quoted > len(c.Words)) || c.Cues&cueset.Quoted != 0:
		return Quoted
	case c.Question, c.Lemma == "wonder", c.Cues&cueset.If == 0 && lexicon.QuestionWords[first] && !c.Setting && c.Aux > 0 && c.Aux <= 3 && c.Aux+1 < len(c.Words) && c.NoSubject:
		return Question
	case c.Cues&cueset.Fiction != 0:
		return Fiction
	case c.Cues&cueset.Wish != 0 && !c.hasWord("rather"):
		return Wish
	case c.Cues&cueset.If != 0 && !c.hasWord("rather"), first == "when" && !c.Past && c.Verb > 0:
		return Conditional
	case c.reports():
		return Reported
	case c.Cues&cueset.Attempt != 0 && !c.Setting && !c.almostIs():
		return Attempt
	case c.isPast():
		return Past
	case c.Cues&cueset.Future != 0 && !c.permits(), c.GivesNotice:
		return Plan
	case c.Cues&cueset.Bounded != 0 && c.Cues&cueset.From == 0 && !c.hasWord("again") && !c.Begins && !c.Then && !tables.LastsLemma[c.Lemma]:
		return Bounded
	case c.Imperative:
		return Imperative
	case c.Past && !c.Perfect && !c.Passive && !c.Changes: // its verb names no change of a state
		return Event
	}
	return Asserted
}

// almostIs reports what is said of a thing with a limit: "is nearly blind". Its other words hold. "Is almost done" is
// an attempt.
func (c *Clause) almostIs() bool {
	if c.Lemma != "be" || c.Verb < 0 || c.Past {
		return false
	}
	rest := c.Words[c.Verb:]
	at := slices.IndexFunc(rest, func(w syntax.Word) bool { return w.Low == "nearly" || w.Low == "almost" })
	return at > 0 && at+1 < len(rest) && rest[at+1].Form == verb.None && rest[at+1].Lem != "don"
}

// reports reports words of somebody other than the speaker.
func (c *Clause) reports() bool {
	if c.Cues&cueset.Reported != 0 && (c.Verb < 0 || !strings.HasPrefix(c.Pronoun, "@")) {
		return true
	}
	if c.Cues&cueset.Reported != 0 && c.Lemma != "think" && c.Lemma != "believ" {
		return true
	}
	if c.Verb < 0 || !tables.ReportLemma[c.Lemma] || strings.HasPrefix(c.Pronoun, "@") || c.Passive || c.Imperative {
		return false
	}
	return syntax.VerbAt(c.Words[min(c.Verb+1, len(c.Words)):]) >= 0
}

// permits reports a modal verb that states a rule: can, can't, must.
func (c *Clause) permits() bool {
	if c.Verb < 0 || c.Aux >= len(c.Words) || slices.ContainsFunc(c.Words, func(w syntax.Word) bool { return lexicon.Perhaps[w.Low] }) {
		return false
	}
	low := c.Words[c.Aux].Low
	return low == "can" || low == "must" || low == "may" && c.Pronoun == "@you" ||
		low == "should" && !strings.HasPrefix(c.Pronoun, "@") && c.Cues&cueset.Dated == 0 && !c.hasWord("by") || c.hasWord("going") && c.Lemma != "mov"
}

// isPast reports a state that held in the past: "used to", a verb of state in the past tense.
func (c *Clause) isPast() bool {
	if c.Verb < 0 || c.Setting {
		return c.Cues&cueset.Used != 0
	}
	change := c.Changes || c.Cues&cueset.Changed != 0 && c.Passive
	switch {
	case c.Negated && c.hasWord("never"):
		return false
	case c.Cues&cueset.Used != 0:
		return c.Past || !c.Perfect
	case !c.Past || c.Perfect || c.Passive || change:
		return c.Past && !change && !c.Passive && c.Cues&cueset.Dated != 0
	}
	return tables.StativeLemma[c.Lemma] && !tables.EventLemma[c.Lemma] && !c.hasWord("born")
}

// hasWord reports a word of the clause, in lower case.
func (c *Clause) hasWord(low string) bool {
	return slices.ContainsFunc(c.Words, func(w syntax.Word) bool { return w.Low == low })
}
