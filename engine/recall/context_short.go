package recall

import (
	"context"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// longEpisode is the length in bytes from which statements may replace an episode.
const longEpisode = 400

// linesOf returns the statements of a long episode, each as "Mara – works at → the mill". It
// returns none for short episodes, and none for safety-critical memories, which are never
// shortened.
func linesOf(m *graph.Memory) []string {
	if m.Type != graph.Episodic || len(m.Content) < longEpisode || m.SafetyCritical {
		return nil
	}
	var lines []string
	for _, s := range extract.Statements(m.Content, extract.Hints{Speaker: workspace.Speaker(m)}) {
		lines = append(lines, s.Subject+" – "+strings.ReplaceAll(s.Predicate, "_", " ")+" → "+s.Object)
	}
	return lines
}

// cover sets, for each derived item, the ids of its sources, so that the item can replace
// them.
func (g *gathering) cover(ctx context.Context, layers ...[]prompt.Item) error {
	return g.t.View(ctx, func(r graph.Reader) error {
		for _, items := range layers {
			for i := range items {
				if g.shown[graph.ID(items[i].ID)].SourceKind != graph.FromConsolidation {
					continue
				}
				edges, err := r.Edges(graph.ID(items[i].ID), graph.Out, graph.DerivedFrom)
				if err != nil {
					return err
				}
				items[i].Covers = nil
				for _, x := range edges {
					items[i].Covers = append(items[i].Covers, string(x.To))
				}
			}
		}
		return nil
	})
}
