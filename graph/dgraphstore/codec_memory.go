package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// memoryRow is a graph.Memory as Dgraph keeps it, without its id (the key) and its usage.
type memoryRow struct {
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
	CreatedAt      stamp       `cbor:"38,keyasint,omitempty"`
	UpdatedAt      stamp       `cbor:"39,keyasint,omitempty"`
	RecordedAt     stamp       `cbor:"40,keyasint,omitempty"`
	OccurredAt     stamp       `cbor:"41,keyasint,omitempty"`
	ValidFrom      stamp       `cbor:"42,keyasint,omitempty"`
	ExpiresAt      stamp       `cbor:"43,keyasint,omitempty"`
	AnchorAt       stamp       `cbor:"44,keyasint,omitempty"`
	DeletedAt      stamp       `cbor:"45,keyasint,omitempty"`
	History        []stateRow  `cbor:"46,keyasint"`
	Position       *[3]float32 `cbor:"47,keyasint,omitempty"`
	Checksum       string      `cbor:"48,keyasint,omitempty"`
	ConfidenceDay  int32       `cbor:"49,keyasint,omitempty"`
	OwnDecay       bool        `cbor:"50,keyasint,omitempty"`
}

// encodeMemory writes a memory. It fails where an id in it is not one.
func encodeMemory(key string, m *graph.Memory) (string, error) {
	r := memoryRow{
		Namespace: m.Namespace, User: m.User, Agent: m.Agent, Session: m.Session, Project: m.Project,
		Type: string(m.Type), Content: m.Content, Summary: m.Summary,
		Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, EmbeddingModel: m.EmbeddingModel,
		Salience: m.Salience, Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
		Confidence: m.Confidence, Importance: m.Importance, Criticality: m.Criticality,
		DecayClass: string(m.DecayClass), DecayK: m.DecayK, OwnDecay: m.OwnDecay, Priority: string(m.Priority),
		Important: m.Important, SafetyCritical: m.SafetyCritical, Sensitivity: string(m.Sensitivity),
		Consent: string(m.Consent), SourceKind: string(m.SourceKind), Source: m.Source,
		Tags: m.Tags, Meta: m.Meta, Version: m.Version, Reason: m.Reason,
		CreatedAt: stampOf(m.CreatedAt), UpdatedAt: stampOf(m.UpdatedAt), RecordedAt: stampOf(m.RecordedAt),
		OccurredAt: stampOf(m.OccurredAt), ValidFrom: stampOf(m.ValidFrom), ExpiresAt: stampOf(m.ExpiresAt),
		AnchorAt: stampOf(m.AnchorAt), DeletedAt: stampOf(m.DeletedAt),
		Position: m.Position, Checksum: m.Checksum, ConfidenceDay: m.ConfidenceDay,
	}
	for _, s := range m.History {
		r.History = append(r.History, stateRow{
			From: stampOf(s.From), Status: string(s.Status), Tier: string(s.Tier), Core: s.Core, ValidTo: stampOf(s.ValidTo),
		})
	}
	var err error
	if r.Entities, err = idList("entities", m.Entities); err != nil {
		return "", err
	}
	for _, f := range []struct {
		name string
		from graph.ID
		to   *[]byte
	}{
		{"chain", m.Chain, &r.Chain}, {"supersedes", m.Supersedes, &r.Supersedes},
		{"supersededBy", m.SupersededBy, &r.SupersededBy}, {"consolidated", m.Consolidated, &r.Consolidated},
	} {
		if *f.to, err = idBytes(f.name, f.from); err != nil {
			return "", err
		}
	}
	return encode(key, &r)
}

// decodeMemory reads the sealed memory id at key, without its usage.
func decodeMemory(key string, id graph.ID, text string) (*graph.Memory, error) {
	var r memoryRow
	if err := decode(key, text, &r); err != nil {
		return nil, err
	}
	m := &graph.Memory{
		ID: id, Namespace: r.Namespace, User: r.User, Agent: r.Agent, Session: r.Session, Project: r.Project,
		Type: graph.Type(r.Type), Content: r.Content, Summary: r.Summary,
		Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, EmbeddingModel: r.EmbeddingModel,
		Salience: r.Salience, Authority: r.Authority, Conflict: r.Conflict, Surprise: r.Surprise,
		Confidence: r.Confidence, Importance: r.Importance, Criticality: r.Criticality,
		DecayClass: graph.DecayClass(r.DecayClass), DecayK: r.DecayK, OwnDecay: r.OwnDecay, Priority: graph.Priority(r.Priority),
		Important: r.Important, SafetyCritical: r.SafetyCritical, Sensitivity: graph.Sensitivity(r.Sensitivity),
		Consent: graph.Consent(r.Consent), SourceKind: graph.SourceKind(r.SourceKind), Source: r.Source,
		Tags: r.Tags, Entities: idsOf(r.Entities),
		Chain: idOf(r.Chain), Version: r.Version, Supersedes: idOf(r.Supersedes), SupersededBy: idOf(r.SupersededBy),
		Reason: r.Reason, Consolidated: idOf(r.Consolidated),
		CreatedAt: r.CreatedAt.time(), UpdatedAt: r.UpdatedAt.time(), RecordedAt: r.RecordedAt.time(),
		OccurredAt: r.OccurredAt.time(), ValidFrom: r.ValidFrom.time(), ExpiresAt: r.ExpiresAt.time(),
		AnchorAt: r.AnchorAt.time(), DeletedAt: r.DeletedAt.time(),
		History: make([]graph.State, 0, len(r.History)), Position: r.Position, Checksum: r.Checksum,
		ConfidenceDay: r.ConfidenceDay,
	}
	if len(r.Meta) > 0 {
		m.Meta = r.Meta
	}
	for _, s := range r.History {
		m.History = append(m.History, graph.State{
			From: s.From.time(), Status: graph.Status(s.Status), Tier: graph.Tier(s.Tier), Core: s.Core, ValidTo: s.ValidTo.time(),
		})
	}
	if len(m.History) == 0 {
		return nil, broken(key, "a memory without a state")
	}
	return m, nil
}

// stub is what an erasure leaves of a memory at the instant: id, namespace, times,
// chain and version.
func stub(m *graph.Memory) *graph.Memory {
	return &graph.Memory{
		ID: m.ID, Namespace: m.Namespace, Chain: m.Chain, Version: m.Version,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt,
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, AnchorAt: m.AnchorAt,
		History: slices.Clone(m.History),
	}
}
