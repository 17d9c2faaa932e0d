package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/modality"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// Modality is how a clause presents what it says.
type Modality = modality.Modality

// The modalities, see package modality.
const (
	Asserted, Imperative, Question, Conditional, Wish, Plan = modality.Asserted, modality.Imperative, modality.Question, modality.Conditional, modality.Wish, modality.Plan
	Fiction, Quoted, Reported, Attempt, Bounded, Past       = modality.Fiction, modality.Quoted, modality.Reported, modality.Attempt, modality.Bounded, modality.Past
	Event, modalities                                       = modality.Event, modality.Count
)

// readModality returns the modality of a clause. question says that a question mark ends its
// sentence.
func (c *clause) readModality(question bool) Modality {
	if len(c.words) == 0 {
		return Asserted
	}
	quoted := 0
	for i := range c.words {
		if c.words[i].quoted {
			quoted++
		}
	}
	first := c.words[0].low
	switch {
	case quoted > 2 && (c.words[0].quoted || 2*quoted > len(c.words)) || c.cues&cueQuoted != 0:
		return Quoted
	case question, c.verbLemma == "wonder", c.cues&cueIf == 0 && lexicon.QuestionWords[first] && !c.setting && c.aux > 0 && c.aux <= 3 && c.aux+1 < len(c.words) && c.subject.empty():
		return Question
	case c.cues&cueFiction != 0:
		return Fiction
	case c.cues&cueWish != 0 && !c.hasWord("rather"):
		return Wish
	case c.cues&cueIf != 0 && !c.hasWord("rather"), first == "when" && !c.past && c.verb > 0:
		return Conditional
	case c.reports():
		return Reported
	case c.cues&cueAttempt != 0 && !c.setting && !c.almostIs():
		return Attempt
	case c.isPast():
		return Past
	case c.cues&cueFuture != 0 && !c.permits(), c.givesNotice():
		return Plan
	case c.cues&cueBounded != 0 && c.cues&cueFrom == 0 && !c.hasWord("again") && !c.begins() && !c.happenedThen() && !tables.LastsLemma[c.verbLemma]:
		return Bounded
	case c.imperative:
		return Imperative
	case c.past && !c.perfect && !c.passive && !c.changes: // its verb names no change of a state
		return Event
	}
	return Asserted
}

// almostIs reports what is said of a thing with a limit: "is nearly blind". Its other words hold. "Is almost done" is
// an attempt.
func (c *clause) almostIs() bool {
	if c.verbLemma != "be" || c.verb < 0 || c.past {
		return false
	}
	rest := c.words[c.verb:]
	at := slices.IndexFunc(rest, func(w word) bool { return w.low == "nearly" || w.low == "almost" })
	return at > 0 && at+1 < len(rest) && verbForm(rest[at+1].low) == noVerb && rest[at+1].lem != "don"
}

// begins reports "as of this week": the interval only begins then.
func (c *clause) begins() bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.low == "of" && follows(c.words, &w, "as") })
}

func (c *clause) hasWord(low string) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.low == low })
}

// reports reports words of somebody other than the speaker.
func (c *clause) reports() bool {
	if c.cues&cueReported != 0 && (c.verb < 0 || !strings.HasPrefix(c.subject.pronoun, "@")) {
		return true
	}
	if c.cues&cueReported != 0 && c.verbLemma != "think" && c.verbLemma != "believ" {
		return true
	}
	if c.verb < 0 || !tables.ReportLemma[c.verbLemma] || strings.HasPrefix(c.subject.pronoun, "@") || c.passive || c.imperative {
		return false
	}
	return verbAt(c.words[min(c.verb+1, len(c.words)):]) >= 0
}

// permits reports a modal verb that states a rule: can, can't, must.
func (c *clause) permits() bool {
	if c.verb < 0 || c.aux >= len(c.words) || slices.ContainsFunc(c.words, func(w word) bool { return lexicon.Perhaps[w.low] }) {
		return false
	}
	low := c.words[c.aux].low
	return low == "can" || low == "must" || low == "may" && c.subject.pronoun == "@you" ||
		low == "should" && !strings.HasPrefix(c.subject.pronoun, "@") && c.cues&cueDated == 0 && !c.hasWord("by") || c.hasWord("going") && c.verbLemma != "mov"
}

// isPast reports a state that held in the past: "used to", a verb of state in the past tense.
func (c *clause) isPast() bool {
	if c.verb < 0 || c.setting {
		return c.cues&cueUsed != 0
	}
	change := c.changes || c.cues&cueChanged != 0 && c.passive
	switch {
	case c.negated && c.hasWord("never"):
		return false
	case c.cues&cueUsed != 0:
		return c.past || !c.perfect
	case !c.past || c.perfect || c.passive || change:
		return c.past && !change && !c.passive && c.cues&cueDated != 0
	}
	return tables.StativeLemma[c.verbLemma] && !tables.EventLemma[c.verbLemma] && !c.hasWord("born")
}
