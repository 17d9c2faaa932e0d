package scene

import (
	"strings"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/region"
)

// named are the regions of the last frames: names that change with every memory would
// be none.
type named struct {
	regions []frame.Region
	drawing uint64
	of      *engine.Scene
	nodes   int // memories when they were found
}

// find answers the regions of a scene: those of before, unless the map is another, one
// in twenty memories came since, or one that may have lent them a word is gone or says
// something else.
func (n *named) find(s *engine.Scene, places [][3]float32, drawing uint64) []frame.Region {
	if n.of == nil || n.drawing != drawing || len(s.Nodes) > n.nodes+max(n.nodes/20, 5) || !says(s, n.of) {
		n.regions, n.drawing, n.nodes = nil, drawing, len(s.Nodes)
		for _, r := range region.Find(places, s.Texts) {
			n.regions = append(n.regions, frame.Region{Centre: r.Centre, Radius: r.Radius, Count: r.Count, Name: strings.Join(r.Words, " · ")})
		}
	}
	n.of = s
	return n.regions
}

// says reports whether all that were in a scene before are in it, and say the same.
func says(now, before *engine.Scene) bool {
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
