package histories

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// claudeConversation is an element of conversations.json of a Claude export. Newer exports name the
// parent of each message and the end of the branch that the person saw last.
type claudeConversation struct {
	UUID      string          `json:"uuid"`
	CreatedAt string          `json:"created_at"`
	Leaf      string          `json:"current_leaf_message_uuid"`
	Messages  []claudeMessage `json:"chat_messages"`
}

type claudeMessage struct {
	UUID      string        `json:"uuid"`
	Parent    string        `json:"parent_message_uuid"`
	Sender    string        `json:"sender"`
	Text      string        `json:"text"`
	CreatedAt string        `json:"created_at"`
	Content   []claudeBlock `json:"content"`
}

// claudeBlock is a part of a message, in exports and in the transcripts of Claude Code.
type claudeBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

func ownsClaude(s *Source) bool { return ownsMember(s, "chat_messages") }

func readClaude(r *reading) error {
	for _, f := range conversationFiles(r.source) {
		err := r.each(&f, "conversation", func(_ string, raw []byte, where string) error {
			var c claudeConversation
			if err := decode(raw, &c); err != nil {
				r.bad(where, err)
				return nil
			}
			return r.claude(&c, where)
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// branch returns the messages in order: those up to the leaf if it is known, else all.
func (c *claudeConversation) branch() ([]claudeMessage, error) {
	byID := make(map[string]int, len(c.Messages))
	for i, m := range c.Messages {
		byID[m.UUID] = i
	}
	if _, known := byID[c.Leaf]; !known {
		return c.Messages, nil
	}
	var messages []claudeMessage
	for at, known := byID[c.Leaf]; known; at, known = byID[c.Messages[at].Parent] {
		if len(messages) == len(c.Messages) {
			return nil, fmt.Errorf("its messages form a circle")
		}
		messages = append(messages, c.Messages[at])
	}
	slices.Reverse(messages)
	return messages, nil
}

// claude reads one conversation.
func (r *reading) claude(c *claudeConversation, where string) error {
	if c.UUID == "" {
		r.bad(where, fmt.Errorf("has no uuid"))
		return nil
	}
	messages, err := c.branch()
	if err != nil {
		r.bad(where, err)
		return nil
	}
	last := stamp(c.CreatedAt)
	for i, m := range messages {
		if at := stamp(m.CreatedAt); !at.IsZero() {
			last = at
		}
		place := fmt.Sprintf("%s, message %d", where, i+1)
		id := m.UUID
		if id == "" {
			id = fmt.Sprint(i + 1)
		}
		t := Turn{Format: "claude", Conversation: c.UUID, ID: c.UUID + "/" + id, At: last}
		switch m.Sender {
		case "human":
			t.Role = "user"
			if t.Text = claudeText(m.Content); t.Text == "" {
				t.Text = m.Text
			}
			err = r.put(t, place)
		case "assistant":
			var a answer
			t.Role = "assistant"
			a.begin(t, place)
			for _, b := range m.Content {
				a.add(b)
			}
			if len(m.Content) == 0 {
				a.say(m.Text)
			}
			err = r.flush(&a)
		default:
			r.bad(place, fmt.Errorf("sender must be human or assistant"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// claudeText joins the texts of blocks.
func claudeText(blocks []claudeBlock) string {
	var texts []string
	for _, b := range blocks {
		if text := clean(b.Text); b.Type == "text" && text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// add adds a block of an assistant.
func (a *answer) add(b claudeBlock) {
	switch b.Type {
	case "text":
		a.say(b.Text)
	case "tool_use", "server_tool_use":
		if len(a.turn.Calls) < maxCalls {
			a.call(b.ID, b.Name, b.Input)
		}
	case "tool_result":
		a.result(b.ToolUseID, textOf(b.Content))
	}
}
