package histories

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// chatGPTConversation is an element of conversations.json of a ChatGPT export: a tree of messages, of
// which current_node is the end of the branch that the person saw last.
type chatGPTConversation struct {
	ID           string                 `json:"id"`
	Conversation string                 `json:"conversation_id"`
	CreateTime   float64                `json:"create_time"`
	CurrentNode  string                 `json:"current_node"`
	Mapping      map[string]chatGPTNode `json:"mapping"`
}

type chatGPTNode struct {
	Parent  string          `json:"parent"`
	Message *chatGPTMessage `json:"message"`
}

type chatGPTMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
		Name string `json:"name"`
	} `json:"author"`
	CreateTime float64 `json:"create_time"`
	Recipient  string  `json:"recipient"`
	Content    struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
		Text  json.RawMessage   `json:"text"`
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

// conversationFiles returns the files of conversations: conversations.json, or its parts.
func conversationFiles(s *Source) []file {
	if s.alone {
		return s.files
	}
	return s.named(func(base string) bool {
		ok, err := path.Match("conversations*.json", base)
		return ok && err == nil
	})
}

// ownsMember reports whether the first conversation of a source has the member, which the other
// product's has not.
func ownsMember(s *Source, name string) bool {
	for _, f := range conversationFiles(s) {
		if !strings.HasSuffix(f.name, ".json") {
			continue
		}
		_, raw := firstElement(&f)
		return strings.Contains(string(raw), `"`+name+`"`)
	}
	return false
}

func ownsChatGPT(s *Source) bool { return ownsMember(s, "mapping") }

func readChatGPT(r *reading) error {
	for _, f := range conversationFiles(r.source) {
		err := r.each(&f, "conversation", func(_ string, raw []byte, where string) error {
			var c chatGPTConversation
			if err := decode(raw, &c); err != nil {
				r.bad(where, err)
				return nil
			}
			return r.chatGPT(&c, where)
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// branch returns the messages from the root to the current node. Without a current node it is
// the latest message.
func (c *chatGPTConversation) branch() ([]*chatGPTMessage, error) {
	at := c.CurrentNode
	if _, known := c.Mapping[at]; !known {
		latest := -1.0
		for id, n := range c.Mapping {
			if n.Message != nil && (n.Message.CreateTime > latest || n.Message.CreateTime == latest && id < at) {
				at, latest = id, n.Message.CreateTime
			}
		}
	}
	var messages []*chatGPTMessage
	for steps := 0; at != ""; steps++ {
		if steps > len(c.Mapping) {
			return nil, fmt.Errorf("its messages form a circle")
		}
		n := c.Mapping[at]
		if n.Message != nil {
			if n.Message.ID == "" {
				n.Message.ID = at
			}
			messages = append(messages, n.Message)
		}
		at = n.Parent
	}
	slices.Reverse(messages)
	return messages, nil
}

// chatGPT reads one conversation.
func (r *reading) chatGPT(c *chatGPTConversation, where string) error {
	id := cmp.Or(c.Conversation, c.ID)
	if id == "" || len(c.Mapping) == 0 {
		r.bad(where, fmt.Errorf("has no id or no messages"))
		return nil
	}
	messages, err := c.branch()
	if err != nil {
		r.bad(where, err)
		return nil
	}
	last := unix(c.CreateTime)
	var a answer
	for i, m := range messages {
		if at := unix(m.CreateTime); !at.IsZero() {
			last = at
		}
		if last.IsZero() {
			last = firstTime(messages)
		}
		place := fmt.Sprintf("%s, message %d", where, i+1)
		t := Turn{Format: "chatgpt", Conversation: id, ID: id + "/" + m.ID, Role: "assistant", At: last}
		if a.full() {
			if err := r.flush(&a); err != nil {
				return err
			}
		}
		switch role := m.Author.Role; {
		case m.Metadata.Hidden, role == "system":
		case role == "user" && m.Content.Type == "user_editable_context": // instructions of the account
		case role == "user":
			if err := r.flush(&a); err != nil {
				return err
			}
			if t.Role = "user"; m.text() != "" {
				t.Text = m.text()
				if err := r.put(t, place); err != nil {
					return err
				}
			}
		case role == "assistant" && m.Recipient != "" && m.Recipient != "all":
			a.begin(t, place)
			a.call("", m.Recipient, m.code())
		case role == "assistant":
			a.begin(t, place)
			a.say(m.text())
		case role == "tool":
			a.result("", m.text())
		}
	}
	return r.flush(&a)
}

// firstTime is the first time of messages; zero: none has one.
func firstTime(messages []*chatGPTMessage) (t time.Time) {
	for _, m := range messages {
		if at := unix(m.CreateTime); !at.IsZero() {
			return at
		}
	}
	return t
}

// text is what a message says: not its images, and not what the model thought.
func (m *chatGPTMessage) text() string {
	switch m.Content.Type {
	case "thoughts", "reasoning_recap", "model_editable_context", "user_editable_context":
		return ""
	}
	var texts []string
	for _, p := range m.Content.Parts {
		if text := clean(textOf(p)); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return clean(textOf(m.Content.Text))
	}
	return strings.Join(texts, "\n")
}

// code is what a tool is called with.
func (m *chatGPTMessage) code() []byte {
	text := m.text()
	if text == "" {
		return nil
	}
	if json.Valid([]byte(text)) {
		return []byte(text)
	}
	raw, err := json.Marshal(text)
	if err != nil {
		return nil
	}
	return raw
}
