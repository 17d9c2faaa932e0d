package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"
)

// Message is a message of a conversation.
type Message struct {
	Role    Role // empty: USER. Those of SYSTEM are left out
	Content string
	// ID names the message in its session: sent again, it is kept once.
	ID string
	// OccurredAt is when it was said; zero: that of the options.
	OccurredAt time.Time
}

// AddOptions are the optional arguments of AddMessages.
type AddOptions struct {
	// User, Namespace, Consent, Project: empty: those of the client.
	User, Namespace, Project string
	Consent                  Consent
	// Session is the conversation that the messages continue; empty: one of their own.
	Session string
	// OccurredAt is when messages were said that do not say it; zero: now.
	OccurredAt time.Time
	// IdempotencyKey makes a repetition of the call safe; empty: a new one.
	IdempotencyKey string
}

// Added is what AddMessages kept.
type Added struct {
	// Session is the conversation.
	Session string
	// Memories are the messages as memories, in their order. Claims are read when the conversation is closed. One that
	// only repeats an earlier memory has the status CONSOLIDATED.
	Memories []KeptMemory
	// Replayed is whether all of it had been added before, so that nothing was written.
	Replayed bool
}

// Add adds a text that the user said, as a conversation of its own, and returns the memory that holds it.
func (c *Client) Add(ctx context.Context, text string) (*KeptMemory, error) {
	added, err := c.AddMessages(ctx, []Message{{Content: text}}, AddOptions{})
	if err != nil {
		return nil, err
	}
	if len(added.Memories) == 0 {
		return nil, &Error{Code: "INVALID_REQUEST", Field: "text", Message: "must not be empty"}
	}
	return &added.Memories[0], nil
}

// AddMessages adds what was said. Without a session the messages are a conversation of their own, which is
// closed at once: its turns become memories, and facts are read from them. With one they continue that
// conversation: they can be searched at once, and become memories when it is closed or idle. Messages of the
// system and messages without text are left out. After an error the messages before it are kept; a repetition
// with the same idempotency key adds the rest.
func (c *Client) AddMessages(ctx context.Context, messages []Message, o AddOptions) (*Added, error) {
	key := o.IdempotencyKey
	if key == "" {
		key = rand.Text()
	}
	added := &Added{Session: o.Session, Replayed: true}
	if added.Session == "" {
		added.Session = "add-" + key
	}
	for _, m := range messages {
		if m.Role == RoleSystem || strings.TrimSpace(m.Content) == "" {
			continue
		}
		turn, err := c.Observe(ctx, added.Session, cmp.Or(m.Role, RoleUser), m.Content, o.turn(m, key, added))
		if err != nil {
			return nil, err
		}
		added.Memories = append(added.Memories, KeptMemory{MemoryRecord: turn.Memory})
		added.Replayed = added.Replayed && turn.Replayed
	}
	closed := map[string]KeptMemory{}
	if o.Session == "" && len(added.Memories) > 0 {
		report, err := c.CloseSession(ctx, added.Session, CloseSessionOptions{Namespace: o.Namespace, First: min(len(added.Memories), maxReported)})
		if err != nil {
			return nil, err
		}
		for _, m := range report.Flushed {
			closed[m.ID] = m
		}
	}
	for i, m := range added.Memories {
		if o.Session != "" && m.Tier == TierL0 {
			continue
		}
		now, ok := closed[m.ID]
		if !ok { // it left the buffer before, or an earlier attempt closed the conversation
			read, err := c.Get(ctx, m.ID, GetOptions{})
			if err != nil {
				return nil, err
			}
			now = *read
		}
		added.Memories[i] = now
	}
	return added, nil
}

// maxReported is the largest number of memories of each kind in the report of a session.
const maxReported = 200

// turn returns the options of the turn that a message becomes.
func (o AddOptions) turn(m Message, key string, added *Added) ObserveOptions {
	unique := fmt.Sprintf("%s/%d", key, len(added.Memories))
	if m.ID != "" {
		unique = added.Session + "/" + m.ID
	}
	at := m.OccurredAt
	if at.IsZero() {
		at = o.OccurredAt
	}
	return ObserveOptions{
		User: o.User, Namespace: o.Namespace, Consent: o.Consent, Project: o.Project, OccurredAt: at, IdempotencyKey: unique,
	}
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
func (c *Client) RememberMany(ctx context.Context, memories []RememberInput) ([]RememberedItem, error) {
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
	var out []RememberedItem
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
