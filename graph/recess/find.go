package recess

import (
	"github.com/somnograph/somnograph/graph"
)

// where is what the tenant knows of an id at a moment.
type where struct {
	erased  bool
	pending *pending // in the journal
	place   place    // in a file; its file is nil if there is none
	lost    bool     // engraved, and the engraving could not be read when it was sealed
}

func (w where) there() bool {
	return !w.erased && (w.pending != nil || w.place.file != nil || w.lost)
}

// find looks an id up.
func (t *tenant) find(id [16]byte) where {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.findLocked(id)
}

func (t *tenant) findLocked(id [16]byte) where {
	w := where{erased: t.manifest.erased[id], place: t.manifest.live[id]}
	if w.erased {
		return where{erased: true}
	}
	_, w.lost = t.manifest.lost[id]
	for _, layer := range t.layers {
		if p := layer[id]; p != nil {
			if !p.withdrawn {
				w.pending = p
			}
			break
		}
	}
	// The same engram may lie in a file too: then damage in the journal costs nothing.
	if w.pending != nil && w.pending.damaged && w.place.file != nil {
		w.pending = nil
	}
	return w
}

var errErased = graph.FieldError(graph.CodeInvalidRequest, "id", "was erased and can't be engraved again")
