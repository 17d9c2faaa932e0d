package recess

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Domain types carry no tags: the rows below are the stored form. A field number is never
// used again for another field. A memory is stored in two parts: the fields that a search
// filters by, and the rest.

// headRow is a Head.
type headRow struct {
	ID          []byte     `cbor:"1,keyasint"`
	Version     int        `cbor:"2,keyasint"`
	Namespace   string     `cbor:"3,keyasint"`
	User        string     `cbor:"4,keyasint,omitempty"`
	Agent       string     `cbor:"5,keyasint,omitempty"`
	Session     string     `cbor:"6,keyasint,omitempty"`
	Project     string     `cbor:"7,keyasint,omitempty"`
	Type        string     `cbor:"8,keyasint,omitempty"`
	Subject     string     `cbor:"9,keyasint,omitempty"`
	Tags        []string   `cbor:"10,keyasint,omitempty"`
	Sensitivity string     `cbor:"11,keyasint,omitempty"`
	Consent     string     `cbor:"12,keyasint,omitempty"`
	Authority   float64    `cbor:"13,keyasint,omitempty"`
	Importance  float64    `cbor:"14,keyasint,omitempty"`
	RecordedAt  wire.Stamp `cbor:"15,keyasint,omitempty"`
	OccurredAt  wire.Stamp `cbor:"16,keyasint,omitempty"`
	ValidFrom   wire.Stamp `cbor:"17,keyasint,omitempty"`
	EngravedAt  wire.Stamp `cbor:"18,keyasint"`
	Seq         uint64     `cbor:"19,keyasint"`
}

// bodyRow is the rest of a memory.
type bodyRow struct {
	Content        string       `cbor:"1,keyasint"`
	Summary        string       `cbor:"2,keyasint,omitempty"`
	Predicate      string       `cbor:"3,keyasint,omitempty"`
	Object         string       `cbor:"4,keyasint,omitempty"`
	EmbeddingModel string       `cbor:"5,keyasint,omitempty"`
	Salience       float64      `cbor:"6,keyasint,omitempty"`
	Conflict       float64      `cbor:"7,keyasint,omitempty"`
	Surprise       float64      `cbor:"8,keyasint,omitempty"`
	Confidence     float64      `cbor:"9,keyasint,omitempty"`
	Criticality    float64      `cbor:"10,keyasint,omitempty"`
	DecayClass     string       `cbor:"11,keyasint,omitempty"`
	DecayK         float64      `cbor:"12,keyasint,omitempty"`
	Priority       string       `cbor:"13,keyasint,omitempty"`
	Important      bool         `cbor:"14,keyasint,omitempty"`
	SafetyCritical bool         `cbor:"15,keyasint,omitempty"`
	SourceKind     string       `cbor:"16,keyasint,omitempty"`
	Source         string       `cbor:"17,keyasint,omitempty"`
	Meta           []byte       `cbor:"18,keyasint,omitempty"`
	Entities       []byte       `cbor:"19,keyasint,omitempty"` // ids, 16 bytes each
	Chain          []byte       `cbor:"20,keyasint,omitempty"` // missing if it is the id
	Supersedes     []byte       `cbor:"21,keyasint,omitempty"`
	SupersededBy   []byte       `cbor:"22,keyasint,omitempty"`
	Reason         string       `cbor:"23,keyasint,omitempty"`
	Consolidated   []byte       `cbor:"24,keyasint,omitempty"`
	CreatedAt      wire.Stamp   `cbor:"25,keyasint,omitempty"`
	UpdatedAt      wire.Stamp   `cbor:"26,keyasint,omitempty"`
	ExpiresAt      wire.Stamp   `cbor:"27,keyasint,omitempty"`
	AnchorAt       wire.Stamp   `cbor:"28,keyasint,omitempty"`
	History        []wire.State `cbor:"29,keyasint"`
	Position       *[3]float32  `cbor:"30,keyasint,omitempty"`
	Checksum       []byte       `cbor:"31,keyasint"` // 32 bytes
	ConfidenceDay  int32        `cbor:"32,keyasint,omitempty"`
	UseCount       int          `cbor:"33,keyasint,omitempty"`
	UseDays        []int32      `cbor:"34,keyasint,omitempty"`
	UseLast        wire.Stamp   `cbor:"35,keyasint,omitempty"`
	DeletedAt      wire.Stamp   `cbor:"36,keyasint,omitempty"`
	OwnDecay       bool         `cbor:"37,keyasint,omitempty"`
	Claims         []wire.Claim `cbor:"38,keyasint,omitempty"`
	ReadBy         int          `cbor:"39,keyasint,omitempty"`
	UseSince       int32        `cbor:"41,keyasint,omitempty"`
	UseSessions    []uint64     `cbor:"42,keyasint,omitempty"`
	SalienceDay    int32        `cbor:"43,keyasint,omitempty"`
	Principal      string       `cbor:"50,keyasint,omitempty"`
	Stated         bool         `cbor:"51,keyasint,omitempty"`
	Typed          bool         `cbor:"52,keyasint,omitempty"`
	Defaulted      bool         `cbor:"70,keyasint,omitempty"` // ConsentDefaulted
	ExternalID     string       `cbor:"110,keyasint,omitempty"`

	Chunk     *wire.Chunk     `cbor:"80,keyasint,omitempty"`
	Procedure *wire.Procedure `cbor:"81,keyasint,omitempty"`
	ToolCalls []wire.ToolCall `cbor:"90,keyasint,omitempty"`
	Pattern   *wire.Pattern   `cbor:"120,keyasint,omitempty"`
}

