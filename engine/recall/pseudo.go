package recall

import (
	"context"
	"os"
	"slices"
	"strconv"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/index/text"
)

func knob(name string, d float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return v
	}
	return d
}

var (
	kTop   = int(knob("K_TOP", 5))
	kTerms = int(knob("K_TERMS", 16))
	kBeta  = knob("K_BETA", .1)
	kVec   = knob("K_VEC", 0)
	kPool  = int(knob("K_POOL", 100))
	kQ     = knob("K_Q", 1)
	kNorm  = knob("K_NORM", .5)
	kSess  = knob("K_SESS", 0)
)

func (svc *Service) pseudo(ctx context.Context, q *query) error {
	if q.in.Effort != EffortAccurate || q.in.Query == "" || len(q.kept) < 2 {
		return nil
	}
	pool := q.kept[:min(kPool, len(q.kept))]
	ids := make([]graph.ID, len(pool))
	for i, k := range pool {
		ids[i] = k.Doc.ID
	}
	var found []*graph.Memory
	if err := q.t.View(ctx, func(r graph.Reader) (err error) { found, err = r.Memories(ids); return err }); err != nil {
		return err
	}
	an := text.New()
	asked := an.Terms(q.in.Query)
	rarity := svc.Index.Rarity(q.t.Scope, q.ask.Filter.Namespaces)
	terms := make([]map[string]int, len(pool))
	weights := map[string]float64{}
	idf := map[string]float64{}
	lens := make([]float64, len(pool))
	avg := 0.0
	for i, m := range found {
		if m == nil {
			continue
		}
		terms[i] = map[string]int{}
		for _, t := range an.Terms(m.Content) {
			terms[i][t]++
			lens[i]++
		}
		avg += lens[i] / float64(len(pool))
		if i < kTop {
			for t, n := range terms[i] {
				w, known := idf[t]
				if !known {
					w, _ = rarity(t)
					idf[t] = w
				}
				f := 1.0
				if slices.Contains(asked, t) {
					f = kQ
				}
				_ = n
				weights[t] += f * w * pool[i].score / pool[0].score
			}
		}
	}
	all := make([]string, 0, len(weights))
	for t := range weights {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b string) int {
		if weights[a] != weights[b] {
			if weights[a] > weights[b] {
				return -1
			}
			return 1
		}
		if a < b {
			return -1
		}
		return 1
	})
	all = all[:min(kTerms, len(all))]
	fb := make([]float64, len(pool))
	best := 0.0
	for i := range pool {
		for _, t := range all {
			if n := float64(terms[i][t]); n > 0 {
				fb[i] += weights[t] * n * 2.2 / (n + 1.2*(1-kNorm+kNorm*lens[i]/max(avg, 1)))
			}
		}
		best = max(best, fb[i])
	}
	vec := make([]float64, len(pool))
	if kVec > 0 {
		docs := make([]*index.Doc, len(pool))
		for i, k := range pool {
			docs[i] = k.Doc
		}
		vs, err := svc.Index.Vectors(ctx, q.t.Scope, docs)
		if err == nil {
			var c []float32
			for i := range min(kTop, len(vs)) {
				if c == nil {
					c = make([]float32, len(vs[i]))
				}
				for j, x := range vs[i] {
					c[j] += x
				}
			}
			n := float32(0)
			for _, x := range c {
				n += x * x
			}
			bv := 0.0
			for i, v := range vs {
				if len(v) == len(c) {
					vec[i] = max(0, index.Cosine(v, c))
					bv = max(bv, vec[i])
				}
			}
			for i := range vec {
				vec[i] /= max(bv, 1e-9)
			}
			_ = n
		}
	}
	top := pool[0].score
	for i := range pool {
		f := 0.0
		if best > 0 {
			f = fb[i] / best
		}
		pool[i].score = (1-kBeta-kVec)*pool[i].score + kBeta*f*top + kVec*vec[i]*top
	}
	for i := len(pool); i < len(q.kept); i++ {
		q.kept[i].score *= 1 - kBeta - kVec
	}
	bestFirst(q.kept)
	return nil
}
