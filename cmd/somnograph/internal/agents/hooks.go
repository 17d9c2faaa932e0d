package agents

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Hooks is the part of Claude Code's settings that calls a server at events of a session.
var Hooks = Agent{"claude-code", func(m Machine) string { return filepath.Join(m.Home, ".claude", "settings.json") }, hookFile{}}

// HooksPath begins the path of the URL to which hooks are sent.
const HooksPath = "/hooks/claude-code"

// hookEvents are the events of Claude Code that the server answers.
var hookEvents = []string{"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"}

// hookFile is Claude Code's settings: an object "hooks" with a list of matchers for each event.
type hookFile struct{}

// hook calls an HTTP server. Claude Code fills in the environment variables of a header that
// AllowedEnvVars names.
type hook struct {
	Type           string            `json:"type"`
	URL            string            `json:"url"`
	Headers        map[string]string `json:"headers,omitempty"`
	AllowedEnvVars []string          `json:"allowedEnvVars,omitempty"`
}

// matcher is what runs at an event.
type matcher struct {
	Hooks []hook `json:"hooks"`
}

// ours tells whether a matcher calls a Somnograph and nothing else.
func (m matcher) ours() bool {
	for _, h := range m.Hooks {
		u, err := url.Parse(h.URL)
		if err != nil || h.Type != "http" || u.Path != HooksPath && !strings.HasPrefix(u.Path, HooksPath+"/") {
			return false
		}
	}
	return len(m.Hooks) > 0
}

func (f hookFile) add(text string, s Server) (string, error) {
	h := hook{Type: "http", URL: s.URL}
	if s.KeyVariable != "" {
		h.Headers = map[string]string{"Authorization": "Bearer $" + s.KeyVariable}
		h.AllowedEnvVars = []string{s.KeyVariable}
	}
	raw, err := json.Marshal(matcher{[]hook{h}})
	if err != nil {
		return "", err
	}
	for _, event := range hookEvents {
		if text, err = f.addAt(text, event, string(raw)); err != nil {
			return "", err
		}
	}
	return text, nil
}

// addAt adds the matcher to the list of an event, or replaces the one that is there.
func (f hookFile) addAt(text, event, added string) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	top, hooks, list, err := f.parse(text, event)
	if err != nil {
		return "", err
	}
	switch own := f.own(text, list); {
	case hooks == nil:
		return insert(text, top, "  ", "\"hooks\": {\n    \""+event+"\": ["+added+"]\n  }"), nil
	case list == nil:
		return insert(text, hooks, "    ", "\""+event+"\": ["+added+"]"), nil
	case len(own) > 0:
		m := list.members[own[0]]
		return text[:m.value] + added + text[m.end:], nil
	case len(list.members) == 0:
		return text[:list.start+1] + added + text[list.end-1:], nil
	}
	last := list.members[len(list.members)-1].end
	return text[:last] + ", " + added + text[last:], nil
}

// remove removes the matchers that call a Somnograph, and the lists and objects that become empty.
// name is not used: settings do not name hooks.
func (f hookFile) remove(text, _ string) (string, error) {
	for _, event := range hookEvents {
		for strings.TrimSpace(text) != "" {
			top, hooks, list, err := f.parse(text, event)
			if err != nil {
				return "", err
			}
			own := f.own(text, list)
			if len(own) == 0 {
				break
			}
			at, _ := top.find("hooks")
			under, _ := hooks.find(event)
			switch {
			case len(list.members) > 1:
				text = cut(text, list, own[0])
			case len(hooks.members) > 1:
				text = cut(text, hooks, under)
			case len(top.members) > 1:
				text = cut(text, top, at)
			default:
				return "", nil // nothing else was in it
			}
		}
	}
	return text, nil
}

// own returns the indexes of the matchers in list that call a Somnograph.
func (f hookFile) own(text string, list *objectText) []int {
	if list == nil {
		return nil
	}
	var own []int
	for i, m := range list.members {
		var at matcher
		if err := json.Unmarshal([]byte(text[m.value:m.end]), &at); err == nil && at.ours() {
			own = append(own, i) // what has another shape is another program's
		}
	}
	return own
}

// parse finds the top-level object, "hooks" in it, and the list of an event; nil: there is none yet.
func (f hookFile) parse(text, event string) (top, hooks, list *objectText, err error) {
	top, hooks, err = jsonFile{container: "hooks"}.parse(text)
	if err != nil || hooks == nil {
		return top, nil, nil, err
	}
	i, there := hooks.find(event)
	if !there {
		return top, hooks, nil, nil
	}
	p := &scanner{text: text, at: hooks.members[i].value}
	if list, err = p.array(); err != nil {
		return nil, nil, nil, fmt.Errorf("hooks.%s: %w", event, err)
	}
	return top, hooks, list, nil
}
