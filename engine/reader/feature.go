package reader

import (
	"math/bits"

	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// Features are the indices of the binary features of a pair of statements, below linear.Buckets.
type Features = linear.Features

// group numbers a family of features.
type group uint32

const (
	groupBias group = iota
	groupSubject
	groupVerb
	groupObject
	groupPhrase
	groupSlot
	groupFlip
	groupModality
	groupTense
	groupFresh
	groupEarlierCue
	groupCounts
	groupAlign
	groupCross
	groupCueCross
	groupSlotCross
	groupKind
	groupTheme
	groupSource
	groupLetters // from here on the features are words
	groupWordPair
	groupVerbPair
	groupVerbObject
	groupFrame
	groupReplaced
	groupDeleted
)

// builder collects features.
type builder struct{ out Features }

// add adds the feature of a group and up to six values.
func (f *builder) add(g group, values ...uint32) {
	h := uint32(g)*0x9e3779b1 + 0x7f4a7c15
	for _, v := range values {
		h = bits.RotateLeft32(h^v*0x85ebca6b, 13) * 0xc2b2ae35
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 13
	h &= linear.Buckets/2 - 1
	if g >= groupLetters {
		h += linear.Buckets / 2
	}
	f.out = append(f.out, uint16(h))
}

// verbClass is the class of a verb by the tables.
func (c *clause) verbClass() uint32 {
	switch l := c.verbLemma; {
	case c.verb < 0:
		return 0
	case l == "be":
		return 1
	case tables.stopLemma[l]:
		return 2
	case c.changes:
		return 3
	case tables.manyLemma[l]:
		return 4
	case tables.eventLemma[l]:
		return 5
	case tables.stativeLemma[l]:
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
func (p *pair) features(f *builder) {
	a, b := p.earlier, p.later
	S, V, O, P := uint32(p.subject), uint32(p.verb), uint32(p.object), uint32(p.phrase)
	va, vb := a.verbClass(), b.verbClass()
	flip := flag(p.flip)
	f.add(groupBias)
	f.add(groupSubject, S)
	f.add(groupSubject, S, uint32(p.subjectKind))
	f.add(groupVerb, V)
	f.add(groupVerb, V, va, vb)
	f.add(groupObject, O)
	f.add(groupObject, O, uint32(p.objectKind), va)
	f.add(groupPhrase, P, uint32(p.phraseKind))
	f.add(groupPhrase, P, uint32(p.phraseFrom), uint32(p.phraseKind), 7)
	f.add(groupObject, O, uint32(p.objectFrom), uint32(p.objectKind), 8, flag(b.imperative))
	f.add(groupObject, O, flag(a.object.the), flag(b.object.the), uint32(min(p.differ, 2)), 9)
	f.add(groupFlip, flip, flag(a.stopped), flag(b.stopped), O)
	f.add(groupPhrase, P, wording.Hash(p.phrasePrep), va)
	f.add(groupPhrase, 99, uint32(min(p.same, 2)), uint32(min(p.differ, 2)), uint32(min(p.onlyEarlier, 2)), uint32(min(p.onlyLater, 2)))
	f.add(groupFlip, flip, O, V)
	f.add(groupFlip, flip, uint32(p.crossKind), S)
	f.add(groupModality, uint32(a.modality), uint32(b.modality))
	f.add(groupModality, uint32(b.modality))
	f.add(groupTense, flag(b.past), flag(b.passive), flag(b.perfect), vb)
	f.add(groupTense, flag(b.past), flag(a.past), V)
	f.add(groupKind, uint32(p.crossKind), V)
	f.add(groupKind, uint32(p.crossKind), S, O)
	f.add(groupKind, uint32(p.inverse), uint32(p.inverseBack), V)
	f.add(groupPhrase, 60, uint32(min(p.leadingLater, 2)), uint32(min(p.qualifier, 2)), flag(b.setting))
	f.add(groupSource, flag(p.sourced), flip)
	f.add(groupSource, flag(p.sourced), S, vb, 1)
	f.add(groupTheme, uint32(p.theme), S, V, flip)
	f.add(groupTheme, uint32(p.theme), uint32(p.crossKind), flip, 7)
	f.add(groupTheme, uint32(p.theme), va, vb, flag(a.passive), flag(b.passive), flip)
	f.add(groupKind, 40, flag(memberships(a.object.words)), flag(memberships(b.object.words)), O, uint32(p.crossKind))
	if p.phrase != bothEmpty {
		f.add(groupKind, 41, P, uint32(p.phraseKind), uint32(p.crossKind), flag(p.membersFrom), flag(p.membersTo))
	}
	p.slotFeatures(f)
	p.cueFeatures(f)

	f.add(groupCross, S, V, O, P, flip)
	f.add(groupCross, S, V, O, flip)
	f.add(groupCross, 50, S, uint32(min(p.differ, 2)), O, va, flip)
	f.add(groupCross, 51, V, O, P, uint32(p.objectKind), uint32(p.phraseKind))
	f.add(groupCross, 52, S, flag(a.setting), flag(b.setting), flag(a.imperative), flag(b.imperative))
	f.add(groupCross, 53, O, flag(b.imperative), uint32(p.objectKind), uint32(p.crossKind))
	f.add(groupCross, 54, uint32(len(b.object.mods)), flag(b.object.the), va, O)
	f.add(groupVerbObject, wording.Hash(b.verbLemma), O)
	f.add(groupVerbObject, wording.Hash(b.verbLemma), P, wording.Hash(p.phrasePrep))
	f.add(groupVerbPair, wording.Hash(a.verbLemma), wording.Hash(b.verbLemma), flip)
	f.add(groupVerbPair, wording.Hash(b.verbLemma), vb, flag(b.past))

	f.add(groupCounts, uint32(min(p.common, 4)), uint32(min(p.unmatched[0], 4)), uint32(min(p.unmatched[1], 4)))
	f.add(groupCounts, 90, uint32(min(p.unmatched[0], 4)), uint32(min(p.unmatched[1], 4)), S, flip)
	f.add(groupCounts, 91, uint32(min(p.common, 4)), V)
	p.sequenceFeatures(f)
}

// slotFeatures adds what the table says of the two clauses.
func (p *pair) slotFeatures(f *builder) {
	m := &p.slot
	if !m.found {
		if len(p.earlier.slots) > 0 && len(p.later.slots) > 0 {
			f.add(groupFrame, 300, uint32(p.earlier.slots[0].frame), uint32(p.later.slots[0].frame))
		}
		f.add(groupSlot, 0, flag(len(p.earlier.slots) > 0), flag(len(p.later.slots) > 0))
		f.add(groupSlot, 1, uint32(p.subject), uint32(p.object), uint32(p.verb), p.earlier.verbClass())
		return
	}
	ca, ho, va := uint32(m.cardinality), uint32(m.holder), uint32(m.value)
	f.add(groupSlot, ca, ho, va)
	f.add(groupSlot, ca, ho, va, uint32(m.earlier.use), uint32(m.later.use), uint32(m.kind))
	f.add(groupSlot, 70+ca, ho, uint32(m.later.use), flag(m.later.inverse), flag(p.flip))
	f.add(groupSlot, 30+ca, va, uint32(lastOf(m.earlier.value)), uint32(lastOf(m.later.value)), flag(memberships(m.earlier.value)), flag(memberships(m.later.value)))
	f.add(groupSlotCross, ca, ho, va, flag(p.flip), uint32(p.verb))
	f.add(groupSlotCross, ca, ho, va, uint32(p.subject), uint32(min(p.differ, 2)), uint32(min(p.onlyLater, 2)))
	f.add(groupSlotCross, 80+ca, uint32(p.object), uint32(p.phrase), uint32(p.subject), flag(m.later.inverse))
	f.add(groupSlotCross, 85+ca, flag(m.earlier.byNoun), flag(m.later.byNoun), ho, va, flag(m.earlier.noun == m.later.noun))
	f.add(groupFrame, uint32(m.earlier.frame), va)
	f.add(groupFrame, uint32(m.earlier.frame), uint32(m.later.use), ho)
}

// cueFeatures adds the words of change, correction and modality.
func (p *pair) cueFeatures(f *builder) {
	for c := range uint32(cues) {
		bit := cue(1) << c
		if p.fresh&bit != 0 {
			f.add(groupFresh, c)
			f.add(groupCueCross, c, uint32(p.subject), uint32(p.verb))
			f.add(groupCueCross, c, uint32(p.slot.cardinality)+4*flag(p.slot.found), uint32(p.object))
		}
		if p.earlier.cues&bit != 0 {
			f.add(groupEarlierCue, c, flag(p.later.cues&bit != 0))
		}
	}
	f.add(groupFresh, 99, flag(p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect) != 0), uint32(p.subject), uint32(p.slot.cardinality)+4*flag(p.slot.found))
}

// sequenceFeatures adds masked n-grams of the later clause, the replaced words and what stands
// before them.
func (p *pair) sequenceFeatures(f *builder) {
	a, b := p.earlier.words, p.later.words
	f.add(groupAlign, uint32(min(p.prefix, 5)), uint32(min(p.suffix, 4)))
	endA, endB := len(a)-p.suffix, len(b)-p.suffix
	f.add(groupAlign, 20, uint32(min(endA-p.prefix, 4)), uint32(min(endB-p.prefix, 4)), flag(p.prefix > 0), flag(p.suffix > 0))
	if p.prefix > 0 && endA > p.prefix && endB > p.prefix {
		x, y := &a[endA-1], &b[endB-1]
		f.add(groupReplaced, uint32(x.class), uint32(y.class), a[p.prefix-1].mask())
		f.add(groupReplaced, 1, uint32(x.class), uint32(y.class), uint32(min(endA-p.prefix, 3)), uint32(min(endB-p.prefix, 3)), flag(p.suffix > 0))
		if p.suffix > 0 {
			f.add(groupReplaced, 2, a[endA].mask(), uint32(y.class))
		}
		f.add(groupWordPair, min(x.hash, y.hash), max(x.hash, y.hash))
	}
	last, before := uint32('^'), uint32('^')
	for i := range b {
		m := b[i].mask()
		if b[i].content() && hasWord(a, &b[i]) {
			m = '='
		}
		f.add(groupLetters, m)
		f.add(groupLetters, last, m)
		f.add(groupLetters, before, last, m)
		before, last = last, m
	}
	f.add(groupLetters, last, '$')
	for i := range a {
		if !hasWord(b, &a[i]) {
			f.add(groupDeleted, a[i].mask())
		}
	}
}

// mask is what stands for a word in n-grams: the word itself, if it is a function word, an
// adverb or a verb of change, otherwise its class.
func (w *word) mask() uint32 {
	if w.class == classFunction || w.class == classAdverb || w.class == classVerb && tables.changeLemma[w.lem] {
		return w.hash
	}
	return uint32(w.class)
}
