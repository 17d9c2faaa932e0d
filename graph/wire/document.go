package wire

import "github.com/somnograph/somnograph/graph"

// Chunk is a graph.Chunk.
type Chunk struct {
	Document []byte   `cbor:"1,keyasint"`
	Path     string   `cbor:"2,keyasint"`
	Index    int      `cbor:"3,keyasint,omitempty"`
	Hash     string   `cbor:"4,keyasint,omitempty"`
	Headings []string `cbor:"5,keyasint,omitempty"`
	Line     int      `cbor:"6,keyasint,omitempty"`
}

// Procedure is a graph.Procedure.
type Procedure struct {
	Trigger     string   `cbor:"1,keyasint,omitempty"`
	Steps       []string `cbor:"2,keyasint,omitempty"`
	LearnedFrom []byte   `cbor:"3,keyasint,omitempty"` // ids, 16 bytes each
}

// ChunkOf is the stored form of a chunk; nil for nil. It fails if the id in it is invalid.
func ChunkOf(c *graph.Chunk) (*Chunk, error) {
	if c == nil {
		return nil, nil
	}
	document, err := IDBytes("document", c.Document)
	return &Chunk{Document: document, Path: c.Path, Index: c.Index, Hash: c.Hash, Headings: c.Headings, Line: c.Line}, err
}

// Chunk converts a stored chunk; nil for nil.
func (c *Chunk) Chunk() *graph.Chunk {
	if c == nil {
		return nil
	}
	return &graph.Chunk{Document: ID(c.Document), Path: c.Path, Index: c.Index, Hash: c.Hash, Headings: c.Headings, Line: c.Line}
}

// ProcedureOf is the stored form of a procedure; nil for nil. It fails if an id in it is invalid.
func ProcedureOf(p *graph.Procedure) (*Procedure, error) {
	if p == nil {
		return nil, nil
	}
	learned, err := IDList("learnedFrom", p.LearnedFrom)
	return &Procedure{Trigger: p.Trigger, Steps: p.Steps, LearnedFrom: learned}, err
}

// Procedure converts a stored procedure; nil for nil.
func (p *Procedure) Procedure() *graph.Procedure {
	if p == nil {
		return nil
	}
	return &graph.Procedure{Trigger: p.Trigger, Steps: p.Steps, LearnedFrom: IDs(p.LearnedFrom)}
}
