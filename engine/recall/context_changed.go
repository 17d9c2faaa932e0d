package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// past reports whether the read asks for what was true earlier, and the memory was superseded
// since.
func (g *gathering) past(v *workspace.View) bool {
	return !g.in.Access.AsOf.Valid.IsZero() && v.State.Status == graph.Superseded
}

// endedMark says when what a memory states has ended by itself, such as a stay with an end: ended 2026-03-08. Empty: it
// has not.
func endedMark(m *graph.Memory, now time.Time) string {
	last, all := lifecycle.Ended(m, now)
	switch {
	case last.IsZero():
		return ""
	case all:
		return "ended " + last.UTC().Format(time.DateOnly)
	}
	return "in part ended " + last.UTC().Format(time.DateOnly)
}

// correctedMark begins the mark of a memory that is printed as somebody corrected it.
const correctedMark = "corrected "

// fadedMark is the mark of a memory that is found only because nothing else answers.
const fadedMark = "faded"

// dropChanged leaves out what was superseded and marks what has changed since, or has ended by itself. A read of the past
// keeps it, and so do the last turns, which stand as they were said. Of a summary, the sentences
// of superseded sources are left out.
func (g *gathering) dropChanged(ctx context.Context, ask *prompt.Input) error {
	asOf := !g.in.Access.AsOf.IsZero()
	now := g.t.Now()
	var dropped map[string]string // reason by id
	err := g.t.View(ctx, func(r graph.Reader) error {
		dropped = map[string]string{}
		for n, list := range [][]prompt.Item{ask.Procedural, ask.Project, ask.Memories, ask.Documents, ask.Turns} {
			for i := range list {
				x := &list[i]
				m := g.shown[graph.ID(x.ID)].Memory
				x.Text = m.Content // the transaction may run again
				since, err := lifecycle.ChangedSince(r, m, now)
				if err != nil {
					return err
				}
				whole := !since.IsZero()
				if m.SourceKind == graph.FromConsolidation && since.IsZero() {
					if since, err = g.dropSentences(r, x, m, now, asOf); err != nil {
						return err
					}
				}
				older := n < turnsLayer || i < len(list)-lastTurns
				if since.IsZero() {
					h := holding.Read(m, now)
					wasSo := g.askedPast != nil && n == memoriesLayer && h.Ended.After(g.askedPast.From)
					if since = h.Ended; h.Changed() && older && !asOf && !wasSo {
						x.Text, x.Lines = h.Text, nil
					}
					if since.IsZero() && !h.Corrected.IsZero() {
						x.Mark = correctedMark + h.Corrected.UTC().Format(time.DateOnly)
						continue
					}
				}
				if since.IsZero() {
					ended := endedMark(m, now)
					x.Mark = cmp.Or(ended, x.Mark)
					if _, all := lifecycle.Ended(m, now); ended != "" && all && n == 0 && !asOf && g.askedPast == nil {
						dropped[x.ID] = "it was a rule for a time that is over"
					}
					continue
				}
				x.Mark = "changed since " + since.UTC().Format("2006-01-02")
				if !asOf && older && (n == turnsLayer && whole || strings.TrimSpace(x.Text) == "") {
					dropped[x.ID] = "what it says has changed since"
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for n, list := range []*[]prompt.Item{&ask.Procedural, &ask.Project, &ask.Memories, &ask.Documents, &ask.Turns} {
		*list = slices.DeleteFunc(*list, func(x prompt.Item) bool {
			if dropped[x.ID] == "" {
				return false
			}
			g.leave(x, layerOf[n], dropped[x.ID])
			return true
		})
	}
	return nil
}

// dropSentences takes the sentences of superseded sources out of a summary, unless the read asks
// for the past, and returns when the first of them was superseded. A pattern is no sum of sentences:
// it stays as it is until more than lifecycle.PatternStands of its sources have changed.
func (g *gathering) dropSentences(r graph.Reader, x *prompt.Item, m *graph.Memory, now time.Time, asOf bool) (since time.Time, err error) {
	edges, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
	if err != nil {
		return time.Time{}, err
	}
	changed := 0
	for _, edge := range edges {
		source, err := r.Memory(edge.To)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return time.Time{}, err
		}
		at, err := lifecycle.ChangedSince(r, source, now)
		if err != nil {
			return time.Time{}, err
		}
		if at.IsZero() || source.State().Status == graph.Forgotten {
			continue
		}
		changed++
		if since.IsZero() || at.Before(since) {
			since = at
		}
		if !asOf && m.Pattern == nil {
			x.Text = holding.WithoutSentences(x.Text, source.Content)
			x.Lines = nil
		}
	}
	if m.Pattern != nil && float64(changed) <= lifecycle.PatternStands*float64(len(edges)) {
		return time.Time{}, nil
	}
	return since, nil
}
