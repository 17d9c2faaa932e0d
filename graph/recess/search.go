package recess

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Query asks the recess alone, without store and index.
type Query struct {
	Model  string           // the vector is of; engrams of other models are not searched
	Vector []float32        // any length but 0; only its direction counts
	K      int              // hits wanted, 1 to 1000
	Filter func(*Head) bool // nil: all. It must not keep or change the head
	// Exact, if given, answers the vector of each engram again in full precision: by
	// embedding its content anew, or from a store. The 4·K nearest by the stored form
	// are ordered by it. Engrams whose vector it answers as nil keep their order.
	Exact func(ctx context.Context, engrams []Engram) ([][]float32, error)
}

// Hit is an engram that was found.
type Hit struct {
	Head
	// Similarity is the cosine of query and vector, in [-1,1] but for what the stored
	// form of the vector lost.
	Similarity float64
}

// Found is the answer to a Query.
type Found struct {
	Hits []Hit // most similar first, then by id
	// Unreadable is how many files and engravings of the journal were left out because
	// they are damaged or the storage did not answer.
	Unreadable int
}

// part is a run of vectors in memory: those of a file, or one of the journal.
type part struct {
	heads   []Head
	keys    [][16]byte // ids of the heads
	rows    []int32    // of the file
	vectors []vector
	biases  []float32 // see vector.bias
}

// Search answers the engrams that are nearest to the query by cosine. It compares the
// exact query with every stored vector (for quantised ones: asymmetric distance,
// Jégou, Douze and Schmid, Product Quantization for Nearest Neighbor Search, 2011).
// The first search after opening reads the vectors of every file; from then on they
// stay in memory. What is damaged is left out and raises an alarm.
func (r *Recess) Search(ctx context.Context, scope graph.Scope, q Query) (Found, error) {
	if q.K < 1 || q.K > 1000 {
		return Found{}, graph.FieldError(graph.CodeInvalidRequest, "k", "must be 1 to 1000")
	}
	if norm := length(q.Vector); !finite(q.Vector) || !(norm > 0) {
		return Found{}, graph.FieldError(graph.CodeInvalidRequest, "vector", "must hold finite numbers that are not all zero")
	}
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return Found{}, err
	}
	t.mu.RLock()
	m := t.manifest
	var waiting []*pending
	seen := map[[16]byte]bool{}
	for _, layer := range t.layers {
		for id, p := range layer {
			if !seen[id] && !p.withdrawn && !p.damaged && !m.erased[id] {
				waiting = append(waiting, p)
			}
			seen[id] = true
		}
	}
	t.mu.RUnlock()

	s := scan{t: t, q: q, keep: q.K, unit: slices.Clone(q.Vector), tables: map[[16]byte][]float32{}}
	if q.Exact != nil {
		s.keep = 4 * q.K
	}
	norm := length(q.Vector)
	for i := range s.unit {
		s.unit[i] /= norm
	}
	var found Found
	for _, p := range waiting {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		if p.space != (space{q.Model, len(q.Vector)}) {
			continue
		}
		one, err := t.pendingPart(p)
		if err != nil {
			if !errors.Is(err, errDropped) {
				found.Unreadable++
			}
			continue
		}
		s.scan(one, func(int) bool { return true })
	}
	for _, f := range m.sorted() {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		all, err := t.filePart(ctx, f)
		if err != nil {
			if cerr := ctx.Err(); cerr != nil {
				return Found{}, cerr
			}
			if !errors.Is(err, errGone) {
				found.Unreadable++
			}
			continue
		}
		s.scan(all, func(i int) bool {
			p := m.live[all.keys[i]]
			return p.file == f && p.row == all.rows[i] && !s.taken(all.keys[i])
		})
	}
	if q.Exact != nil {
		if err := s.refine(ctx); err != nil {
			return Found{}, err
		}
	}
	found.Hits = s.hits()
	return found, nil
}

// scan keeps the best k of what it is shown.
type scan struct {
	t      *tenant
	q      Query
	unit   []float32 // direction of the query
	tables map[[16]byte][]float32
	keep   int
	best   best
}

// candidate is a hit on the heap.
type candidate struct {
	key   [16]byte
	head  *Head
	score float32
}

// better orders candidates: the more similar first, then the smaller id.
func (c candidate) better(o candidate) bool {
	if c.score != o.score {
		return c.score > o.score
	}
	return slices.Compare(c.key[:], o.key[:]) < 0
}

// best is a heap with the worst candidate on top.
type best []candidate

func (b best) Len() int           { return len(b) }
func (b best) Less(i, j int) bool { return b[j].better(b[i]) }
func (b best) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *best) Push(x any)        { *b = append(*b, x.(candidate)) }
func (b *best) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

// taken reports whether a candidate of that id is kept: the same engram in journal
// and file.
func (s *scan) taken(key [16]byte) bool {
	return slices.ContainsFunc(s.best, func(c candidate) bool { return c.key == key })
}

