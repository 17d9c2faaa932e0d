package recess

import (
	"iter"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// location is what the tenant knows of an id.
type location struct {
	erased bool
	entry  *journalEntry // in the journal
	place  place         // in a file; its file is nil if there is none
	lost   bool          // engraved, but unreadable when it was sealed
}

func (w location) engraved() bool {
	return !w.erased && (w.entry != nil || w.place.file != nil || w.lost)
}

// locate looks an id up.
func (t *tenant) locate(id [16]byte) location {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.locateLocked(id)
}

func (t *tenant) locateLocked(id [16]byte) location {
	w := location{erased: t.manifest.erased[id], place: t.manifest.live[id]}
	if w.erased {
		return location{erased: true}
	}
	_, w.lost = t.manifest.lost[id]
	for _, layer := range t.journalLayers {
		if p := layer[id]; p != nil {
			if !p.withdrawn {
				w.entry = p
			}
			break
		}
	}
	// If the same engram is also in a file, damage in the journal loses nothing.
	if w.entry != nil && w.entry.damaged && w.place.file != nil {
		w.entry = nil
	}
	return w
}

// newestEntries yields the newest journal entry of each id in the layers.
func newestEntries(layers []map[[16]byte]*journalEntry) iter.Seq2[[16]byte, *journalEntry] {
	return func(yield func([16]byte, *journalEntry) bool) {
		for i, layer := range layers {
			for id, p := range layer {
				newer := slices.ContainsFunc(layers[:i], func(l map[[16]byte]*journalEntry) bool { return l[id] != nil })
				if !newer && !yield(id, p) {
					return
				}
			}
		}
	}
}

var errErased = graph.FieldError(graph.CodeInvalidRequest, "id", "was erased and can't be engraved again")
