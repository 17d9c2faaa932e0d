package rank

import "fmt"

// Explanation is a step of how a score came about: a value, what it is, and the steps
// it was made of.
type Explanation struct {
	Value    float64        `json:"value"`
	Message  string         `json:"message"`
	Children []*Explanation `json:"children,omitempty"`
}

// Explain says how Weighted came to its value: one child for each part.
func Explain(p, w Parts) *Explanation {
	x := &Explanation{Value: Weighted(p, w), Message: "sum of each part times its weight"}
	for _, s := range []struct {
		name, what   string
		part, weight float64
	}{
		{"semantic", "cosine of the meanings", p.Semantic, w.Semantic},
		{"keyword", "BM25 against the best of this question", p.Keyword, w.Keyword},
		{"recency", "e^(−days/30) since the last use, or the event", p.Recency, w.Recency},
		{"importance", "as stored, raised by days of use", p.Importance, w.Importance},
		{"project", "1 inside the project asked about", p.Project, w.Project},
		{"entity", "share of entities in common with the question, by how rare they are", p.Entity, w.Entity},
		{"task", "0.5 where an active task refers to it", p.Task, w.Task},
	} {
		x.Children = append(x.Children, &Explanation{
			Value: s.part * s.weight, Message: fmt.Sprintf("%s %.3f × weight %.3f: %s", s.name, s.part, s.weight, s.what),
		})
	}
	return x
}
