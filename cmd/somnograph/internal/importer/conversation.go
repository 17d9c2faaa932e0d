package importer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Conversation is a line of a file of conversations.
type Conversation struct {
	ID        string     `json:"id"`
	Source    string     `json:"source"`
	Turns     []Turn     `json:"turns"`
	Questions []Question `json:"questions"`
}

// Turn is one thing said.
type Turn struct {
	Key     string `json:"key"`
	Session string `json:"session"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	At      string `json:"at"` // RFC 3339
}

// Question is a question with the turns that answer it.
type Question struct {
	Q        string   `json:"q"`
	Category string   `json:"category"`
	Evidence []string `json:"evidence"` // keys of turns
}

// Namespace is the namespace of the conversation: the given one, else its id with invalid
// characters replaced by underscores.
func (c Conversation) Namespace(given string) string {
	if given != "" {
		return given
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, c.ID)
	if len(name) > 64 {
		// Long ids that begin alike must stay apart.
		name = name[:47] + "_" + key(c.ID)[len("import:"):][:16]
	}
	return name
}

// validate answers what is wrong with the conversation as a whole.
func (c Conversation) validate() error {
	if c.ID == "" {
		return fmt.Errorf("id is missing")
	}
	seen := make(map[string]bool, len(c.Turns))
	for i, t := range c.Turns {
		switch {
		case t.Key == "":
			return fmt.Errorf("turn %d has no key", i+1)
		case seen[t.Key]:
			return fmt.Errorf("turn %s occurs twice", t.Key)
		}
		seen[t.Key] = true
	}
	return nil
}

// roles are names of speakers that state a role.
var roles = map[string]string{"user": "USER", "assistant": "ASSISTANT", "tool": "TOOL", "system": "SYSTEM"}

// memory converts a turn to a memory. The name of a speaker is put before the text; a role
// becomes the source kind.
func (c Conversation) memory(t Turn, o Options) (Memory, error) {
	meta := map[string]string{"conversation": c.ID, "turn": t.Key}
	if c.Source != "" {
		meta["set"] = c.Source
	}
	if t.Speaker != "" {
		meta["speaker"] = t.Speaker
	}
	raw, err := json.Marshal(meta)
	if err != nil {
		return Memory{}, fmt.Errorf("meta: %w", err)
	}
	namespace := c.Namespace(o.Namespace)
	m := Memory{
		Content: t.Text, Consent: o.Consent, Namespace: namespace, Session: t.Session,
		SourceKind: "USER", Source: t.Key, Meta: raw, OccurredAt: t.At,
		OnDuplicate: "INSERT", IdempotencyKey: key(namespace, c.ID, t.Key),
	}
	if m.Consent == "" {
		m.Consent = "EXPLICIT"
	}
	switch kind, role := roles[strings.ToLower(t.Speaker)]; {
	case role:
		m.SourceKind = kind
	case t.Speaker != "":
		m.Agent = t.Speaker
		m.Content = t.Speaker + ": " + t.Text
	}
	return m, nil
}
