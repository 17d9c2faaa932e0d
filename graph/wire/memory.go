package wire

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// Memory is a graph.Memory, without its id and its usage.
type Memory struct {
	Namespace      string      `cbor:"1,keyasint"`
	User           string      `cbor:"2,keyasint,omitempty"`
	Agent          string      `cbor:"3,keyasint,omitempty"`
	Session        string      `cbor:"4,keyasint,omitempty"`
	Project        string      `cbor:"5,keyasint,omitempty"`
	Type           string      `cbor:"6,keyasint,omitempty"`
	Content        string      `cbor:"7,keyasint,omitempty"`
	Summary        string      `cbor:"8,keyasint,omitempty"`
	Subject        string      `cbor:"9,keyasint,omitempty"`
	Predicate      string      `cbor:"10,keyasint,omitempty"`
	Object         string      `cbor:"11,keyasint,omitempty"`
	EmbeddingModel string      `cbor:"12,keyasint,omitempty"`
	Salience       float64     `cbor:"13,keyasint,omitempty"`
	Authority      float64     `cbor:"14,keyasint,omitempty"`
	Conflict       float64     `cbor:"15,keyasint,omitempty"`
	Surprise       float64     `cbor:"16,keyasint,omitempty"`
	Confidence     float64     `cbor:"17,keyasint,omitempty"`
	Importance     float64     `cbor:"18,keyasint,omitempty"`
	Criticality    float64     `cbor:"19,keyasint,omitempty"`
	DecayClass     string      `cbor:"20,keyasint,omitempty"`
	DecayK         float64     `cbor:"21,keyasint,omitempty"`
	Priority       string      `cbor:"22,keyasint,omitempty"`
	Important      bool        `cbor:"23,keyasint,omitempty"`
	SafetyCritical bool        `cbor:"24,keyasint,omitempty"`
	Sensitivity    string      `cbor:"25,keyasint,omitempty"`
	Consent        string      `cbor:"26,keyasint,omitempty"`
	SourceKind     string      `cbor:"27,keyasint,omitempty"`
	Source         string      `cbor:"28,keyasint,omitempty"`
	Tags           []string    `cbor:"29,keyasint,omitempty"`
	Meta           []byte      `cbor:"30,keyasint,omitempty"`
	Entities       []byte      `cbor:"31,keyasint,omitempty"` // ids, 16 bytes each
	Chain          []byte      `cbor:"32,keyasint,omitempty"`
	Version        int         `cbor:"33,keyasint,omitempty"`
	Supersedes     []byte      `cbor:"34,keyasint,omitempty"`
	SupersededBy   []byte      `cbor:"35,keyasint,omitempty"`
	Reason         string      `cbor:"36,keyasint,omitempty"`
	Consolidated   []byte      `cbor:"37,keyasint,omitempty"`
	CreatedAt      Stamp       `cbor:"38,keyasint,omitempty"`
	UpdatedAt      Stamp       `cbor:"39,keyasint,omitempty"`
	RecordedAt     Stamp       `cbor:"40,keyasint,omitempty"`
	OccurredAt     Stamp       `cbor:"41,keyasint,omitempty"`
	ValidFrom      Stamp       `cbor:"42,keyasint,omitempty"`
	ExpiresAt      Stamp       `cbor:"43,keyasint,omitempty"`
	AnchorAt       Stamp       `cbor:"44,keyasint,omitempty"`
	DeletedAt      Stamp       `cbor:"45,keyasint,omitempty"`
	History        []State     `cbor:"46,keyasint"`
	Position       *[3]float32 `cbor:"47,keyasint,omitempty"`
	Checksum       string      `cbor:"48,keyasint,omitempty"`
	ConfidenceDay  int32       `cbor:"49,keyasint,omitempty"`
	OwnDecay       bool        `cbor:"50,keyasint,omitempty"`
	Claims         []Claim     `cbor:"51,keyasint,omitempty"`
	ReadBy         int         `cbor:"52,keyasint,omitempty"`
	SalienceDay    int32       `cbor:"60,keyasint,omitempty"`
	Principal      string      `cbor:"70,keyasint,omitempty"`
	Stated         bool        `cbor:"71,keyasint,omitempty"`
	Typed          bool        `cbor:"72,keyasint,omitempty"`
	Defaulted      bool        `cbor:"80,keyasint,omitempty"` // ConsentDefaulted
	Chunk          *Chunk      `cbor:"90,keyasint,omitempty"`
	Procedure      *Procedure  `cbor:"91,keyasint,omitempty"`
	ToolCalls      []ToolCall  `cbor:"100,keyasint,omitempty"`
	ExternalID     string      `cbor:"110,keyasint,omitempty"`
	Pattern        *Pattern    `cbor:"120,keyasint,omitempty"`
}