// segmentHead is the sealed head part of a segment: what a search reads. The vectors of a
// segment are of one space; without vectors only Rows is set.
type segmentHead struct {
	Rows     []headRow `cbor:"1,keyasint"`
	Model    string    `cbor:"2,keyasint,omitempty"` // of the vectors
	Dim      int       `cbor:"3,keyasint,omitempty"`
	Codebook []byte    `cbor:"4,keyasint,omitempty"` // 16 bytes, if vectors are quantised
	Forms    []byte    `cbor:"5,keyasint,omitempty"` // a vectorForm per row, in order
	Codes    [][]byte  `cbor:"6,keyasint,omitempty"`
	Norms    []byte    `cbor:"7,keyasint,omitempty"` // float32 little-endian
}

// segmentBody is the sealed body part of a segment.
type segmentBody struct {
	Rows []bodyRow `cbor:"1,keyasint"`
}

var (
	cborEncoder = constant(cbor.EncOptions{ShortestFloat: cbor.ShortestFloat16}.EncMode())
	cborDecoder = constant(cbor.DecOptions{MaxArrayElements: 1 << 20, MaxNestedLevels: 8}.DecMode())
	zstdEncoder = constant(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20)))
	zstdDecoder = constant(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxPart)))
)

// constant returns v. It panics on an error, which constant options can't cause.
func constant[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// maxPart is the largest part of a segment in bytes before compression.
const maxPart = 64 << 20

// pack encodes and compresses a part.
func pack(v any) ([]byte, error) {
	b, err := cborEncoder.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(b) > maxPart {
		return nil, graph.ErrTooLarge
	}
	return zstdEncoder.EncodeAll(b, make([]byte, 0, len(b)/2+64)), nil
}

// unpack reverses pack.
func unpack(b []byte, v any) error {
	plain, err := zstdDecoder.DecodeAll(b, nil)
	if err != nil {
		return err
	}
	return cborDecoder.Unmarshal(plain, v)
}

// encodeRows encodes a record. It fails if an id in it is invalid.
func (r *record) encodeRows() (headRow, bodyRow, error) {
	m := &r.memory
	id, err := wire.IDBytes("id", m.ID)
	if err != nil {
		return headRow{}, bodyRow{}, err
	}
	h := headRow{
		ID: id, Version: m.Version, Namespace: m.Namespace, User: m.User, Agent: m.Agent, Session: m.Session, Project: m.Project,
		Type: string(m.Type), Subject: m.Subject, Tags: m.Tags, Sensitivity: string(m.Sensitivity), Consent: string(m.Consent),
		Authority: m.Authority, Importance: m.Importance, RecordedAt: wire.StampOf(m.RecordedAt), OccurredAt: wire.StampOf(m.OccurredAt),
		ValidFrom: wire.StampOf(m.ValidFrom), EngravedAt: wire.StampOf(r.engravedAt), Seq: r.seq,
	}
	b := bodyRow{
		Content: m.Content, Summary: m.Summary, Predicate: m.Predicate, Object: m.Object, EmbeddingModel: m.EmbeddingModel,
		Salience: m.Salience, Conflict: m.Conflict, Surprise: m.Surprise, Confidence: m.Confidence, Criticality: m.Criticality,
		DecayClass: string(m.DecayClass), DecayK: m.DecayK, OwnDecay: m.OwnDecay, Priority: string(m.Priority), Important: m.Important,
		SafetyCritical: m.SafetyCritical, SourceKind: string(m.SourceKind), Source: m.Source, Principal: m.Principal, Stated: m.Stated, Typed: m.Typed, Meta: m.Meta, Reason: m.Reason,
		CreatedAt: wire.StampOf(m.CreatedAt), UpdatedAt: wire.StampOf(m.UpdatedAt), ExpiresAt: wire.StampOf(m.ExpiresAt), AnchorAt: wire.StampOf(m.AnchorAt),
		DeletedAt: wire.StampOf(m.DeletedAt), Position: m.Position, ConfidenceDay: m.ConfidenceDay, ReadBy: m.ReadBy,
		UseCount: m.Usage.Count, UseDays: m.Usage.Days, UseLast: wire.StampOf(m.Usage.Last),
		UseSince: m.Usage.Since, UseSessions: m.Usage.Sessions, SalienceDay: m.SalienceDay, Defaulted: m.ConsentDefaulted, ExternalID: m.ExternalID,
		ToolCalls: wire.ToolCallsOf(m.ToolCalls),
	}
	if b.Chunk, err = wire.ChunkOf(m.Chunk); err != nil {
		return h, b, err
	}
	if b.Procedure, err = wire.ProcedureOf(m.Procedure); err != nil {
		return h, b, err
	}
	if b.Pattern, err = wire.PatternOf(m.Pattern); err != nil {
		return h, b, err
	}
	if b.Claims, err = wire.ClaimsOf(m.Claims); err != nil {
		return h, b, err
	}
	if b.Checksum, err = hex.DecodeString(m.Checksum); err != nil {
		return h, b, graph.FieldError(graph.CodeInvalidRequest, "checksum", "must be hexadecimal")
	}
	for _, s := range m.History {
		b.History = append(b.History, wire.StateOf(s))
	}
	for _, id := range m.Entities {
		e, err := wire.IDBytes("entities", id)
		if err != nil {
			return h, b, err
		}
		b.Entities = append(b.Entities, e...)
	}
	for _, f := range []struct {
		name string
		from graph.ID
		to   *[]byte
	}{
		{"chain", m.Chain, &b.Chain}, {"supersedes", m.Supersedes, &b.Supersedes},
		{"supersededBy", m.SupersededBy, &b.SupersededBy}, {"consolidated", m.Consolidated, &b.Consolidated},
	} {
		if *f.to, err = wire.IDBytes(f.name, f.from); err != nil {
			return h, b, err
		}
	}
	if m.Chain == m.ID {
		b.Chain = nil
	}
	return h, b, nil
}

// recordOf decodes a record, without its vector.
func recordOf(h *headRow, b *bodyRow) (*record, error) {
	r := &record{engravedAt: h.EngravedAt.Time(), seq: h.Seq, memory: graph.Memory{
		ID: wire.ID(h.ID), Version: h.Version, Namespace: h.Namespace, User: h.User, Agent: h.Agent, Session: h.Session, Project: h.Project,
		Type: graph.Type(h.Type), Subject: h.Subject, Tags: h.Tags, Sensitivity: graph.Sensitivity(h.Sensitivity), Consent: graph.Consent(h.Consent),
		Authority: h.Authority, Importance: h.Importance, RecordedAt: h.RecordedAt.Time(), OccurredAt: h.OccurredAt.Time(), ValidFrom: h.ValidFrom.Time(),

		Content: b.Content, Summary: b.Summary, Predicate: b.Predicate, Object: b.Object, EmbeddingModel: b.EmbeddingModel,
		Salience: b.Salience, Conflict: b.Conflict, Surprise: b.Surprise, Confidence: b.Confidence, Criticality: b.Criticality,
		DecayClass: graph.DecayClass(b.DecayClass), DecayK: b.DecayK, OwnDecay: b.OwnDecay, Priority: graph.Priority(b.Priority), Important: b.Important,
		SafetyCritical: b.SafetyCritical, SourceKind: graph.SourceKind(b.SourceKind), Source: b.Source, Principal: b.Principal, Stated: b.Stated, Typed: b.Typed, Reason: b.Reason,
		Chain: wire.ID(b.Chain), Supersedes: wire.ID(b.Supersedes), SupersededBy: wire.ID(b.SupersededBy), Consolidated: wire.ID(b.Consolidated),
		CreatedAt: b.CreatedAt.Time(), UpdatedAt: b.UpdatedAt.Time(), ExpiresAt: b.ExpiresAt.Time(), AnchorAt: b.AnchorAt.Time(),
		DeletedAt: b.DeletedAt.Time(), Position: b.Position, Checksum: hex.EncodeToString(b.Checksum), ConfidenceDay: b.ConfidenceDay,
		Claims: wire.Claims(b.Claims), ReadBy: b.ReadBy, SalienceDay: b.SalienceDay, ConsentDefaulted: b.Defaulted, ExternalID: b.ExternalID,
		ToolCalls: wire.ToolCalls(b.ToolCalls), Chunk: b.Chunk.Chunk(), Procedure: b.Procedure.Procedure(), Pattern: b.Pattern.Pattern(),
		Usage: graph.Usage{Count: b.UseCount, Days: b.UseDays, Last: b.UseLast.Time(), Since: b.UseSince, Sessions: b.UseSessions},
	}}
	m := &r.memory
	if m.Chain == "" {
		m.Chain = m.ID
	}
	if len(b.Meta) > 0 {
		m.Meta = b.Meta
	}
	for _, s := range b.History {
		m.History = append(m.History, s.State())
	}
	m.Entities = wire.IDs(b.Entities)
	if m.ID == "" || len(m.History) == 0 {
		return nil, fmt.Errorf("a record without an id or a state")
	}
	return r, nil
}

// toHead is the part of a record that a search sees.
func (h *headRow) toHead() Head {
	return Head{
		ID: wire.ID(h.ID), Version: h.Version, Namespace: h.Namespace, User: h.User, Agent: h.Agent, Session: h.Session, Project: h.Project,
		Type: graph.Type(h.Type), Subject: h.Subject, Tags: h.Tags, Sensitivity: graph.Sensitivity(h.Sensitivity), Consent: graph.Consent(h.Consent),
		Authority: h.Authority, Importance: h.Importance, RecordedAt: h.RecordedAt.Time(), OccurredAt: h.OccurredAt.Time(),
		ValidFrom: h.ValidFrom.Time(), EngravedAt: h.EngravedAt.Time(),
	}
}

// cloneMemory copies what a caller could modify through the memory: records are cached.
func cloneMemory(m *graph.Memory) graph.Memory {
	c := *m
	c.Tags, c.Meta, c.Entities, c.History = slices.Clone(m.Tags), slices.Clone(m.Meta), slices.Clone(m.Entities), slices.Clone(m.History)
	c.ToolCalls = slices.Clone(m.ToolCalls)
	c.Usage = m.Usage.Clone()
	if m.Position != nil {
		p := *m.Position
		c.Position = &p
	}
	return c
}
