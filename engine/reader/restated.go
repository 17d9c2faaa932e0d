package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

// actsForSpeaker reports who changes what is the speaker's: "they", "the landlord", "my doctor", and the speaker.
func (n *nounPhrase) actsForSpeaker() bool {
	if n.firstPerson() || len(n.words) == 1 && n.words[0].low == "they" {
		return true
	}
	return n.pronoun == "" && lexicon.Agents[n.head] && n.the && (n.owner == "" || strings.HasPrefix(n.owner, "@"))
}

// ofSpeaker reports what is the speaker, or the speaker's.
func (n *nounPhrase) ofSpeaker() bool {
	return n.firstPerson() || strings.HasPrefix(n.owner, "@") && n.owner != "@you" && !tables.family[n.head] && !lexicon.Kin[n.head]
}

// changedForSpeaker reports that the subject of the later clause changes something of the speaker: "the doctor swapped ramipril for amlodipine".
func (p *pair) changedForSpeaker() bool {
	a, b := p.earlier, p.later
	return !b.subject.firstPerson() && b.subject.actsForSpeaker() && a.subject.ofSpeaker() && (b.object.owner == "" || strings.HasPrefix(b.object.owner, "@"))
}

// sameMeasure reports two classes of values of one attribute: a number that a change gives may leave its unit out: "is set to 21 degrees",
// "turned it down to 19".
func sameMeasure(x, y *word, changed bool) bool {
	if x.class != y.class {
		return changed && y.class == classNumber && (x.class == classAmount || x.class == classMoney || x.class == classPercent)
	}
	return x.class != classAmount && x.class != classMoney || unitOf(x.lem) == unitOf(y.lem)
}

// isPlaced reports a clause that says where something is: "is in room 204", "is on the third floor".
func (c *clause) isPlaced() bool {
	return slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		return !q.leading && lexicon.Located[q.prep] && isPlace(q.noun.words) && (q.prep != "on" || !slices.ContainsFunc(q.noun.words, func(w word) bool { return w.class == classNumber }))
	})
}

// isPlace reports words that may name a place: they have no time, amount or unit.
func isPlace(words []word) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w word) bool {
		return measured(w.class) && w.class != classNumber && w.class != classCode || w.class == classPart || tables.unit[w.low] || tables.relative[w.low]
	}) && !(len(words) == 1 && words[0].class == classNumber)
}

// movesPlaced reports that the later clause moves what the earlier one says where it is: "the warehouse is in Rotterdam", "the warehouse has
// relocated to Antwerp".
func (p *pair) movesPlaced() bool {
	a, b := p.earlier, p.later
	l, _ := compareNouns(&a.subject, b.thing())
	return lexicon.Carried[b.verbLemma] && l == equal && a.object.empty() && lexicon.Rests[a.verbLemma] && a.isPlaced() && isPlace(b.governed("to"))
}

// tellsChange reports that the later clause says by its verb or by a word such as "now" that something has changed, and that it names what the
// earlier one is about, with another value of one kind and nobody else: "we're aiming for 200 sign-ups", "we've lowered the target to 150 sign-ups".
func (p *pair) tellsChange() bool {
	a, b := p.earlier, p.later
	if p.fresh&(cueNow|cueInstead|cueChanged) == 0 && !b.shifts() || p.flip || a.negated || b.negated || b.stopped || b.passive && b.past && !b.shifts() || many(b) || b.ending() != nil || p.addsPhrases() {
		return false
	}
	if b.modality != Asserted && b.modality != Event || a.modality != Asserted || wild(b.subject.owner) || p.fresh&cueBounded != 0 || !p.sharesMatter() {
		return false
	}
	value := b.governed("to")
	if value == nil || !b.shifts() {
		value = b.complement()
	}
	x, y := headOf(a.complement()), headOf(value)
	if i, j := onlyMeasured(a.words, b.words), onlyMeasured(b.words, a.words); i >= 0 && j >= 0 && sameMeasure(&a.words[i], &b.words[j], b.shifts()) {
		x, y = &a.words[i], &b.words[j]
	}
	if x == nil || y == nil || hasWord(a.words, y) || hasWord(b.words, x) {
		return false
	}
	if y.class == classDate || y.class == classWeekday || y.class == classClock {
		at := slices.IndexFunc(b.words, func(w word) bool { return w.start == y.start && w.low == y.low })
		if preposition(b.words, at) != "to" && p.fresh&cueNow == 0 {
			return false // when it was done: "I started on the report on Tuesday"
		}
	}
	if measured(x.class) || measured(y.class) {
		if p.fresh&cueDated != 0 || !sameMeasure(x, y, b.shifts()) {
			return false
		}
	} else if l := oppose(x, y); !(isName(x.class) && isName(y.class)) && l != kindred && l != opposed && x.lem != y.lem {
		return false
	}
	return !p.namesAnother(func(w *word) bool { return w.start == y.start && isName(x.class) })
}

// namesAnother reports a person or a relative whom only the later clause names, besides some words.
func (p *pair) namesAnother(besides func(*word) bool) bool {
	return slices.ContainsFunc(p.later.words, func(w word) bool {
		person := w.class == classPerson || tables.family[w.low] || lexicon.Kin[w.lem]
		return person && !hasWord(p.earlier.words, &w) && !besides(&w)
	})
}

// sharesMatter reports that the later clause is about the subject of the earlier one, or that the speaker, or who acts for the speaker, changes
// what the earlier clause names.
func (p *pair) sharesMatter() bool {
	a, b := p.earlier, p.later
	named := slices.ContainsFunc(b.words, func(w word) bool {
		return w.content() && w.start != b.words[b.verb].start && !measured(w.class) && !tables.unit[w.low] && hasWord(a.words, &w)
	})
	switch {
	case p.subject == equal && !wild(b.subject.pronoun):
		return named || p.verb == verbSame
	case b.subject.actsForSpeaker():
		return named && (a.subject.ofSpeaker() || a.subject.pronoun == "" && a.subject.owner == "")
	}
	return named && slices.ContainsFunc(a.words, func(w word) bool { return w.lem == b.subject.head })
}

// addsPhrases reports that the later clause has more than one phrase that the earlier one lacks and that does not tell when, or one before it.
func (p *pair) addsPhrases() bool {
	n := 0
	for i := range p.later.phrases {
		q := &p.later.phrases[i]
		if q.noun.empty() || q.kind() == "interval" || q.timely() || slices.ContainsFunc(q.noun.words, func(w word) bool { return tables.unit[w.low] || lexicon.ForATime[w.lem] }) {
			continue
		}
		if x := p.earlier.phrase(q.prep, &q.noun); x == nil {
			n++
		}
	}
	return n > 1 || p.leadingLater > 0 && !p.later.shifts()
}
