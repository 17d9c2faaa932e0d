package histories

import (
	"cmp"
	"errors"
	"strings"
)

// mem0Memory is a memory as mem0 lists and exports it.
type mem0Memory struct {
	ID         string         `json:"id"`
	Memory     string         `json:"memory"`
	User       string         `json:"user_id"`
	Agent      string         `json:"agent_id"`
	App        string         `json:"app_id"`
	Run        string         `json:"run_id"`
	Categories []string       `json:"categories"`
	Metadata   map[string]any `json:"metadata"`
	CreatedAt  string         `json:"created_at"`
	UpdatedAt  string         `json:"updated_at"`
}

// jsonFiles returns the JSON files.
func jsonFiles(s *Source) []file {
	return s.named(func(base string) bool { return strings.HasSuffix(base, ".json") })
}

func ownsMem0(s *Source) bool {
	for _, f := range jsonFiles(s) {
		if _, raw := firstElement(&f); strings.Contains(string(raw), `"memory"`) {
			return true
		}
	}
	return false
}

// readMem0 reads lists of memories: an array, or an object with results or memories, as pages have it.
// They were distilled by a model, so they are not the user's word.
func readMem0(r *reading) error {
	for _, f := range jsonFiles(r.source) {
		err := r.each(&f, "memory", func(member string, raw []byte, where string) error {
			if member != "" && member != "results" && member != "memories" {
				return nil
			}
			var m mem0Memory
			if err := decode(raw, &m); err != nil {
				r.bad(where, err)
				return nil
			}
			if m.ID == "" || clean(m.Memory) == "" {
				r.bad(where, errors.New("has no id or no memory"))
				return nil
			}
			at := stamp(m.UpdatedAt)
			if at.IsZero() {
				at = stamp(m.CreatedAt)
			}
			known := Memory{
				Format: "mem0", ID: m.ID, Text: m.Memory, User: m.User, Agent: cmp.Or(m.Agent, m.App), Session: m.Run,
				Source: "mem0:" + m.ID, Kind: "EXTRACTION", Tags: m.Categories, Meta: m.Metadata, At: at,
			}
			if tellsNothing(m.Memory) {
				known.Type = "SEMANTIC" // "Likes hiking": a fact without its subject
			}
			return r.remember(known, where)
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}
