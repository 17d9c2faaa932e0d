package histories

import (
	"cmp"
	"errors"
	"path"
	"strings"
)

// zepElement is an element of what Zep returns: a fact (an edge of its graph), an episode, or a message
// of a session.
type zepElement struct {
	UUID      string `json:"uuid"`
	Fact      string `json:"fact"`
	Content   string `json:"content"`
	Role      string `json:"role"`
	RoleType  string `json:"role_type"`
	Name      string `json:"name"`
	Thread    string `json:"thread_id"`
	Session   string `json:"session_id"`
	CreatedAt string `json:"created_at"`
	ValidAt   string `json:"valid_at"`
	InvalidAt string `json:"invalid_at"`
	ExpiredAt string `json:"expired_at"`
}

func ownsZep(s *Source) bool {
	for _, f := range jsonFiles(s) {
		switch member, raw := firstElement(&f); {
		case strings.Contains(string(raw), `"fact"`) && strings.Contains(string(raw), `"created_at"`),
			(member == "messages" || member == "episodes") && strings.Contains(string(raw), `"content"`) && strings.Contains(string(raw), `"uuid"`):
			return true
		}
	}
	return false
}

// readZep reads arrays of elements, at the top or in the members edges, facts, relevant_facts,
// episodes and messages. A fact that was invalidated is one of the past.
func readZep(r *reading) error {
	for _, f := range jsonFiles(r.source) {
		session := strings.TrimSuffix(path.Base(f.name), ".json")
		err := r.each(&f, "element", func(member string, raw []byte, where string) error {
			switch member {
			case "", "edges", "facts", "relevant_facts", "episodes", "messages":
			default:
				return nil
			}
			var e zepElement
			if err := decode(raw, &e); err != nil {
				r.bad(where, err)
				return nil
			}
			return r.zep(&e, session, where)
		}, func(member string, raw []byte) error {
			if member == "session_id" || member == "thread_id" {
				var id string
				if decode(raw, &id) == nil && id != "" {
					session = id
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// zep reads one element.
func (r *reading) zep(e *zepElement, session, where string) error {
	created := stamp(e.CreatedAt)
	switch {
	case e.UUID == "":
		r.bad(where, errors.New("has no uuid"))
	case e.Fact != "":
		at := stamp(e.ValidAt)
		if at.IsZero() {
			at = created
		}
		m := Memory{Format: "zep", ID: e.UUID, Text: e.Fact, Source: "zep:" + e.UUID, Kind: "EXTRACTION", At: at}
		for _, end := range []string{e.InvalidAt, e.ExpiredAt} {
			if m.ValidTo.IsZero() {
				m.ValidTo = stamp(end)
			}
		}
		if !m.ValidTo.IsZero() && !m.ValidTo.After(at) {
			m.At = m.ValidTo.Add(-1e6) // a fact that never held was said in the moment before
		}
		return r.remember(m, where)
	case e.Content != "":
		t := Turn{Format: "zep", Conversation: cmp.Or(e.Thread, cmp.Or(e.Session, session)), ID: e.UUID, At: created, Text: e.Content}
		switch kind := strings.ToLower(cmp.Or(e.RoleType, e.Role)); kind {
		case "user", "human", "norole", "":
			t.Role = "user"
		case "assistant", "ai":
			t.Role = "assistant"
		case "tool", "function":
			t.Role = "tool"
		case "system":
			return nil
		default: // the name of a speaker
			t.Role, t.Speaker = "user", e.Role
		}
		if created.IsZero() {
			r.bad(where, errors.New("created_at is not a time"))
			return nil
		}
		return r.put(t, where)
	default:
		r.bad(where, errors.New("has neither a fact nor content"))
	}
	return nil
}
