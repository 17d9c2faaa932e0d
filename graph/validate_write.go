package graph

import (
	"encoding/json"
	"math"
	"slices"
	"time"
)

// Limits of what a transaction writes, in bytes.
const (
	MaxRequestKey = 300
	MaxSetting    = 64 << 10
)

// ValidatePut returns why PutMemory must refuse the memory with a change of that kind, or nil.
func (m *Memory) ValidatePut(kind EventKind) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Status() == Forgotten {
		return FieldError(CodeInvalidRequest, "status", "only an erasure sets FORGOTTEN")
	}
	if kind == EventForgotten || kind == EventLagged || !slices.Contains(EventKinds, kind) {
		return FieldError(CodeInvalidRequest, "kind", "is not a kind of change that can be stored")
	}
	if m.Position != nil && !finite(m.Position[:]) {
		return FieldError(CodeInvalidRequest, "position", "must be finite")
	}
	return nil
}

// ValidateEmbedding returns why PutEmbedding must refuse the vector, or nil.
func ValidateEmbedding(vector []float32) error {
	if len(vector) == 0 || len(vector) > MaxVector {
		return FieldError(CodeInvalidRequest, "embedding", "must have 1 to %d numbers", MaxVector)
	}
	if !finite(vector) {
		return FieldError(CodeInvalidRequest, "embedding", "must hold finite numbers")
	}
	return nil
}

func finite(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool {
		return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
	})
}

// Validate returns an *Error that names the first invalid field, or nil.
func (e *Entity) Validate() error {
	switch {
	case !e.ID.Valid():
		return FieldError(CodeInvalidRequest, "id", "must be a UUID")
	case !ValidNamespace(e.Namespace):
		return NamespaceError("namespace")
	case e.Canonical == "":
		return FieldError(CodeInvalidRequest, "canonical", "is required")
	case len(e.Properties) > 0 && !json.Valid(e.Properties):
		return FieldError(CodeInvalidRequest, "properties", "is not JSON")
	}
	return nil
}

// Validate returns an *Error that names the first invalid field, or nil. It does not check
// source, target and memories.
func (r *Relation) Validate() error {
	switch {
	case !r.ID.Valid():
		return FieldError(CodeInvalidRequest, "id", "must be a UUID")
	case !ValidNamespace(r.Namespace):
		return NamespaceError("namespace")
	case r.Predicate == "":
		return FieldError(CodeInvalidRequest, "predicate", "is required")
	case r.Strength < 0 || math.IsNaN(r.Strength) || math.IsInf(r.Strength, 0):
		return FieldError(CodeInvalidRequest, "strength", "must be a finite number ≥ 0")
	}
	return Unit("confidence", r.Confidence)
}

// ChangedAt is the latest instant of a relation: when it was recorded, or its strength changed.
func (r *Relation) ChangedAt() time.Time {
	if r.StrengthAt.After(r.RecordedAt) {
		return r.StrengthAt
	}
	return r.RecordedAt
}

// Validate returns an *Error that names the first invalid field, or nil. It does not check
// the ends.
func (e *Edge) Validate() error {
	if e.Kind == "" || len(e.Kind) > MaxName {
		return FieldError(CodeInvalidRequest, "kind", "must have 1 to %d bytes", MaxName)
	}
	return Unit("weight", e.Weight)
}

// Validate returns why PutNote must refuse the note, or nil. It does not check the ids of the
// memories.
func (n *Note) Validate() error {
	switch {
	case !n.ID.Valid():
		return FieldError(CodeInvalidRequest, "id", "must be a UUID")
	case n.Kind == "":
		return FieldError(CodeInvalidRequest, "kind", "must not be empty")
	case len(n.Data) > MaxNote:
		return ErrTooLarge
	case n.Data != nil && !json.Valid(n.Data):
		return FieldError(CodeInvalidRequest, "data", "is not JSON")
	}
	return nil
}

// Validate returns an *Error for an invalid key, or nil.
func (q *Request) Validate() error {
	if q.Key == "" || len(q.Key) > MaxRequestKey {
		return FieldError(CodeInvalidRequest, "idempotencyKey", "must have 1 to %d bytes", MaxRequestKey)
	}
	return nil
}

// ValidateSetting returns why PutSetting must refuse the value, or nil.
func ValidateSetting(name string, value []byte) error {
	if name == "" {
		return FieldError(CodeInvalidRequest, "name", "is required")
	}
	if len(value) > MaxSetting {
		return ErrTooLarge
	}
	return nil
}