func (s *scan) scan(p *part, live func(row int) bool) {
	for i := range p.vectors {
		v := &p.vectors[i]
		if v.form == noVector || v.dim != len(s.unit) || v.model != s.q.Model {
			continue
		}
		if p.biases[i] == 0 {
			continue
		}
		score, ok := s.score(v, p.biases[i])
		if !ok {
			continue
		}
		c := candidate{p.keys[i], &p.heads[i], score}
		if len(s.best) == s.keep && !c.better(s.best[0]) {
			continue
		}
		if !live(i) || s.q.Filter != nil && !s.q.Filter(c.head) {
			continue
		}
		if len(s.best) == s.keep {
			s.best[0] = c
			heap.Fix(&s.best, 0)
			continue
		}
		heap.Push(&s.best, c)
	}
}

// score is the cosine of the query and a stored vector.
func (s *scan) score(v *vector, bias float32) (float32, bool) {
	switch v.form {
	case asFloat16:
		return dotHalf(s.unit, v.code) * bias, true
	case sparse:
		var sum float32
		whole := sparseValues(v.code, len(s.unit), func(i int, x float32) { sum += s.unit[i] * x })
		return sum * bias, whole
	}
	table, known := s.tables[v.book]
	if !known {
		if c := s.t.codebook(v.book); c != nil && c.dim == len(s.unit) {
			table = c.table(s.unit)
		}
		s.tables[v.book] = table
	}
	if table == nil {
		return 0, false
	}
	return adc(table, v.code) * bias, true
}

func (s *scan) hits() []Hit {
	slices.SortFunc(s.best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(a.key[:], b.key[:]))
	})
	s.best = s.best[:min(len(s.best), s.q.K)]
	hits := make([]Hit, len(s.best))
	for i, c := range s.best {
		hits[i] = Hit{Head: *c.head, Similarity: float64(c.score)}
		hits[i].Tags = slices.Clone(c.head.Tags)
	}
	return hits
}

// refine scores the candidates by their exact vectors. One that can't be read, or has
// none, keeps the score of its stored form.
func (s *scan) refine(ctx context.Context) error {
	var engrams []Engram
	var at []int
	for i, c := range s.best {
		rec, err := s.t.read(ctx, c.key)
		if err != nil {
			if cerr := ctx.Err(); cerr != nil {
				return cerr
			}
			continue
		}
		engrams, at = append(engrams, Engram{Memory: cloneMemory(&rec.memory), EngravedAt: rec.engravedAt}), append(at, i)
	}
	vectors, err := s.q.Exact(ctx, engrams)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if i >= len(at) {
			break
		}
		if n := length(v); len(v) == len(s.unit) && n > 0 {
			s.best[at[i]].score = dot(s.unit, v) / n
		}
	}
	return nil
}

// pendingPart is the vector of an engraving in the journal.
func (t *tenant) pendingPart(p *pending) (*part, error) {
	if one := p.row.Load(); one != nil {
		return one, nil
	}
	rec, err := t.readPending(p)
	if err != nil {
		if errors.Is(err, graph.ErrIntegrity) {
			t.r.alarm(t.name, filepath.Base(p.in.path), "", err)
		}
		return nil, err
	}
	h, _, err := rec.rows()
	if err != nil {
		return nil, err
	}
	one := &part{}
	one.add(&h, rec.vector, rec.vector.bias(nil), 0)
	p.row.Store(one)
	return one, nil
}

func (p *part) add(h *headRow, v vector, bias float32, row int) {
	p.heads, p.keys = append(p.heads, h.head()), append(p.keys, [16]byte(h.ID))
	p.vectors, p.biases, p.rows = append(p.vectors, v), append(p.biases, bias), append(p.rows, int32(row))
}

// filePart is the vectors of a file.
func (t *tenant) filePart(ctx context.Context, f *sealedFile) (*part, error) {
	if p := f.search.Load(); p != nil {
		return p, nil
	}
	p := &part{}
	err := t.access(ctx, f, func(o *opened) error {
		if done := f.search.Load(); done != nil {
			p = done
			return nil
		}
		for i := 0; i < f.count(); {
			if err := ctx.Err(); err != nil {
				return err
			}
			rows := f.segmentRows(uint32(i))
			k := t.keys.get(f.keys[rows[0].key])
			if k == nil {
				if t.allErased(rows) {
					i += len(rows)
					continue
				}
				return t.keyless(f, "the data key of an engram is not in the ring")
			}
			sealed, err := o.cell(int64(i), columnHead)
			if err != nil {
				return err
			}
			heads, vectors, err := openHeads(sealed, rows, t.name, k)
			if err != nil {
				return err
			}
			for j := range heads {
				if vectors[j].form != noVector {
					p.add(&heads[j], vectors[j], vectors[j].bias(t.codebook(vectors[j].book)), i+j)
				}
			}
			i += len(rows)
		}
		f.search.Store(p)
		return nil
	})
	if errors.Is(err, graph.ErrIntegrity) {
		t.r.alarm(t.name, f.name, "", err)
	}
	return p, err
}

// allErased reports whether nothing in the rows is left to be read.
func (t *tenant) allErased(rows []engraving) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return !slices.ContainsFunc(rows, func(e engraving) bool { return !t.manifest.erased[e.id] })
}
