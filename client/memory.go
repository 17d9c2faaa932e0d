package client

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"
)

// Message is a message of a conversation.
type Message struct {
	Role    Role // empty: USER
	Content string
}

// AddOptions are the optional arguments of Add.
type AddOptions struct {
	// User, Namespace, Consent, Project: empty: those of the client.
	User, Namespace, Project string
	Consent                  Consent
	// Session is the conversation; empty: none.
	Session string
	// OccurredAt is when it was said; zero: now.
	OccurredAt time.Time
	// IdempotencyKey makes a repetition of the call safe; empty: a new one.
	IdempotencyKey string
}

// PartialError says that some memories of a batch were not written.
type PartialError struct {
	// Errors are the errors by position in the batch.
	Errors map[int]*Error
	// Written are the ids of the memories that were written, by position.
	Written map[int]string
	first   int
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%d of %d were not written; number %d: %v", len(e.Errors), len(e.Errors)+len(e.Written), e.first, e.Errors[e.first])
}

// Unwrap returns the first error.
func (e *PartialError) Unwrap() error { return e.Errors[e.first] }

// Add adds a text that the user said, and returns the memory that holds it.
func (c *Client) Add(ctx context.Context, text string) (*MemoryRecord, error) {
	added, err := c.AddMessages(ctx, []Message{{Content: text}}, AddOptions{})
	if err != nil {
		return nil, err
	}
	if len(added) == 0 {
		return nil, &Error{Code: "INVALID_REQUEST", Field: "text", Message: "must not be empty"}
	}
	return &added[0], nil
}

// AddMessages adds what was said, and returns the memories that hold it, in order. With a session the
// messages are turns of that conversation: they can be searched at once, and become memories of their own when
// they leave its working buffer. Without one each message is remembered by itself; a repeated one is the memory that
// was there. Messages of the system and empty ones are left out. An error about some of them is a
// *PartialError.
func (c *Client) AddMessages(ctx context.Context, messages []Message, o AddOptions) ([]MemoryRecord, error) {
	key := o.IdempotencyKey
	if key == "" {
		key = rand.Text()
	}
	var said []RememberInput
	for _, m := range messages {
		if m.Content == "" || m.Role == RoleSystem {
			continue
		}
		in := RememberInput{
			Content: m.Content, User: o.User, Namespace: o.Namespace, Consent: o.Consent, Project: o.Project, OccurredAt: o.OccurredAt,
			SourceKind: SourceKind(m.Role), IdempotencyKey: fmt.Sprintf("%s-%d", key, len(said)),
		}
		if m.Role == "" {
			in.SourceKind = SourceKindUser
		}
		said = append(said, in)
	}
	if o.Session != "" {
		return c.observeAll(ctx, said, o)
	}
	results, err := c.RememberMany(ctx, said)
	if err != nil {
		return nil, err
	}
	var out []MemoryRecord
	partial := &PartialError{Errors: map[int]*Error{}, Written: map[int]string{}, first: -1}
	for i, r := range results {
		switch {
		case r.Error != nil:
			partial.Errors[i] = &Error{Code: string(r.Error.Code), Field: r.Error.Field, Message: r.Error.Message}
			if partial.first < 0 {
				partial.first = i
			}
		case r.Memory != nil:
			partial.Written[i] = r.Memory.ID
			out = append(out, *r.Memory)
		}
	}
	if len(partial.Errors) > 0 {
		return nil, partial
	}
	return out, nil
}

// observeAll adds turns to a session.
func (c *Client) observeAll(ctx context.Context, said []RememberInput, o AddOptions) ([]MemoryRecord, error) {
	var out []MemoryRecord
	for _, in := range said {
		turn, err := c.Observe(ctx, o.Session, Role(in.SourceKind), in.Content, ObserveOptions{
			User: o.User, Namespace: o.Namespace, Consent: o.Consent, Project: o.Project, OccurredAt: o.OccurredAt, IdempotencyKey: in.IdempotencyKey,
		})
		if err != nil {
			return out, err
		}
		out = append(out, turn.Memory)
	}
	return out, nil
}

// EventCursor returns the position after the newest change: Events after it yields every later change.
func (c *Client) EventCursor(ctx context.Context) (string, error) {
	var now string
	op := operation{name: "EventCursor", path: []string{"eventCursor"}, document: `query EventCursor { eventCursor }`, retry: true}
	err := c.call(ctx, op, nil, &now)
	return now, err
}

// batch is the number of memories in one request.
const batch = 1000

// RememberMany writes memories, each atomically, and returns the results in order. A result with an error
// was not written. More than 1,000 are sent in several requests. What a memory leaves out is
// filled in from the client, and each gets an idempotency key if it has none.
func (c *Client) RememberMany(ctx context.Context, memories []RememberInput) ([]Remembered, error) {
	full := make([]RememberInput, len(memories))
	for i, m := range memories {
		fill(c, "user", &m.User)
		fill(c, "namespace", &m.Namespace)
		fill(c, "consent", &m.Consent)
		fill(c, "project", &m.Project)
		fill(c, "agent", &m.Agent)
		if m.IdempotencyKey == "" {
			m.IdempotencyKey = rand.Text()
		}
		full[i] = m
	}
	var out []Remembered
	for start := 0; start < len(full); start += batch {
		part, err := c.rememberMany(ctx, full[start:min(start+batch, len(full))])
		if err != nil {
			return out, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// fill sets an argument that is empty to that of the client.
func fill[T ~string](c *Client, name string, value *T) {
	if own, ok := c.filled[name].(T); ok && *value == "" {
		*value = own
	}
}
