package graph

import (
	"encoding/json"
	"math"
	"unicode/utf8"
)

// Limits of the small fields, in bytes or items.
const (
	MaxName     = 512 // user, session, subject, source and the like
	MaxTags     = 64  // tags of a memory
	MaxMeta     = 16 << 10
	MaxEntities = 256  // entities of a memory
	MaxVector   = 8192 // dimensions of an embedding
)

// Validate returns an *Error that names the first invalid field, or nil.
func (m *Memory) Validate() error {
	if !m.ID.Valid() {
		return FieldError(CodeInvalidRequest, "id", "must be a UUID")
	}
	if !ValidNamespace(m.Namespace) {
		return NamespaceError("namespace")
	}
	if len(m.History) == 0 {
		return FieldError(CodeInvalidRequest, "history", "must hold at least one state")
	}
	for i, s := range m.History {
		if !s.Status.Valid() || !s.Tier.Valid() || s.From.IsZero() {
			return FieldError(CodeInvalidRequest, "history", "state %d is incomplete", i)
		}
		if i > 0 && !s.From.After(m.History[i-1].From) {
			return FieldError(CodeInvalidRequest, "history", "state %d is not later than the one before", i)
		}
	}
	if m.Status() != Forgotten {
		if err := m.validateSaid(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) validateSaid() error {
	if m.Content == "" {
		return FieldError(CodeInvalidRequest, "content", "must not be empty")
	}
	if len(m.Content) > MaxContent {
		return FieldError(CodeLimitExceeded, "content", "has %d bytes, more than %d", len(m.Content), MaxContent)
	}
	for _, f := range []struct {
		name, value string
		max         int
	}{
		{"content", m.Content, MaxContent}, {"externalId", m.ExternalID, MaxName}, {"summary", m.Summary, MaxContent}, {"user", m.User, MaxName}, {"agent", m.Agent, MaxName},
		{"session", m.Session, MaxName}, {"project", m.Project, MaxName}, {"subject", m.Subject, MaxName},
		{"predicate", m.Predicate, MaxName}, {"object", m.Object, 4 * MaxName}, {"source", m.Source, 2 * MaxName}, {"principal", m.Principal, 2 * MaxName}, {"reason", m.Reason, 4 * MaxName},
	} {
		if len(f.value) > f.max {
			return FieldError(CodeLimitExceeded, f.name, "has %d bytes, more than %d", len(f.value), f.max)
		}
		if !utf8.ValidString(f.value) {
			return FieldError(CodeInvalidRequest, f.name, "is not valid UTF-8")
		}
	}
	switch {
	case !m.Type.Valid():
		return FieldError(CodeInvalidRequest, "type", "is not a memory type")
	case !m.Consent.Valid():
		return FieldError(CodeConsentRequired, "consent", "is required: EXPLICIT, IMPLICIT or NONE")
	case !m.SourceKind.Valid():
		return FieldError(CodeInvalidRequest, "sourceKind", "is not a source kind")
	case !m.DecayClass.Valid():
		return FieldError(CodeInvalidRequest, "decayClass", "is not a decay class")
	case !m.Sensitivity.Valid():
		return FieldError(CodeInvalidRequest, "sensitivity", "is not a sensitivity")
	case m.Priority != "" && !m.Priority.Valid():
		return FieldError(CodeInvalidRequest, "priority", "is not a priority")
	case len(m.Tags) > MaxTags:
		return FieldError(CodeLimitExceeded, "tags", "has %d items, more than %d", len(m.Tags), MaxTags)
	case len(m.Meta) > MaxMeta:
		return FieldError(CodeLimitExceeded, "meta", "has %d bytes, more than %d", len(m.Meta), MaxMeta)
	case len(m.Meta) > 0 && !json.Valid(m.Meta):
		return FieldError(CodeInvalidRequest, "meta", "is not JSON")
	case len(m.Entities) > MaxEntities:
		return FieldError(CodeLimitExceeded, "entities", "has %d items, more than %d", len(m.Entities), MaxEntities)
	case m.Version < 1:
		return FieldError(CodeInvalidRequest, "version", "must be at least 1")
	case !m.Chain.Valid():
		return FieldError(CodeInvalidRequest, "chain", "must be a UUID")
	case m.RecordedAt.IsZero() || m.CreatedAt.IsZero() || m.UpdatedAt.IsZero() || m.ValidFrom.IsZero() || m.OccurredAt.IsZero():
		return FieldError(CodeInvalidRequest, "createdAt", "createdAt, updatedAt, recordedAt, occurredAt and validFrom are required")
	}
	for _, t := range m.Tags {
		if t == "" || len(t) > MaxName || !utf8.ValidString(t) {
			return FieldError(CodeInvalidRequest, "tags", "each must have 1 to %d bytes of UTF-8", MaxName)
		}
	}
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"salience", m.Salience}, {"authority", m.Authority}, {"conflict", m.Conflict}, {"surprise", m.Surprise},
		{"confidence", m.Confidence}, {"importance", m.Importance}, {"criticality", m.Criticality},
	} {
		if err := Unit(f.name, f.value); err != nil {
			return err
		}
	}
	if m.DecayK < 0 || math.IsNaN(m.DecayK) || math.IsInf(m.DecayK, 0) {
		return FieldError(CodeInvalidRequest, "decayK", "must be a finite number ≥ 0")
	}
	if err := m.Chunk.validate(); err != nil {
		return err
	}
	if err := m.Procedure.Validate(); err != nil {
		return err
	}
	if err := m.Pattern.Validate(); err != nil {
		return err
	}
	if err := ValidateToolCalls(m.ToolCalls); err != nil {
		return err
	}
	return m.validateClaims()
}

// Unit returns the error of UnitError unless v is in [0,1].
func Unit(field string, v float64) error {
	if !InUnit(v) {
		return UnitError(field)
	}
	return nil
}

// InUnit reports whether v is a number in [0,1].
func InUnit(v float64) bool { return v >= 0 && v <= 1 } // false for NaN

// UnitError is the INVALID_REQUEST error for a field that must be in [0,1].
func UnitError(field string) *Error {
	return FieldError(CodeInvalidRequest, field, "must be a number from 0 to 1")
}