// ToolCall is a graph.ToolCall.
type ToolCall struct {
	Name      string `cbor:"1,keyasint"`
	Arguments string `cbor:"2,keyasint,omitempty"`
	Result    string `cbor:"3,keyasint,omitempty"`
}

// ToolCallsOf is the stored form of tool calls.
func ToolCallsOf(calls []graph.ToolCall) []ToolCall {
	var rows []ToolCall
	for _, c := range calls {
		rows = append(rows, ToolCall(c))
	}
	return rows
}

// ToolCalls converts stored tool calls.
func ToolCalls(rows []ToolCall) []graph.ToolCall {
	var calls []graph.ToolCall
	for _, r := range rows {
		calls = append(calls, graph.ToolCall(r))
	}
	return calls
}

// State is a graph.State.
type State struct {
	From    Stamp  `cbor:"1,keyasint"`
	Status  string `cbor:"2,keyasint"`
	Tier    string `cbor:"3,keyasint"`
	Core    bool   `cbor:"4,keyasint,omitempty"`
	ValidTo Stamp  `cbor:"5,keyasint,omitempty"`
}

// StateOf is the stored form of a state.
func StateOf(s graph.State) State {
	return State{From: StampOf(s.From), Status: string(s.Status), Tier: string(s.Tier), Core: s.Core, ValidTo: StampOf(s.ValidTo)}
}

// State converts a stored state.
func (s State) State() graph.State {
	return graph.State{From: s.From.Time(), Status: graph.Status(s.Status), Tier: graph.Tier(s.Tier), Core: s.Core, ValidTo: s.ValidTo.Time()}
}

