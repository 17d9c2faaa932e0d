package scene

import (
	"strings"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/region"
)

// regionNames holds the regions of the last frames, so that names do not change with every
// memory.
type regionNames struct {
	regions []frame.Region
	drawing uint64
	of      *engine.Scene
	nodes   int // number of memories when they were computed
}

// find returns the regions of a scene. It computes them again if the map is another, if the
// number of memories grew by a twentieth, or if a memory is gone or has another text, because
// names consist of words of the memories.
func (n *regionNames) find(s *engine.Scene, places [][3]float32, drawing uint64) []frame.Region {
	if n.of == nil || n.drawing != drawing || len(s.Nodes) > n.nodes+max(n.nodes/20, 5) || !sameTexts(s, n.of) {
		n.regions, n.drawing, n.nodes = nil, drawing, len(s.Nodes)
		for _, r := range region.Find(places, s.Texts) {
			n.regions = append(n.regions, frame.Region{Centre: r.Centre, Radius: r.Radius, Count: r.Count, Name: strings.Join(r.Words, " · ")})
		}
	}
	n.of = s
	return n.regions
}

// sameTexts reports whether a scene has all memories of an earlier one, with the same texts.
func sameTexts(now, before *engine.Scene) bool {
	k := 0
	for i, d := range before.Nodes {
		for k < len(now.Nodes) && now.Nodes[k].ID < d.ID {
			k++
		}
		if k == len(now.Nodes) || now.Nodes[k].ID != d.ID || now.Texts[k] != before.Texts[i] {
			return false
		}
	}
	return true
}
