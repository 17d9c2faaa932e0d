package recess

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Stats is the content of a tenant's recess, in bytes unless noted. The compression ratios
// follow from it: vectors VectorsFloat32 / Vectors, text Text / Bodies, files
// (Text + VectorsFloat32) / Files.
type Stats struct {
	Engrams   int // engraved and neither withdrawn nor erased
	Journal   int // of these, not sealed yet
	Withdrawn int // in a file, but not engraved any more
	Erased    int // ids that were erased
	Damaged   int // engravings lost in the journal
	FileCount int
	Keys      int  // data keys and keys of files
	Erasing   bool // an erasure waits for the storage

	Files          int64 // sealed files
	Text           int64 // content and summaries in files, before compression
	Bodies         int64 // every field but the head in files, compressed and sealed
	Heads          int64 // heads and vectors in files, compressed and sealed
	Vectors        int64 // codes and norms in files
	VectorsFloat32 int64 // the same vectors as float32
	VectorCount    int
	Quantised      int   // vectors coded by a codebook
	Codebooks      int64 // on the local disk, one copy
}

// Stats counts the content of a tenant's recess.
func (r *Recess) Stats(_ context.Context, scope graph.Scope) (Stats, error) {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return Stats{}, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	m := t.manifest
	s := Stats{
		Erased: len(m.erased), Damaged: len(m.lost), FileCount: len(m.files), Keys: t.keys.keyCount(),
		Erasing: len(m.openErasures) > 0, Engrams: len(m.live),
	}
	for id, p := range newestEntries(t.journalLayers) {
		if p.withdrawn || m.erased[id] {
			continue
		}
		s.Journal++
		if _, sealed := m.live[id]; !sealed {
			s.Engrams++
		}
	}
	for id := range m.withdrawn {
		if _, back := m.live[id]; !back {
			s.Withdrawn++
		}
	}
	for _, f := range m.files {
		s.Files += f.size
		s.Text, s.Bodies, s.Heads = s.Text+f.sizes.Text, s.Bodies+f.sizes.Bodies, s.Heads+f.sizes.Heads
		for _, v := range f.sizes.Vectors {
			s.Vectors, s.VectorCount = s.Vectors+v.Bytes, s.VectorCount+v.Count
			s.VectorsFloat32 += 4 * int64(v.Dim) * int64(v.Count)
			if vectorForm(v.Form) == quantised {
				s.Quantised += v.Count
			}
		}
	}
	for _, c := range t.codebooks {
		s.Codebooks += c.diskSize()
	}
	return s, nil
}
