package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/modality"
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
	said := modality.Clause{
		Words: viewed(c.words), Cues: c.cues, Question: question, Verb: c.verb, Aux: c.aux, Lemma: c.verbLemma, Pronoun: c.subject.pronoun, NoSubject: c.subject.empty(),
		Past: c.past, Perfect: c.perfect, Passive: c.passive, Negated: c.negated, Imperative: c.imperative, Setting: c.setting, Changes: c.changes,
		Begins: c.begins(), Then: c.cues&cueBounded != 0 && c.happenedThen(), GivesNotice: c.givesNotice(),
	}
	return said.Read()
}

// begins reports "as of this week": the interval only begins then.
func (c *clause) begins() bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.low == "of" && follows(c.words, &w, "as") })
}

func (c *clause) hasWord(low string) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.low == low })
}
