package vectors

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
)

// Files are the vector files of a tenant, one for each dimension.
type Files struct {
	FileOptions
	loadVector func(id graph.ID) ([]float32, error) // reads a vector from the store; nil: there is no store

	mu       sync.Mutex
	byDim    atomic.Pointer[map[int]*vectorFile]
	repaired atomic.Int64 // number of unreadable records that were repaired
}

// FileOptions configure the vector files.
type FileOptions struct {
	Base   string // prefix of the file names; empty: vectors stay in memory
	Logger *slog.Logger
	Keys   Keys          // seal the vectors in files; nil: they are not sealed
	Budget *MemoryBudget // for vectors that are also in a file; nil: none
	// Workers read a file into memory at the start; 0: one.
	Workers int
}

// NewFiles makes the files of a tenant; store reads the vector of a memory from the store.
func NewFiles(o FileOptions, store func(graph.ID) ([]float32, error)) *Files {
	s := &Files{FileOptions: o, loadVector: store}
	s.byDim.Store(&map[int]*vectorFile{})
	return s
}

const fileSuffix = ".vectors"

// file returns the file of a dimension and makes it if there is none.
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

// addFile makes the file of a dimension with an id. The caller holds the lock.
func (s *Files) addFile(dim int, id uint64) *vectorFile {
	path := ""
	if s.Base != "" {
		path = fmt.Sprintf("%s.%d%s", s.Base, dim, fileSuffix)
	}
	more := maps.Clone(*s.byDim.Load())
	more[dim] = newVectorFile(dim, path, id, s.FileOptions)
	s.byDim.Store(&more)
	return more[dim]
}

// newID returns a random file id.
func (s *Files) newID() uint64 {
	if s.Base == "" {
		return 0
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// files returns the files by dimension.
func (s *Files) files() []*vectorFile {
	return slices.SortedFunc(maps.Values(*s.byDim.Load()), func(a, b *vectorFile) int { return cmp.Compare(a.dim, b.dim) })
}

// eachFile calls fn for every file and joins the errors.
func (s *Files) eachFile(fn func(*vectorFile) error) error {
	var errs []error
	for _, f := range s.files() {
		errs = append(errs, fn(f))
	}
	return errors.Join(errs...)
}

// Sync syncs all files to disk: after it, dropped records are overwritten and kept vectors can
// be read there.
func (s *Files) Sync() error { return s.eachFile((*vectorFile).sync) }

// SyncErased overwrites the dropped records and syncs all files.
func (s *Files) SyncErased() error { return s.eachFile((*vectorFile).syncErased) }

// Close closes all files. Later reads find nothing in them.
func (s *Files) Close() error { return s.eachFile((*vectorFile).close) }

// States returns the state of each file for a snapshot, by dimension.
func (s *Files) States() (states []FileState) {
	for _, f := range s.files() {
		states = append(states, f.state())
	}
	return states
}

// Put keeps a vector, which must not change afterwards.
func (s *Files) Put(v []float32) Ref {
	return Ref{s.file(len(v)).put(v), uint32(len(v))}
}

// Drop removes a vector.
func (s *Files) Drop(h Ref) {
	if f := (*s.byDim.Load())[int(h.Dim)]; f != nil {
		f.drop(h.recordRef)
	}
}

// NewRef makes the reference of a vector from the values in a snapshot.
func NewRef(record, serial, dim uint32) Ref { return Ref{recordRef{record, serial}, dim} }

// Ref identifies the vector of a memory. The zero value identifies none.
type Ref struct {
	recordRef
	Dim uint32
}

// Vector reads the vector of a memory, nil if it has none. The vector may use buf.
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

// fromStore loads a vector that cannot be read from its file from the store, and repairs the
// record. A memory that was forgotten or embedded again meanwhile has no such vector.
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
		s.Logger.Warn("index: the vector file was damaged and is repaired from the store", "file", f.path, "first", id)
	}
	return v
}

// Clear removes all files.
func (s *Files) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.eachFile((*vectorFile).close)
	s.byDim.Store(&map[int]*vectorFile{})
	return errors.Join(err, s.removeOthers())
}

// removeOthers removes the files of this tenant that are not in use.
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
		return fmt.Errorf("index: list vector files: %w", err)
	}
	var errs []error
	for _, e := range entries {
		var dim int
		name := filepath.Join(dir, e.Name())
		if n, _ := fmt.Sscanf(name[min(len(name), len(s.Base)):], ".%d"+fileSuffix, &dim); n != 1 || name != fmt.Sprintf("%s.%d%s", s.Base, dim, fileSuffix) {
			continue
		}
		if (*s.byDim.Load())[dim] == nil {
			errs = append(errs, s.destroyKeys(name, dim), removeIfExists(name))
		}
	}
	return errors.Join(errs...)
}
