package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/recess"
)

// archive measures a recess without store and index.
var archive = Measure{
	Name:  "archive",
	About: "Thousands of statements engraved in a recess, sealed, and searched without store and index. Compares the bytes with those of float32 vectors and plain text, and the 10 nearest of each question with those of an exact search: by the stored vectors alone, and with the nearest embedded again from their content.",
	run:   runArchive,
}

// ScoreAgreement is the mean share of the exact hits that were found.
func ScoreAgreement(exact, found [][]graph.ID) float64 {
	shares := make([]float64, len(exact))
	for i, want := range exact {
		shares[i] = shareOf(want, func(id graph.ID) bool { return slices.Contains(found[i], id) })
	}
	return mean(shares)
}

func runArchive(m *measurement) {
	// 1.5 times as many as a codebook is trained from.
	engrams := m.engravings(m.size(6000, 2200))
	r := must(recess.Open(recess.Options{Dir: filepath.Join(m.Dir, m.Measure)}))
	m.cleanup = append(m.cleanup, r.Close)
	scope := graph.Scope{Tenant: "default"}
	m.Note(fmt.Sprintf("archive: engraving %d statements", len(engrams)))
	for part := range slices.Chunk(engrams, 500) {
		check(r.Append(m.ctx, scope, part...))
	}
	must(r.Seal(m.ctx, scope))
	s := must(r.Stats(m.ctx, scope))
	m.Note("archive: asking")
	w := NewWorld(m.lexicon, m.Seed+7, 6, 4)
	facts := w.Facts[:min(len(w.Facts), m.size(200, 40))]
	var exact, stored, again [][]graph.ID
	for i, f := range facts {
		v := must(m.Embedder.Embed(m.ctx, []string{f.Ask(i)}, models.Query))[0]
		q := recess.Query{Model: m.Embedder.Name(), Vector: v, K: topK}
		exact = append(exact, nearest(engrams, v, topK))
		stored = append(stored, found(must(r.Search(m.ctx, scope, q))))
		q.Exact = func(ctx context.Context, engrams []recess.Engram) ([][]float32, error) {
			texts := make([]string, len(engrams))
			for i, e := range engrams {
				texts[i] = e.Memory.Content
			}
			return m.Embedder.Embed(ctx, texts, models.Passage)
		}
		again = append(again, found(must(r.Search(m.ctx, scope, q))))
	}
	m.figure("vectors, float32 ÷ stored", float64(s.VectorsFloat32)/float64(max(1, s.Vectors)), s.VectorCount, Goal{">=", 10},
		fmt.Sprintf("%d quantised; codebooks of %d bytes apart", s.Quantised, s.Codebooks))
	m.figure("text ÷ stored", float64(s.Text)/float64(max(1, s.Bodies)), s.Engrams, Goal{}, "everything except the head of an engram, compressed and sealed; short statements")
	m.figure("text and float32 vectors ÷ files", float64(s.Text+s.VectorsFloat32)/float64(max(1, s.Files)), s.FileCount, Goal{}, fmt.Sprintf("%d bytes of files", s.Files))
	m.figure("recall lost, nearest embedded again", 1-ScoreAgreement(exact, again), len(exact), Goal{"<=", 0.02}, "of the exact 10 nearest")
	m.figure("recall lost, by stored vectors alone", 1-ScoreAgreement(exact, stored), len(exact), Goal{}, "of the exact 10 nearest")
}

// engravings returns n different statements of the lexicon with their vectors.
func (m *measurement) engravings(n int) []recess.Engram {
	w := NewWorld(m.lexicon, m.Seed+7, len(m.lexicon.Cast), 4)
	var texts []string
	for way := range 3 {
		for turn := range 6 {
			for _, f := range w.Facts {
				if turn > 0 && turn < len(f.Kind.Values) {
					f = f.Other(turn)
				} else if turn > 0 {
					continue
				}
				if len(texts) < n {
					texts = append(texts, f.Say(way))
				}
			}
		}
	}
	vectors := must(m.Embedder.Embed(m.ctx, texts, models.Passage))
	engrams := make([]recess.Engram, len(texts))
	for i, text := range texts {
		at := Start.Add(time.Duration(i) * time.Second)
		id := must(graph.DerivedID(at, text))
		memory := graph.Memory{
			ID: id, Chain: id, Version: 1, Namespace: "default", User: User, Type: graph.Semantic, Content: text,
			Consent: graph.ConsentExplicit, Sensitivity: graph.Internal, SourceKind: graph.FromUser, DecayClass: graph.DecaySlow,
			EmbeddingModel: m.Embedder.Name(), CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at, AnchorAt: at,
			Authority: 1, Confidence: 0.9, Importance: 0.5, Criticality: 0.5,
		}
		memory.SetState(at, func(s *graph.State) { s.Status, s.Tier = graph.Active, graph.L3 })
		engrams[i] = recess.Engram{Memory: memory, Vector: vectors[i], EngravedAt: at}
	}
	return engrams
}

// nearest returns the ids of the k nearest by cosine, by an exact search.
func nearest(engrams []recess.Engram, q []float32, k int) []graph.ID {
	type one struct {
		id  graph.ID
		cos float64
	}
	all := make([]one, len(engrams))
	for i, e := range engrams {
		all[i] = one{e.Memory.ID, cosine(e.Vector, q)}
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Or(cmp.Compare(b.cos, a.cos), cmp.Compare(a.id, b.id)) })
	ids := make([]graph.ID, 0, k)
	for _, x := range all[:min(k, len(all))] {
		ids = append(ids, x.id)
	}
	return ids
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot, aa, bb = dot+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

func found(f recess.Found) []graph.ID {
	ids := make([]graph.ID, len(f.Hits))
	for i, h := range f.Hits {
		ids[i] = h.ID
	}
	return ids
}
