package recess

import (
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Engram is a memory that became permanent: everything that is needed to restore the memory
// if its row is lost.
type Engram struct {
	// Memory as it was engraved, with its checksum and its usage so far. Its status is not
	// FORGOTTEN.
	Memory graph.Memory
	// Vector is the embedding of Memory.EmbeddingModel, of any length up to graph.MaxVector,
	// or nil. It is stored with less precision: as float16 with a separate norm, or quantised
	// (see Stats).
	Vector []float32
	// EngravedAt is the instant of engraving. Its UTC day is the folder of the file.
	EngravedAt time.Time
}

// Head is the small fields of an engram, by which a search can filter.
type Head struct {
	ID          graph.ID
	Version     int
	Namespace   string
	User        string
	Agent       string
	Session     string
	Project     string
	Type        graph.Type
	Subject     string
	Tags        []string
	Sensitivity graph.Sensitivity
	Consent     graph.Consent
	Authority   float64 // [0,1]
	Importance  float64 // [0,1]
	RecordedAt  time.Time
	OccurredAt  time.Time
	ValidFrom   time.Time
	EngravedAt  time.Time
}

// newRecord returns the engram in its form inside the recess, or an *graph.Error that names
// the field at fault.
func newRecord(e *Engram) (*record, error) {
	m := e.Memory
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Status() == graph.Forgotten {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "status", "a forgotten memory can't be engraved")
	}
	if e.EngravedAt.IsZero() || e.EngravedAt.Year() < 1970 || e.EngravedAt.Year() > 9999 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "engravedAt", "is required, from 1970 to 9999")
	}
	sum := graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	if m.Checksum == "" {
		m.Checksum = sum
	}
	if m.Checksum != sum {
		return nil, &graph.Error{Code: graph.CodeIntegrityFailure, Field: "checksum", Message: "does not match content, time and source", Cause: graph.ErrIntegrity}
	}
	v, err := vectorOf(m.EmbeddingModel, e.Vector)
	if err != nil {
		return nil, err
	}
	return &record{memory: m, vector: v, engravedAt: graph.Millis(e.EngravedAt)}, nil
}

// record is an engram inside the recess: its vector is in its stored form.
type record struct {
	memory     graph.Memory
	vector     vector
	engravedAt time.Time
	seq        uint64 // number of the engraving in its tenant, from 1
}

// engram is the record for callers. Its vector is decoded by its codebook, which may be nil
// if the vector has none.
func (r *record) engram(c *codebook) (Engram, error) {
	v, err := r.vector.decode(c)
	if err != nil {
		return Engram{}, err
	}
	return Engram{Memory: cloneMemory(&r.memory), Vector: v, EngravedAt: r.engravedAt}, nil
}

// checksumMatches reports whether content, time and source still have the checksum of the engraving.
func (r *record) checksumMatches() bool {
	m := &r.memory
	return m.Checksum == graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
}

func allFinite(v []float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}
