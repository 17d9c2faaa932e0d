package histories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// claudeCodeRow is a line of a transcript of Claude Code. One message of the assistant may be spread
// over several lines; results of tools come in lines of the user.
type claudeCodeRow struct {
	Type      string `json:"type"`
	UUID      string `json:"uuid"`
	Session   string `json:"sessionId"`
	Timestamp string `json:"timestamp"`
	Dir       string `json:"cwd"`
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	APIError  bool   `json:"isApiErrorMessage"`
	Message   struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// transcripts returns the files of JSON lines.
func transcripts(s *Source) []file {
	return s.named(func(base string) bool { return strings.HasSuffix(base, ".jsonl") })
}

// ownsLines reports whether one of the first lines of the first transcripts has a sign of a format.
func ownsLines(s *Source, sign func(line []byte) bool) bool {
	files := transcripts(s)
	for _, f := range files[:min(len(files), 8)] {
		for i, line := range bytes.Split(f.head(), []byte("\n")) {
			if i == 50 {
				break
			}
			if sign(line) {
				return true
			}
		}
	}
	return false
}

func ownsClaudeCode(s *Source) bool {
	return ownsLines(s, func(line []byte) bool {
		var row claudeCodeRow
		return json.Unmarshal(line, &row) == nil && row.Session != "" && row.Type != ""
	})
}

func readClaudeCode(r *reading) error {
	for _, f := range transcripts(r.source) {
		var a answer
		err := r.lines(&f, func(number int, line []byte) error {
			where := fmt.Sprintf("%s, line %d", f.name, number)
			var row claudeCodeRow
			if err := decode(line, &row); err != nil {
				r.bad(where, err)
				return nil
			}
			return r.claudeCode(&a, &row, where)
		})
		if err != nil {
			return err
		}
		if err := r.flush(&a); err != nil {
			return err
		}
	}
	return nil
}

// claudeCode reads one line. Turns of other agents that the assistant started are not of the
// conversation, and neither are texts that the program put into it.
func (r *reading) claudeCode(a *answer, row *claudeCodeRow, where string) error {
	if row.Sidechain || row.Meta || row.Summary || row.APIError || row.Type != "user" && row.Type != "assistant" {
		return nil
	}
	if row.Session == "" || row.UUID == "" {
		r.bad(where, fmt.Errorf("has no sessionId or uuid"))
		return nil
	}
	at := stamp(row.Timestamp)
	if at.IsZero() {
		r.bad(where, fmt.Errorf("timestamp is not a time"))
		return nil
	}
	t := Turn{Format: "claude-code", Conversation: row.Session, ID: row.UUID, Role: row.Type, Agent: "claude-code", At: at, Dir: row.Dir}
	var blocks []claudeBlock
	var text string
	if json.Unmarshal(row.Message.Content, &text) == nil {
		blocks = []claudeBlock{{Type: "text", Text: text}}
	} else if err := decode(row.Message.Content, &blocks); err != nil {
		r.bad(where, fmt.Errorf("message.content %w", err))
		return nil
	}
	if a.full() || !a.empty() && a.turn.Conversation != row.Session {
		if err := r.flush(a); err != nil {
			return err
		}
	}
	if row.Type == "assistant" {
		a.begin(t, where)
		for _, b := range blocks {
			a.add(b)
		}
		return nil
	}
	for _, b := range blocks {
		if b.Type == "tool_result" {
			a.add(b)
		}
	}
	if t.Text = spoken(claudeText(blocks)); t.Text == "" {
		return nil
	}
	if err := r.flush(a); err != nil {
		return err
	}
	return r.put(t, where)
}

// spoken is what a person typed: without reminders of the program, and nothing for output of commands.
func spoken(text string) string {
	for _, name := range []string{"system-reminder", "ide_opened_file", "ide_selection"} {
		text = without(text, name)
	}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<command-") || strings.HasPrefix(text, "<local-command-") || strings.HasPrefix(text, "<bash-") ||
		strings.HasPrefix(text, "[Request interrupted by user") || enclosed(text) {
		return ""
	}
	return text
}
