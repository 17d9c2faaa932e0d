package recess

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Query is a search of the recess by itself, without store and index.
type Query struct {
	Model  string           // model of the vector; engrams of other models are not searched
	Vector []float32        // any length above 0; only its direction counts
	K      int              // wanted hits, 1 to 1000
	Filter func(*Head) bool // nil: all. It must not keep or change the head
	// Exact, if given, returns the vectors of engrams in full precision: by embedding their
	// content again, or from a store. It orders the 4·K nearest engrams by the stored form.
	// Engrams with a nil vector keep their order.
	Exact func(ctx context.Context, engrams []Engram) ([][]float32, error)
}

// Hit is an engram that was found.
type Hit struct {
	Head
	// Similarity is the cosine of query and vector, in [-1,1] except for the error of the
	// stored form.
	Similarity float64
}

// Found is the result of a Query.
type Found struct {
	Hits []Hit // most similar first, then by id
	// Unreadable is how many files and journal entries were left out because they are damaged
	// or the storage did not answer.
	Unreadable int
}

// vectorSet is vectors in memory: those of a file, or one of the journal.
type vectorSet struct {
	heads        []Head
	keys         [][16]byte // ids of the heads
	rows         []int32    // of the file
	vectors      []vector
	inverseNorms []float32 // see vector.inverseNorm
}

// Search returns the engrams that are nearest to the query by cosine. It compares the exact
// query with every stored vector (for quantised ones: asymmetric distance, Jégou, Douze and
// Schmid, Product Quantization for Nearest Neighbor Search, 2011). The first search after
// opening reads the vectors of every file; they then stay in memory. Damaged files are left
// out and raise an alarm.
func (r *Recess) Search(ctx context.Context, scope graph.Scope, q Query) (Found, error) {
	if q.K < 1 || q.K > 1000 {
		return Found{}, graph.FieldError(graph.CodeInvalidRequest, "k", "must be 1 to 1000")
	}
	if norm := euclideanNorm(q.Vector); !allFinite(q.Vector) || !(norm > 0) {
		return Found{}, graph.FieldError(graph.CodeInvalidRequest, "vector", "must hold finite numbers that are not all zero")
	}
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return Found{}, err
	}
	for range maxAttempts - 1 {
		found, moved, err := t.search(ctx, q)
		if err != nil || !moved {
			return found, err
		}
	}
	found, _, err := t.search(ctx, q)
	return found, err
}

// search is one attempt of Search. moved reports that files or journals that it had to read were replaced meanwhile, so that
// engrams may be missing.
func (t *tenant) search(ctx context.Context, q Query) (found Found, moved bool, err error) {
	t.mu.RLock()
	m := t.manifest
	var waiting []*journalEntry
	for id, p := range newestEntries(t.journalLayers) {
		if !p.withdrawn && !p.damaged && !m.erased[id] {
			waiting = append(waiting, p)
		}
	}
	t.mu.RUnlock()

	s := vectorScan{t: t, query: q, limit: q.K, unit: slices.Clone(q.Vector), tables: map[[16]byte][]float32{}}
	if q.Exact != nil {
		s.limit = 4 * q.K
	}
	norm := euclideanNorm(q.Vector)
	for i := range s.unit {
		s.unit[i] /= norm
	}
	for _, p := range waiting {
		if err := ctx.Err(); err != nil {
			return Found{}, false, err
		}
		if p.vectorSpace != (vectorSpace{q.Model, len(q.Vector)}) {
			continue
		}
		one, err := t.journalVector(p)
		if err != nil {
			if errors.Is(err, errDropped) {
				moved = true
			} else {
				found.Unreadable++
			}
			continue
		}
		s.addVectors(one, func(int) bool { return true })
	}
	for _, f := range m.sortedFiles() {
		if err := ctx.Err(); err != nil {
			return Found{}, false, err
		}
		all, err := t.fileVectors(ctx, f)
		if err != nil {
			if cerr := ctx.Err(); cerr != nil {
				return Found{}, false, cerr
			}
			if errors.Is(err, errGone) {
				moved = true
			} else {
				found.Unreadable++
			}
			continue
		}
		s.addVectors(all, func(i int) bool {
			p := m.live[all.keys[i]]
			return p.file == f && p.row == all.rows[i] && !s.contains(all.keys[i])
		})
	}
	if q.Exact != nil {
		if err := s.refine(ctx); err != nil {
			return Found{}, false, err
		}
	}
	found.Hits = s.topHits()
	return found, moved, nil
}

// vectorScan keeps the best candidates.
type vectorScan struct {
	t          *tenant
	query      Query
	unit       []float32 // direction of the query
	tables     map[[16]byte][]float32
	limit      int
	candidates []candidate // best first
}

// candidate is a possible hit.
type candidate struct {
	key   [16]byte
	head  *Head
	score float32
}

// compare orders candidates: higher similarity first, then the smaller id.
func (c candidate) compare(o candidate) int {
	if order := cmp.Compare(o.score, c.score); order != 0 {
		return order
	}
	return slices.Compare(c.key[:], o.key[:])
}

// contains reports whether a candidate of that id is kept: the same engram may be in journal
// and file.
func (s *vectorScan) contains(key [16]byte) bool {
	return slices.ContainsFunc(s.candidates, func(c candidate) bool { return c.key == key })
}

