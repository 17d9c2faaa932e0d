package evaluation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// Baseline is a simple memory, to compare with. It keeps every text as it was told, corrects
// nothing and does not sleep.
type Baseline string

// The baselines.
const (
	// Retrieval is stateless retrieval: the texts with the highest cosine to the question, with the
	// same embedder. A prompt has those that fit into prompt.DefaultBudget tokens.
	Retrieval Baseline = "retrieval"
	// Buffer is a plain buffer: the last prompt.DefaultBudget tokens that were told. All of it is in
	// every prompt, so a text counts as the first hit while it is in the buffer.
	Buffer Baseline = "buffer"
)

// Baselines are all baselines. baselineMeasures are the measures that ask them something.
var (
	Baselines        = []Baseline{Retrieval, Buffer}
	baselineMeasures = []string{recall.Name, drift.Name, correction.Name, repeat.Name}
)

// plainMemory is the memory of a baseline.
type plainMemory struct {
	kind  Baseline
	views []*engine.View
	// of each view:
	vectors [][]float32
	tokens  []int
}

// remember keeps texts and returns their ids.
func (sim *Simulation) plainRemember(texts ...string) []graph.ID {
	p := sim.plain
	ids := make([]graph.ID, len(texts))
	for i, text := range texts {
		ids[i] = graph.ID(fmt.Sprintf("%s-%06d", p.kind, len(p.views)))
		p.views = append(p.views, &engine.View{Memory: &graph.Memory{ID: ids[i], Content: text}, State: graph.State{Status: graph.Active}})
		p.tokens = append(p.tokens, prompt.Count(text))
	}
	if p.kind == Retrieval {
		p.vectors = append(p.vectors, must(sim.Embedder.Embed(sim.ctx, texts, models.Passage))...)
	}
	return ids
}

// plainAsk returns the hits of a baseline: the n nearest texts, or the buffer, newest first.
func (sim *Simulation) plainAsk(question string, n int) []engine.Hit {
	p := sim.plain
	if p.kind == Buffer {
		return p.within(slices.Backward(p.views), prompt.DefaultBudget)
	}
	vector := must(sim.Embedder.Embed(sim.ctx, []string{question}, models.Query))[0]
	order := make([]int, len(p.views))
	near := make([]float64, len(p.views))
	for i, v := range p.vectors {
		order[i] = i
		for j := range v {
			near[i] += float64(v[j]) * float64(vector[j])
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(near[b], near[a]), cmp.Compare(b, a)) })
	var hits []engine.Hit
	for _, i := range order[:min(n, len(order))] {
		hits = append(hits, engine.Hit{Memory: p.views[i], Score: near[i], Label: engine.Current})
	}
	return hits
}

// within returns the first views that have at most so many tokens together, as hits.
func (p *plainMemory) within(views func(yield func(int, *engine.View) bool), tokens int) (hits []engine.Hit) {
	for i, v := range views {
		if tokens -= p.tokens[i]; tokens < 0 {
			break
		}
		hits = append(hits, engine.Hit{Memory: v, Label: engine.Current})
	}
	return hits
}

// plainPrompt reports whether a text is in the prompt of a baseline for a request.
func (sim *Simulation) plainPrompt(request string, id graph.ID) bool {
	p := sim.plain
	hits := sim.plainAsk(request, len(p.views))
	left := prompt.DefaultBudget
	for _, h := range hits {
		if left -= prompt.Count(h.Memory.Content); left < 0 {
			return false
		}
		if h.Memory.ID == id {
			return true
		}
	}
	return false
}

// plainView reads a text by id.
func (sim *Simulation) plainView(id graph.ID) *engine.View {
	i := slices.IndexFunc(sim.plain.views, func(v *engine.View) bool { return v.ID == id })
	if i < 0 {
		check(fmt.Errorf("no text %s was told", id))
	}
	return sim.plain.views[i]
}
