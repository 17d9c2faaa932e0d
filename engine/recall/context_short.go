package recall

import (
	"context"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall/excerpt"
	"github.com/somnograph/somnograph/engine/temporal"
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

// A summary of many events can be longer than all other lines of a context together. Of a long one a context
// prints what has words of the question.
const (
	longSummary  = 240 // bytes from which a summary is shortened
	asideSummary = 120 // bytes of a sentence that has no word of the question
)

// focus shortens the long summaries among the matching memories. The tokens of a whole text still count as
// those of the memory. Rules, core memories, patterns and what is safety-critical stay whole, and so does all
// if the question asks for several things or for a time: its words are not those of the answer.
func (g *gathering) focus(ask *prompt.Input, now time.Time) {
	asked := excerpt.Words(g.in.Query)
	if len(asked) == 0 || attribute.AsksForSeveral(g.in.Query) || temporal.Read(g.in.Query, now).Bounded() {
		return
	}
	for i := range ask.Memories {
		x := &ask.Memories[i]
		v := g.shown[graph.ID(x.ID)]
		if v == nil || v.SourceKind != graph.FromConsolidation || v.Pattern != nil || v.SafetyCritical || x.Core || x.Rule || x.Topic || len(x.Text) < longSummary {
			continue
		}
		if short := excerpt.Of(x.Text, asked, asideSummary); len(short) < len(x.Text) {
			x.Tokens = prompt.Count(x.Text)
			x.Text, x.Lines = short, nil
			x.Why += "; only what has words of the query"
		}
	}
}
