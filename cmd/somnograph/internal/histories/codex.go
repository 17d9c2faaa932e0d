package histories

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"
)

// codexRow is a line of a transcript of Codex. In older ones the item stands at the top and has no
// time of its own.
type codexRow struct {
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// codexItem is a message, a call of a tool or its result, or the head of a session.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Dir       string          `json:"cwd"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	CallID    string          `json:"call_id"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
}

func ownsCodex(s *Source) bool {
	return ownsLines(s, func(line []byte) bool {
		var row codexRow
		if json.Unmarshal(line, &row) != nil {
			return false
		}
		return row.Type == "session_meta" || row.Type == "response_item" && row.Payload != nil ||
			row.Type == "" && bytes.Contains(line, []byte(`"instructions"`)) && bytes.Contains(line, []byte(`"timestamp"`))
	})
}

// codexSession is the transcript that is being read.
type codexSession struct {
	answer
	file, id, dir string
	last          time.Time
}

func readCodex(r *reading) error {
	for _, f := range transcripts(r.source) {
		// Without a head the name of the file identifies the session.
		s := &codexSession{file: f.name, id: strings.TrimSuffix(path.Base(f.name), ".jsonl")}
		headed := false
		err := r.lines(&f, func(number int, line []byte) error {
			where := fmt.Sprintf("%s, line %d", f.name, number)
			var row codexRow
			if err := decode(line, &row); err != nil {
				r.bad(where, err)
				return nil
			}
			raw := []byte(row.Payload)
			if raw == nil {
				raw = line
			}
			var item codexItem
			if row.Payload == nil || row.Type == "session_meta" || row.Type == "response_item" {
				if err := decode(raw, &item); err != nil {
					r.bad(where, err)
					return nil
				}
			}
			if at := stamp(row.Timestamp); !at.IsZero() {
				s.last = at
			}
			switch {
			case row.Type == "session_meta" || number == 1 && row.Payload == nil && item.ID != "" && item.Role == "":
				if !headed { // a resumed session repeats the heads of the earlier ones
					headed, s.id, s.dir = true, cmp.Or(item.ID, s.id), item.Dir
				}
				if s.last.IsZero() {
					s.last = stamp(item.Timestamp)
				}
				return nil
			case row.Type != "response_item" && row.Payload != nil:
				return nil
			}
			return r.codex(s, &item, number, where)
		})
		if err != nil {
			return err
		}
		if err := r.flush(&s.answer); err != nil {
			return err
		}
	}
	return nil
}

// codex reads one item.
func (r *reading) codex(s *codexSession, item *codexItem, number int, where string) error {
	// A line has no id. A transcript only grows, so its number does not change.
	t := Turn{Format: "codex", Conversation: s.id, ID: fmt.Sprintf("%s/%d", s.id, number), Role: "assistant", Agent: "codex", At: s.last, Dir: s.dir}
	if s.full() {
		if err := r.flush(&s.answer); err != nil {
			return err
		}
	}
	switch {
	case item.Type == "message" && item.Role == "user":
		text := textOf(item.Content)
		if enclosed(text) || strings.HasPrefix(text, "# AGENTS.md instructions") {
			return nil // what the program put in
		}
		if s.last.IsZero() {
			r.bad(where, fmt.Errorf("has no time"))
			return nil
		}
		if err := r.flush(&s.answer); err != nil {
			return err
		}
		t.Role, t.Text = "user", text
		return r.put(t, where)
	case item.Type == "message" && item.Role == "assistant":
		s.begin(t, where)
		s.say(textOf(item.Content))
	case item.Type == "function_call" || item.Type == "custom_tool_call" || item.Type == "local_shell_call":
		s.begin(t, where)
		args := item.Arguments
		var inner string
		if json.Unmarshal(args, &inner) == nil && json.Valid([]byte(inner)) {
			args = []byte(inner) // JSON within a string
		}
		for _, other := range []json.RawMessage{item.Input, item.Action} {
			if len(args) == 0 {
				args = other
			}
		}
		s.call(item.CallID, cmp.Or(item.Name, strings.TrimSuffix(item.Type, "_call")), args)
	case strings.HasSuffix(item.Type, "_call_output"):
		text := textOf(item.Output)
		var inner struct{ Output string }
		if json.Unmarshal([]byte(text), &inner) == nil && inner.Output != "" {
			text = inner.Output
		}
		s.result(item.CallID, text)
	}
	return nil
}
