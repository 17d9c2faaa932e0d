package rank

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

// Parts are the seven inputs of a score, or their weights.
type Parts struct {
	Semantic, Keyword, Recency, Importance, Project, Entity, Task float64
}

// Overrides replace single weights for one call; nil keeps the weight of the mode.
type Overrides struct {
	Semantic, Keyword, Recency, Importance, Project, Entity, Task *float64
}

// Mode chooses the weights.
type Mode string

// The modes.
const (
	Answer  Mode = "ANSWER"
	Manager Mode = "MANAGER"
	Base    Mode = "BASE"
)

// WeightsFor returns the weights of a mode with the overrides, normalised to sum 1. It returns
// INVALID_REQUEST if the mode is unknown, a weight is negative or not finite, or all are 0.
func WeightsFor(m Mode, o *Overrides) (Parts, error) {
	w := Parts{Semantic: 0.35, Keyword: 0.20, Recency: 0.15, Importance: 0.10, Project: 0.10, Entity: 0.05, Task: 0.05}
	switch m {
	case Base:
	case Answer:
		w.Semantic, w.Keyword, w.Recency, w.Task = 0.45, 0.25, 0.10, 0
	case Manager:
		w.Task, w.Project, w.Entity, w.Recency, w.Semantic = 0.15, 0.20, 0.15, 0.25, 0.15
	default:
		return Parts{}, graph.FieldError(graph.CodeInvalidRequest, "mode", "must be ANSWER, MANAGER or BASE")
	}
	if o != nil {
		for _, f := range []struct {
			name string
			set  *float64
			at   *float64
		}{
			{"semantic", o.Semantic, &w.Semantic}, {"keyword", o.Keyword, &w.Keyword}, {"recency", o.Recency, &w.Recency},
			{"importance", o.Importance, &w.Importance}, {"project", o.Project, &w.Project}, {"entity", o.Entity, &w.Entity}, {"task", o.Task, &w.Task},
		} {
			if f.set == nil {
				continue
			}
			if *f.set < 0 || math.IsNaN(*f.set) || math.IsInf(*f.set, 0) {
				return Parts{}, graph.FieldError(graph.CodeInvalidRequest, "weights."+f.name, "must be a finite number ≥ 0")
			}
			*f.at = *f.set
		}
	}
	sum := w.sum()
	if sum == 0 || math.IsInf(sum, 0) {
		return Parts{}, graph.FieldError(graph.CodeInvalidRequest, "weights", "must not all be 0, nor too large to add up")
	}
	return w.dividedBy(sum), nil
}

func (p Parts) sum() float64 {
	return p.Semantic + p.Keyword + p.Recency + p.Importance + p.Project + p.Entity + p.Task
}

// dividedBy divides each part. Multiplying by 1/sum could overflow if the parts are tiny.
func (p Parts) dividedBy(sum float64) Parts {
	return Parts{p.Semantic / sum, p.Keyword / sum, p.Recency / sum, p.Importance / sum, p.Project / sum, p.Entity / sum, p.Task / sum}
}

// Weighted is Σ part·weight. It is in [0,1] if the parts are and the weights sum to 1.
func Weighted(p, w Parts) float64 {
	return p.Semantic*w.Semantic + p.Keyword*w.Keyword + p.Recency*w.Recency + p.Importance*w.Importance +
		p.Project*w.Project + p.Entity*w.Entity + p.Task*w.Task
}
