package recall

import (
	"context"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// longEpisode is the bytes of an episode from which on its statements may stand for it.
const longEpisode = 400

// linesOf are the statements of a long episode, "Mara – works at → the mill" each; none
// where it is short, makes none, or is a matter of safety, which is told whole.
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

// cover tells derived items what they were derived from, so that they may stand for it.
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
