package reader

import (
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// Features are the indices of the binary features of a pair of statements, below linear.Buckets.
type Features = linear.Features

// verbClass is the class of a verb by the tables.
func (c *clause) verbClass() uint32 {
	switch l := c.verbLemma; {
	case c.verb < 0:
		return 0
	case l == "be":
		return 1
	case tables.StopLemma[l]:
		return 2
	case c.changes:
		return 3
	case tables.ManyLemma[l]:
		return 4
	case tables.EventLemma[l]:
		return 5
	case tables.StativeLemma[l]:
		return 6
	}
	return 7
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// features adds what the alignment of two clauses shows.
func (p *pair) features(f *linear.Builder) {
	a, b := p.earlier, p.later
	S, V, O, P := uint32(p.subject), uint32(p.verb), uint32(p.object), uint32(p.phrase)
	va, vb := a.verbClass(), b.verbClass()
	flip := flag(p.flip)
	f.Add(linear.GroupBias)
	f.Add(linear.GroupSubject, S)
	f.Add(linear.GroupSubject, S, uint32(p.subjectKind))
	f.Add(linear.GroupVerb, V)
	f.Add(linear.GroupVerb, V, va, vb)
	f.Add(linear.GroupObject, O)
	f.Add(linear.GroupObject, O, uint32(p.objectKind), va)
	f.Add(linear.GroupPhrase, P, uint32(p.phraseKind))
	f.Add(linear.GroupPhrase, P, uint32(p.phraseFrom), uint32(p.phraseKind), 7)
	f.Add(linear.GroupObject, O, uint32(p.objectFrom), uint32(p.objectKind), 8, flag(b.imperative))
	f.Add(linear.GroupObject, O, flag(a.object.the), flag(b.object.the), uint32(min(p.differ, 2)), 9)
	f.Add(linear.GroupFlip, flip, flag(a.stopped), flag(b.stopped), O)
	f.Add(linear.GroupPhrase, P, wording.Hash(p.phrasePrep), va)
	f.Add(linear.GroupPhrase, 99, uint32(min(p.same, 2)), uint32(min(p.differ, 2)), uint32(min(p.onlyEarlier, 2)), uint32(min(p.onlyLater, 2)))
	f.Add(linear.GroupFlip, flip, O, V)
	f.Add(linear.GroupFlip, flip, uint32(p.crossKind), S)
	f.Add(linear.GroupModality, uint32(a.modality), uint32(b.modality))
	f.Add(linear.GroupModality, uint32(b.modality))
	f.Add(linear.GroupTense, flag(b.past), flag(b.passive), flag(b.perfect), vb)
	f.Add(linear.GroupTense, flag(b.past), flag(a.past), V)
	f.Add(linear.GroupKind, uint32(p.crossKind), V)
	f.Add(linear.GroupKind, uint32(p.crossKind), S, O)
	f.Add(linear.GroupKind, uint32(p.inverse), uint32(p.inverseBack), V)
	f.Add(linear.GroupPhrase, 60, uint32(min(p.leadingLater, 2)), uint32(min(p.qualifier, 2)), flag(b.setting))
	f.Add(linear.GroupSource, flag(p.sourced), flip)
	f.Add(linear.GroupSource, flag(p.sourced), S, vb, 1)
	f.Add(linear.GroupTheme, uint32(p.theme), S, V, flip)
	f.Add(linear.GroupTheme, uint32(p.theme), uint32(p.crossKind), flip, 7)
	f.Add(linear.GroupTheme, uint32(p.theme), va, vb, flag(a.passive), flag(b.passive), flip)
	f.Add(linear.GroupKind, 40, flag(memberships(a.object.words)), flag(memberships(b.object.words)), O, uint32(p.crossKind))
	if p.phrase != bothEmpty {
		f.Add(linear.GroupKind, 41, P, uint32(p.phraseKind), uint32(p.crossKind), flag(p.membersFrom), flag(p.membersTo))
	}
	p.slotFeatures(f)
	p.cueFeatures(f)

	f.Add(linear.GroupCross, S, V, O, P, flip)
	f.Add(linear.GroupCross, S, V, O, flip)
	f.Add(linear.GroupCross, 50, S, uint32(min(p.differ, 2)), O, va, flip)
	f.Add(linear.GroupCross, 51, V, O, P, uint32(p.objectKind), uint32(p.phraseKind))
	f.Add(linear.GroupCross, 52, S, flag(a.setting), flag(b.setting), flag(a.imperative), flag(b.imperative))
	f.Add(linear.GroupCross, 53, O, flag(b.imperative), uint32(p.objectKind), uint32(p.crossKind))
	f.Add(linear.GroupCross, 54, uint32(len(b.object.mods)), flag(b.object.the), va, O)
	f.Add(linear.GroupVerbObject, wording.Hash(b.verbLemma), O)
	f.Add(linear.GroupVerbObject, wording.Hash(b.verbLemma), P, wording.Hash(p.phrasePrep))
	f.Add(linear.GroupVerbPair, wording.Hash(a.verbLemma), wording.Hash(b.verbLemma), flip)
	f.Add(linear.GroupVerbPair, wording.Hash(b.verbLemma), vb, flag(b.past))

	f.Add(linear.GroupCounts, uint32(min(p.common, 4)), uint32(min(p.unmatched[0], 4)), uint32(min(p.unmatched[1], 4)))
	f.Add(linear.GroupCounts, 90, uint32(min(p.unmatched[0], 4)), uint32(min(p.unmatched[1], 4)), S, flip)
	f.Add(linear.GroupCounts, 91, uint32(min(p.common, 4)), V)
	p.sequenceFeatures(f)
}

// slotFeatures adds what the table says of the two clauses.
func (p *pair) slotFeatures(f *linear.Builder) {
	m := &p.slot
	if !m.found {
		if len(p.earlier.slots) > 0 && len(p.later.slots) > 0 {
			f.Add(linear.GroupFrame, 300, uint32(p.earlier.slots[0].frame), uint32(p.later.slots[0].frame))
		}
		f.Add(linear.GroupSlot, 0, flag(len(p.earlier.slots) > 0), flag(len(p.later.slots) > 0))
		f.Add(linear.GroupSlot, 1, uint32(p.subject), uint32(p.object), uint32(p.verb), p.earlier.verbClass())
		return
	}
	ca, ho, va := uint32(m.cardinality), uint32(m.holder), uint32(m.value)
	f.Add(linear.GroupSlot, ca, ho, va)
	f.Add(linear.GroupSlot, ca, ho, va, uint32(m.earlier.use), uint32(m.later.use), uint32(m.kind))
	f.Add(linear.GroupSlot, 70+ca, ho, uint32(m.later.use), flag(m.later.inverse), flag(p.flip))
	f.Add(linear.GroupSlot, 30+ca, va, uint32(lastOf(m.earlier.value)), uint32(lastOf(m.later.value)), flag(memberships(m.earlier.value)), flag(memberships(m.later.value)))
	f.Add(linear.GroupSlotCross, ca, ho, va, flag(p.flip), uint32(p.verb))
	f.Add(linear.GroupSlotCross, ca, ho, va, uint32(p.subject), uint32(min(p.differ, 2)), uint32(min(p.onlyLater, 2)))
	f.Add(linear.GroupSlotCross, 80+ca, uint32(p.object), uint32(p.phrase), uint32(p.subject), flag(m.later.inverse))
	f.Add(linear.GroupSlotCross, 85+ca, flag(m.earlier.byNoun), flag(m.later.byNoun), ho, va, flag(m.earlier.noun == m.later.noun))
	f.Add(linear.GroupFrame, uint32(m.earlier.frame), va)
	f.Add(linear.GroupFrame, uint32(m.earlier.frame), uint32(m.later.use), ho)
}

// cueFeatures adds the words of change, correction and modality.
func (p *pair) cueFeatures(f *linear.Builder) {
	for c := range uint32(cues) {
		bit := cue(1) << c
		if p.fresh&bit != 0 {
			f.Add(linear.GroupFresh, c)
			f.Add(linear.GroupCueCross, c, uint32(p.subject), uint32(p.verb))
			f.Add(linear.GroupCueCross, c, uint32(p.slot.cardinality)+4*flag(p.slot.found), uint32(p.object))
		}
		if p.earlier.cues&bit != 0 {
			f.Add(linear.GroupEarlierCue, c, flag(p.later.cues&bit != 0))
		}
	}
	f.Add(linear.GroupFresh, 99, flag(p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect) != 0), uint32(p.subject), uint32(p.slot.cardinality)+4*flag(p.slot.found))
}

// sequenceFeatures adds masked n-grams of the later clause, the replaced words and what stands
// before them.
func (p *pair) sequenceFeatures(f *linear.Builder) {
	a, b := p.earlier.words, p.later.words
	f.Add(linear.GroupAlign, uint32(min(p.prefix, 5)), uint32(min(p.suffix, 4)))
	endA, endB := len(a)-p.suffix, len(b)-p.suffix
	f.Add(linear.GroupAlign, 20, uint32(min(endA-p.prefix, 4)), uint32(min(endB-p.prefix, 4)), flag(p.prefix > 0), flag(p.suffix > 0))
	if p.prefix > 0 && endA > p.prefix && endB > p.prefix {
		x, y := &a[endA-1], &b[endB-1]
		f.Add(linear.GroupReplaced, uint32(x.class), uint32(y.class), a[p.prefix-1].mask())
		f.Add(linear.GroupReplaced, 1, uint32(x.class), uint32(y.class), uint32(min(endA-p.prefix, 3)), uint32(min(endB-p.prefix, 3)), flag(p.suffix > 0))
		if p.suffix > 0 {
			f.Add(linear.GroupReplaced, 2, a[endA].mask(), uint32(y.class))
		}
		f.Add(linear.GroupWordPair, min(x.hash, y.hash), max(x.hash, y.hash))
	}
	last, before := uint32('^'), uint32('^')
	for i := range b {
		m := b[i].mask()
		if b[i].content() && hasWord(a, &b[i]) {
			m = '='
		}
		f.Add(linear.GroupLetters, m)
		f.Add(linear.GroupLetters, last, m)
		f.Add(linear.GroupLetters, before, last, m)
		before, last = last, m
	}
	f.Add(linear.GroupLetters, last, '$')
	for i := range a {
		if !hasWord(b, &a[i]) {
			f.Add(linear.GroupDeleted, a[i].mask())
		}
	}
}

// mask is what stands for a word in n-grams: the word itself, if it is a function word, an
// adverb or a verb of change, otherwise its class.
func (w *word) mask() uint32 {
	if w.class == classFunction || w.class == classAdverb || w.class == classVerb && tables.ChangeLemma[w.lem] {
		return w.hash
	}
	return uint32(w.class)
}
