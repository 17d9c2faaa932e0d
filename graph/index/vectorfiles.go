package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
)

// vectorFiles are the vectors of a tenant: a file for each dimension.
type vectorFiles struct {
	fileOptions
	store func(id graph.ID) ([]float32, error) // asks the store for a vector; nil: there is none

	mu    sync.Mutex
	byDim atomic.Pointer[map[int]*vectorFile]
	lost  atomic.Int64 // records that could not be read
}

// fileOptions are how files of vectors work.
type fileOptions struct {
	base   string // of the names of the files; empty: all is kept in memory
	logger *slog.Logger
	rand   io.Reader // where the ids of files come from
	room   *room     // for vectors that are in a file as well; nil: none
}

func newVectorFiles(o fileOptions, store func(graph.ID) ([]float32, error)) *vectorFiles {
	s := &vectorFiles{fileOptions: o, store: store}
	s.byDim.Store(&map[int]*vectorFile{})
	return s
}

const vectorsEnding = ".vectors"

// of is the file of a dimension, made where there is none.
func (s *vectorFiles) of(dim int) *vectorFile {
	if f := (*s.byDim.Load())[dim]; f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := (*s.byDim.Load())[dim]; f != nil {
		return f
	}
	return s.add(dim, s.freshID())
}

// add makes the file of a dimension and id. Its caller holds the lock.
func (s *vectorFiles) add(dim int, id uint64) *vectorFile {
	path := ""
	if s.base != "" {
		path = fmt.Sprintf("%s.%d%s", s.base, dim, vectorsEnding)
	}
	more := maps.Clone(*s.byDim.Load())
	more[dim] = newVectorFile(dim, path, id, s.room, s.logger)
	s.byDim.Store(&more)
	return more[dim]
}

// freshID is one that no file had.
func (s *vectorFiles) freshID() uint64 {
	if s.base == "" {
		return 0
	}
	var b [8]byte
	_, _ = io.ReadFull(s.rand, b[:]) // crypto/rand never fails; two files of one id are told apart by their serials
	return binary.LittleEndian.Uint64(b[:])
}

// all are the files by dimension.
func (s *vectorFiles) all() []*vectorFile {
	return slices.SortedFunc(maps.Values(*s.byDim.Load()), func(a, b *vectorFile) int { return cmp.Compare(a.dim, b.dim) })
}

// each calls fn for every file and joins what went wrong.
func (s *vectorFiles) each(fn func(*vectorFile) error) error {
	var errs []error
	for _, f := range s.all() {
		errs = append(errs, fn(f))
	}
	return errors.Join(errs...)
}

// put keeps a vector, which must not change any more.
func (s *vectorFiles) put(v []float32) heldAt {
	return heldAt{s.of(len(v)).put(v), uint32(len(v))}
}

// drop forgets one.
func (s *vectorFiles) drop(h heldAt) {
	if f := (*s.byDim.Load())[int(h.dim)]; f != nil {
		f.drop(h.vectorRef)
	}
}

// heldAt says where the vector of a memory is. The zero value is nowhere.
type heldAt struct {
	vectorRef
	dim uint32
}

// vector reads the vector of a memory, nil where it has none. It may lie in buf.
func (s *vectorFiles) vector(id graph.ID, h heldAt, buf *[]byte) []float32 {
	if h.serial == 0 {
		return nil
	}
	f := (*s.byDim.Load())[int(h.dim)]
	if f == nil {
		return nil
	}
	if v := f.read(h.vectorRef, buf); v != nil {
		return v
	}
	return s.find(id, f, h.vectorRef)
}

// find asks the store for a vector that the file does not give, and puts it back in its
// place. A memory that was forgotten or embedded anew since has none here.
func (s *vectorFiles) find(id graph.ID, f *vectorFile, r vectorRef) []float32 {
	if s.store == nil {
		return nil
	}
	v, err := s.store(id)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		s.logger.Error("index: vector is neither in its file nor in the store", "id", id, "error", err)
	}
	if err != nil || len(v) != f.dim {
		return nil
	}
	if f.mend(r, v) && s.lost.Add(1) == 1 {
		s.logger.Warn("index: the file of vectors was damaged and is mended from the store", "file", f.path, "first", id)
	}
	return v
}

// clear begins with nothing: files that were there are removed.
func (s *vectorFiles) clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.each((*vectorFile).close)
	s.byDim.Store(&map[int]*vectorFile{})
	return errors.Join(err, s.removeOthers())
}

// removeOthers removes the files that are of this tenant and not in use.
func (s *vectorFiles) removeOthers() error {
	if s.base == "" {
		return nil
	}
	dir := filepath.Dir(s.base)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("index: list files of vectors: %w", err)
	}
	var errs []error
	for _, e := range entries {
		var dim int
		name := filepath.Join(dir, e.Name())
		if n, _ := fmt.Sscanf(name[min(len(name), len(s.base)):], ".%d"+vectorsEnding, &dim); n != 1 || name != fmt.Sprintf("%s.%d%s", s.base, dim, vectorsEnding) {
			continue
		}
		if (*s.byDim.Load())[dim] == nil {
			errs = append(errs, discard(name))
		}
	}
	return errors.Join(errs...)
}
