package linear

import "math/bits"

// Group numbers a family of features.
type Group uint32

// The groups, by what their features are about.
const (
	GroupBias Group = iota
	GroupSubject
	GroupVerb
	GroupObject
	GroupPhrase
	GroupSlot
	GroupFlip
	GroupModality
	GroupTense
	GroupFresh
	GroupEarlierCue
	GroupCounts
	GroupAlign
	GroupCross
	GroupCueCross
	GroupSlotCross
	GroupKind
	GroupTheme
	GroupSource
	GroupLetters // from here on the features are words
	GroupWordPair
	GroupVerbPair
	GroupVerbObject
	GroupFrame
	GroupReplaced
	GroupDeleted
)

// Builder collects features.
type Builder struct{ Out Features }

// Add adds the feature of a group and up to six values.
func (f *Builder) Add(g Group, values ...uint32) {
	h := uint32(g)*0x9e3779b1 + 0x7f4a7c15
	for _, v := range values {
		h = bits.RotateLeft32(h^v*0x85ebca6b, 13) * 0xc2b2ae35
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 13
	h &= Buckets/2 - 1
	if g >= GroupLetters {
		h += Buckets / 2
	}
	f.Out = append(f.Out, uint16(h))
}
