// Package importer reads files of memories. docs/formats/import.md describes the two forms: one
// memory per line, or one conversation per line. The result is input for rememberMany, in the
// order of the file. Every memory has an idempotency key, so that importing a file twice
// writes its memories once.
package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Memory is a RememberInput of the API.
type Memory struct {
	Content        string          `json:"content"`
	Consent        string          `json:"consent,omitempty"`
	Type           string          `json:"type,omitempty"`
	Namespace      string          `json:"namespace,omitempty"`
	User           string          `json:"user,omitempty"`
	Session        string          `json:"session,omitempty"`
	Project        string          `json:"project,omitempty"`
	Agent          string          `json:"agent,omitempty"`
	Subject        string          `json:"subject,omitempty"`
	Predicate      string          `json:"predicate,omitempty"`
	Object         string          `json:"object,omitempty"`
	SourceKind     string          `json:"sourceKind,omitempty"`
	Source         string          `json:"source,omitempty"`
	Authority      *float64        `json:"authority,omitempty"`
	Salience       *float64        `json:"salience,omitempty"`
	Surprise       *float64        `json:"surprise,omitempty"`
	Confidence     *float64        `json:"confidence,omitempty"`
	Importance     *float64        `json:"importance,omitempty"`
	Criticality    *float64        `json:"criticality,omitempty"`
	Entities       []string        `json:"entities,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	Meta           json.RawMessage `json:"meta,omitempty"`
	DecayClass     string          `json:"decayClass,omitempty"`
	Priority       string          `json:"priority,omitempty"`
	TTLSeconds     *int            `json:"ttlSeconds,omitempty"`
	ValidFrom      string          `json:"validFrom,omitempty"`
	ValidTo        string          `json:"validTo,omitempty"`
	OccurredAt     string          `json:"occurredAt,omitempty"`
	Important      bool            `json:"important,omitempty"`
	Core           bool            `json:"core,omitempty"`
	SafetyCritical bool            `json:"safetyCritical,omitempty"`
	OnDuplicate    string          `json:"onDuplicate,omitempty"`
	IdempotencyKey string          `json:"idempotencyKey,omitempty"`
	ExternalID     string          `json:"externalId,omitempty"` // of content that is split, that of the first part
}

// Item is a memory and its place in the file.
type Item struct {
	Memory Memory
	Line   int    // from 1
	Label  string // the key of the turn; empty: it is not a turn
	End    int64  // offset in the file after the line
}

// Where describes the place of the item, for messages.
func (i Item) Where() string {
	if i.Label == "" {
		return fmt.Sprintf("line %d", i.Line)
	}
	return fmt.Sprintf("line %d, turn %s", i.Line, i.Label)
}

// Options are defaults for what the file does not state.
type Options struct {
	Namespace  string // of memories that name none, and of all conversations; empty: "default", and one per conversation
	Consent    string // of memories that state none; empty: EXPLICIT for conversations, none for memories
	MaxContent int    // bytes; longer content is split
}

// Key is an idempotency key, derived from the parts.
func Key(parts ...string) string { return key(parts...) }

// key is an idempotency key, derived from the parts.
func key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "import:" + hex.EncodeToString(sum[:16])
}

// split splits a memory whose content is too long. Meta has the number of each part, and so
// does its key.
func (m Memory) split(limit int) ([]Memory, error) {
	texts := Split(m.Content, limit)
	if len(texts) == 1 {
		return []Memory{m}, nil
	}
	parts := make([]Memory, len(texts))
	for i, text := range texts {
		p := m
		p.Content = text
		if p.OnDuplicate == "" {
			p.OnDuplicate = "INSERT" // parts may be similar to each other
		}
		if i > 0 {
			p.IdempotencyKey, p.ExternalID = key(m.IdempotencyKey, fmt.Sprint(i+1)), ""
		}
		meta := map[string]json.RawMessage{}
		if len(m.Meta) > 0 {
			if err := json.Unmarshal(m.Meta, &meta); err != nil {
				return nil, fmt.Errorf("meta must be an object where content is longer than %d bytes", limit)
			}
		}
		meta["part"], meta["parts"] = json.RawMessage(fmt.Sprint(i+1)), json.RawMessage(fmt.Sprint(len(texts)))
		raw, err := json.Marshal(meta)
		if err != nil {
			return nil, fmt.Errorf("meta: %w", err)
		}
		p.Meta = raw
		parts[i] = p
	}
	return parts, nil
}