func (s *vectorScan) addVectors(p *vectorSet, live func(row int) bool) {
	for i := range p.vectors {
		v := &p.vectors[i]
		if v.form == noVector || v.dim != len(s.unit) || v.model != s.query.Model || p.inverseNorms[i] == 0 {
			continue
		}
		score, ok := s.scoreOf(v, p.inverseNorms[i])
		if !ok {
			continue
		}
		c := candidate{p.keys[i], &p.heads[i], score}
		if len(s.candidates) == s.limit && c.compare(s.candidates[s.limit-1]) >= 0 {
			continue
		}
		if !live(i) || s.query.Filter != nil && !s.query.Filter(c.head) {
			continue
		}
		at, _ := slices.BinarySearchFunc(s.candidates, c, candidate.compare)
		s.candidates = slices.Insert(s.candidates[:min(len(s.candidates), s.limit-1)], at, c)
	}
}

// scoreOf is the cosine of the query and a stored vector.
func (s *vectorScan) scoreOf(v *vector, bias float32) (float32, bool) {
	switch v.form {
	case asFloat16:
		return dotHalf(s.unit, v.code) * bias, true
	case sparse:
		var sum float32
		whole := sparseValues(v.code, len(s.unit), func(i int, x float32) { sum += s.unit[i] * x })
		return sum * bias, whole
	}
	table, known := s.tables[v.codebookID]
	if !known {
		if c := s.t.codebook(v.codebookID); c != nil && c.dim == len(s.unit) {
			table = c.dotTable(s.unit)
		}
		s.tables[v.codebookID] = table
	}
	if table == nil {
		return 0, false
	}
	return tableDot(table, v.code) * bias, true
}

func (s *vectorScan) topHits() []Hit {
	hits := make([]Hit, min(len(s.candidates), s.query.K))
	for i, c := range s.candidates[:len(hits)] {
		hits[i] = Hit{Head: *c.head, Similarity: float64(c.score)}
		hits[i].Tags = slices.Clone(c.head.Tags)
	}
	return hits
}

// refine scores the candidates by their exact vectors. One that can't be read, or has none,
// keeps the score of its stored form.
func (s *vectorScan) refine(ctx context.Context) error {
	var engrams []Engram
	var at []int
	for i, c := range s.candidates {
		rec, err := s.t.read(ctx, c.key)
		if err != nil {
			if cerr := ctx.Err(); cerr != nil {
				return cerr
			}
			continue
		}
		engrams, at = append(engrams, Engram{Memory: cloneMemory(&rec.memory), EngravedAt: rec.engravedAt}), append(at, i)
	}
	vectors, err := s.query.Exact(ctx, engrams)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if i >= len(at) {
			break
		}
		if n := euclideanNorm(v); len(v) == len(s.unit) && n > 0 {
			s.candidates[at[i]].score = dotProduct(s.unit, v) / n
		}
	}
	slices.SortFunc(s.candidates, candidate.compare)
	return nil
}

// journalVector is the vector of an engraving in the journal.
func (t *tenant) journalVector(p *journalEntry) (*vectorSet, error) {
	if one := p.vectors.Load(); one != nil {
		return one, nil
	}
	rec, err := t.readEntry(p)
	if err != nil {
		if errors.Is(err, graph.ErrIntegrity) {
			t.recess.alarm(t.name, filepath.Base(p.journal.path), "", err)
		}
		return nil, err
	}
	h, _, err := rec.encodeRows()
	if err != nil {
		return nil, err
	}
	one := &vectorSet{}
	one.addRow(&h, rec.vector, rec.vector.inverseNorm(nil), 0)
	p.vectors.Store(one)
	return one, nil
}

func (p *vectorSet) addRow(h *headRow, v vector, bias float32, row int) {
	p.heads, p.keys = append(p.heads, h.toHead()), append(p.keys, [16]byte(h.ID))
	p.vectors, p.inverseNorms, p.rows = append(p.vectors, v), append(p.inverseNorms, bias), append(p.rows, int32(row))
}

// fileVectors is the vectors of a file.
func (t *tenant) fileVectors(ctx context.Context, f *sealedFile) (*vectorSet, error) {
	if p := f.vectors.Load(); p != nil {
		return p, nil
	}
	p := &vectorSet{}
	err := t.withFile(ctx, f, func(o *openedFile) error {
		if done := f.vectors.Load(); done != nil {
			p = done
			return nil
		}
		for i := 0; i < f.rowCount(); {
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
				return t.missingKeyError(f, "the data key of an engram is not in the key ring")
			}
			sealed, err := o.readCell(int64(i), columnHead)
			if err != nil {
				return err
			}
			heads, vectors, err := openHeads(sealed, rows, t.name, k)
			if err != nil {
				return err
			}
			for j := range heads {
				if vectors[j].form != noVector {
					p.addRow(&heads[j], vectors[j], vectors[j].inverseNorm(t.codebook(vectors[j].codebookID)), i+j)
				}
			}
			i += len(rows)
		}
		f.vectors.Store(p)
		return nil
	})
	if errors.Is(err, graph.ErrIntegrity) {
		if !t.hasFile(f) {
			return nil, errGone // it was replaced while it was read
		}
		t.recess.alarm(t.name, f.name, "", err)
	}
	return p, err
}

// allErased reports whether all engravings of the rows are erased.
func (t *tenant) allErased(rows []engraving) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return !slices.ContainsFunc(rows, func(e engraving) bool { return !t.manifest.erased[e.id] })
}
