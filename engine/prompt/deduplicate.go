package prompt

import (
	"cmp"

	"github.com/somnograph/somnograph/engine/extract"
)

// duplicateCosine is the cosine above which two texts are near duplicates.
const duplicateCosine = 0.85

// deduplicator collects entries and counts near duplicates at the first of them.
type deduplicator struct {
	kept  []*entry
	texts map[string]*entry // the entry at which each text is counted
}

// newDeduplicator starts with the pinned entries.
func newDeduplicator(kept []*entry) *deduplicator {
	f := &deduplicator{kept: kept, texts: map[string]*entry{}}
	for _, e := range kept {
		f.texts[e.text] = e
	}
	return f
}

// add keeps e, or counts it at its duplicate.
func (d *deduplicator) add(e *entry) {
	k := d.duplicateOf(e)
	if k == nil {
		d.kept = append(d.kept, e)
		k = e
	} else if !k.Core { // core memories are written unchanged
		k.count++
	}
	if k != e {
		e.left = "says the same as " + cmp.Or(k.ID, "another item")
	}
	d.texts[e.text] = k
}

// duplicateOf returns the kept entry that e duplicates, or nil.
func (d *deduplicator) duplicateOf(e *entry) *entry {
	if k := d.texts[e.text]; k != nil {
		return k
	}
	for _, k := range d.kept {
		if cosine(k.Vector, e.Vector) > duplicateCosine && extract.SameFacts(k.text, e.text) {
			return k
		}
	}
	return nil
}

// cosine of two vectors of unit length; 0 if one is missing or of another dimension.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