// MemoryOf is the stored form of a memory. It fails if an id in it is invalid.
func MemoryOf(m *graph.Memory) (*Memory, error) {
	r := &Memory{
		Namespace: m.Namespace, User: m.User, Agent: m.Agent, Session: m.Session, Project: m.Project,
		Type: string(m.Type), Content: m.Content, Summary: m.Summary,
		Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, EmbeddingModel: m.EmbeddingModel,
		Salience: m.Salience, Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
		Confidence: m.Confidence, Importance: m.Importance, Criticality: m.Criticality,
		DecayClass: string(m.DecayClass), DecayK: m.DecayK, OwnDecay: m.OwnDecay, Priority: string(m.Priority),
		Important: m.Important, SafetyCritical: m.SafetyCritical, Sensitivity: string(m.Sensitivity),
		Consent: string(m.Consent), SourceKind: string(m.SourceKind), Source: m.Source,
		Tags: m.Tags, Meta: m.Meta, Version: m.Version, Reason: m.Reason,
		CreatedAt: StampOf(m.CreatedAt), UpdatedAt: StampOf(m.UpdatedAt), RecordedAt: StampOf(m.RecordedAt),
		OccurredAt: StampOf(m.OccurredAt), ValidFrom: StampOf(m.ValidFrom), ExpiresAt: StampOf(m.ExpiresAt),
		AnchorAt: StampOf(m.AnchorAt), DeletedAt: StampOf(m.DeletedAt),
		Position: m.Position, Checksum: m.Checksum, ConfidenceDay: m.ConfidenceDay, ReadBy: m.ReadBy, SalienceDay: m.SalienceDay, Defaulted: m.ConsentDefaulted, ExternalID: m.ExternalID,
		Principal: m.Principal, Stated: m.Stated, Typed: m.Typed, ToolCalls: ToolCallsOf(m.ToolCalls),
	}
	for _, s := range m.History {
		r.History = append(r.History, StateOf(s))
	}
	var err error
	if r.Claims, err = ClaimsOf(m.Claims); err != nil {
		return nil, err
	}
	if r.Chunk, err = ChunkOf(m.Chunk); err != nil {
		return nil, err
	}
	if r.Procedure, err = ProcedureOf(m.Procedure); err != nil {
		return nil, err
	}
	if r.Pattern, err = PatternOf(m.Pattern); err != nil {
		return nil, err
	}
	if r.Entities, err = IDList("entities", m.Entities); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		from graph.ID
		to   *[]byte
	}{
		{"chain", m.Chain, &r.Chain}, {"supersedes", m.Supersedes, &r.Supersedes},
		{"supersededBy", m.SupersededBy, &r.SupersededBy}, {"consolidated", m.Consolidated, &r.Consolidated},
	} {
		if *f.to, err = IDBytes(f.name, f.from); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// ErrNoState is returned for a row without a state, which can't be a memory.
var ErrNoState = errors.New("a memory without a state")

// Memory converts a stored memory, without its usage. The only error is ErrNoState.
func (r *Memory) Memory(id graph.ID) (*graph.Memory, error) {
	m := &graph.Memory{
		ID: id, Namespace: r.Namespace, User: r.User, Agent: r.Agent, Session: r.Session, Project: r.Project,
		Type: graph.Type(r.Type), Content: r.Content, Summary: r.Summary,
		Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, EmbeddingModel: r.EmbeddingModel,
		Salience: r.Salience, Authority: r.Authority, Conflict: r.Conflict, Surprise: r.Surprise,
		Confidence: r.Confidence, Importance: r.Importance, Criticality: r.Criticality,
		DecayClass: graph.DecayClass(r.DecayClass), DecayK: r.DecayK, OwnDecay: r.OwnDecay, Priority: graph.Priority(r.Priority),
		Important: r.Important, SafetyCritical: r.SafetyCritical, Sensitivity: graph.Sensitivity(r.Sensitivity),
		Consent: graph.Consent(r.Consent), SourceKind: graph.SourceKind(r.SourceKind), Source: r.Source,
		Tags: r.Tags, Entities: IDs(r.Entities),
		Chain: ID(r.Chain), Version: r.Version, Supersedes: ID(r.Supersedes), SupersededBy: ID(r.SupersededBy),
		Reason: r.Reason, Consolidated: ID(r.Consolidated),
		CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.UpdatedAt.Time(), RecordedAt: r.RecordedAt.Time(),
		OccurredAt: r.OccurredAt.Time(), ValidFrom: r.ValidFrom.Time(), ExpiresAt: r.ExpiresAt.Time(),
		AnchorAt: r.AnchorAt.Time(), DeletedAt: r.DeletedAt.Time(),
		History: make([]graph.State, 0, len(r.History)), Position: r.Position, Checksum: r.Checksum,
		ConfidenceDay: r.ConfidenceDay, Claims: Claims(r.Claims), ReadBy: r.ReadBy, SalienceDay: r.SalienceDay, ConsentDefaulted: r.Defaulted, ExternalID: r.ExternalID,
		Principal: r.Principal, Stated: r.Stated, Typed: r.Typed, Chunk: r.Chunk.Chunk(), Procedure: r.Procedure.Procedure(),
		Pattern: r.Pattern.Pattern(), ToolCalls: ToolCalls(r.ToolCalls),
	}
	if len(r.Meta) > 0 {
		m.Meta = r.Meta
	}
	for _, s := range r.History {
		m.History = append(m.History, s.State())
	}
	if len(m.History) == 0 {
		return nil, ErrNoState
	}
	return m, nil
}
