package rank

import "fmt"

// Explanation is a node in the derivation of a score: a value, its meaning, and the values it
// was computed from.
type Explanation struct {
	Value    float64        `json:"value"`
	Message  string         `json:"message"`
	Children []*Explanation `json:"children,omitempty"`
}

// Explain explains the result of Weighted, with one child for each part.
func Explain(p, w Parts) *Explanation {
	x := &Explanation{Value: Weighted(p, w), Message: "sum of each part times its weight"}
	for _, s := range []struct {
		name, what   string
		part, weight float64
	}{
		{"semantic", "cosine similarity to the question", p.Semantic, w.Semantic},
		{"keyword", "BM25 relative to the best match", p.Keyword, w.Keyword},
		{"recency", "e^(−days/30) since the last use or the event", p.Recency, w.Recency},
		{"importance", "stored value, raised by days of use", p.Importance, w.Importance},
		{"project", "1 if in the requested project", p.Project, w.Project},
		{"entity", "share of entities in common with the question, weighted by rarity", p.Entity, w.Entity},
		{"task", "0.5 if an active task refers to it", p.Task, w.Task},
	} {
		x.Children = append(x.Children, &Explanation{
			Value: s.part * s.weight, Message: fmt.Sprintf("%s %.3f × weight %.3f: %s", s.name, s.part, s.weight, s.what),
		})
	}
	return x
}
