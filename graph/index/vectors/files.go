package vectors

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
type Files struct {
	FileOptions
	loadVector func(id graph.ID) ([]float32, error) // asks the store for a vector; nil: there is none

	mu       sync.Mutex
	byDim    atomic.Pointer[map[int]*vectorFile]
	repaired atomic.Int64 // records that could not be read
}

// fileOptions are how files of vectors work.
type FileOptions struct {
	Base   string // of the names of the files; empty: all is kept in memory
	Logger *slog.Logger
	Rand   io.Reader     // where the ids of files come from
	Budget *MemoryBudget // for vectors that are in a file as well; nil: none
}

func NewFiles(o FileOptions, store func(graph.ID) ([]float32, error)) *Files {
	s := &Files{FileOptions: o, loadVector: store}
	s.byDim.Store(&map[int]*vectorFile{})
	return s
}

const fileSuffix = ".vectors"

// of is the file of a dimension, made where there is none.
func (s *Files) file(dim int) *vectorFile {
	if f := (*s.byDim.Load())[dim]; f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := (*s.byDim.Load())[dim]; f != nil {
		return f
	}
	return s.addFile(dim, s.newID())
}

// add makes the file of a dimension and id. Its caller holds the lock.
func (s *Files) addFile(dim int, id uint64) *vectorFile {
	path := ""
	if s.Base != "" {
		path = fmt.Sprintf("%s.%d%s", s.Base, dim, fileSuffix)
	}
	more := maps.Clone(*s.byDim.Load())
	more[dim] = newVectorFile(dim, path, id, s.Budget, s.Logger)
	s.byDim.Store(&more)
	return more[dim]
}

// freshID is one that no file had.
func (s *Files) newID() uint64 {
	if s.Base == "" {
		return 0
	}
	var b [8]byte
	_, _ = io.ReadFull(s.Rand, b[:]) // crypto/rand never fails; two files of one id are told apart by their serials
	return binary.LittleEndian.Uint64(b[:])
}

// all are the files by dimension.
func (s *Files) files() []*vectorFile {
	return slices.SortedFunc(maps.Values(*s.byDim.Load()), func(a, b *vectorFile) int { return cmp.Compare(a.dim, b.dim) })
}

// each calls fn for every file and joins what went wrong.
func (s *Files) eachFile(fn func(*vectorFile) error) error {
	var errs []error
	for _, f := range s.files() {
		errs = append(errs, fn(f))
	}
	return errors.Join(errs...)
}

// Sync brings all files to the disk: afterwards what was dropped is overwritten there and what was
// put can be read from there.
func (s *Files) Sync() error { return s.eachFile((*vectorFile).sync) }

// SyncErased brings to the disk that what was dropped is overwritten.
func (s *Files) SyncErased() error { return s.eachFile((*vectorFile).syncErased) }

// Close closes all files. Later reads find nothing in them.
func (s *Files) Close() error { return s.eachFile((*vectorFile).close) }

// States answers what a snapshot says of the files, by dimension.
func (s *Files) States() (states []FileState) {
	for _, f := range s.files() {
		states = append(states, f.state())
	}
	return states
}

// put keeps a vector, which must not change any more.
func (s *Files) Put(v []float32) Ref {
	return Ref{s.file(len(v)).put(v), uint32(len(v))}
}

// drop forgets one.
func (s *Files) Drop(h Ref) {
	if f := (*s.byDim.Load())[int(h.Dim)]; f != nil {
		f.drop(h.recordRef)
	}
}

// NewRef answers the reference of a vector that a snapshot names.
func NewRef(record, serial, dim uint32) Ref { return Ref{recordRef{record, serial}, dim} }

// Ref says where the vector of a memory is. The zero value is nowhere.
type Ref struct {
	recordRef
	Dim uint32
}

// vector reads the vector of a memory, nil where it has none. It may lie in buf.
func (s *Files) Vector(id graph.ID, h Ref, buf *[]byte) []float32 {
	if h.Serial == 0 {
		return nil
	}
	f := (*s.byDim.Load())[int(h.Dim)]
	if f == nil {
		return nil
	}
	if v := f.read(h.recordRef, buf); v != nil {
		return v
	}
	return s.fromStore(id, f, h.recordRef)
}

// find asks the store for a vector that the file does not give, and puts it back in its
// place. A memory that was forgotten or embedded anew since has none here.
func (s *Files) fromStore(id graph.ID, f *vectorFile, r recordRef) []float32 {
	if s.loadVector == nil {
		return nil
	}
	v, err := s.loadVector(id)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		s.Logger.Error("index: vector is neither in its file nor in the store", "id", id, "error", err)
	}
	if err != nil || len(v) != f.dim {
		return nil
	}
	if f.repair(r, v) && s.repaired.Add(1) == 1 {
		s.Logger.Warn("index: the file of vectors was damaged and is mended from the store", "file", f.path, "first", id)
	}
	return v
}

// clear begins with nothing: files that were there are removed.
func (s *Files) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.eachFile((*vectorFile).close)
	s.byDim.Store(&map[int]*vectorFile{})
	return errors.Join(err, s.removeOthers())
}

// removeOthers removes the files that are of this tenant and not in use.
func (s *Files) removeOthers() error {
	if s.Base == "" {
		return nil
	}
	dir := filepath.Dir(s.Base)
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
		if n, _ := fmt.Sscanf(name[min(len(name), len(s.Base)):], ".%d"+fileSuffix, &dim); n != 1 || name != fmt.Sprintf("%s.%d%s", s.Base, dim, fileSuffix) {
			continue
		}
		if (*s.byDim.Load())[dim] == nil {
			errs = append(errs, removeIfExists(name))
		}
	}
	return errors.Join(errs...)
}
