package agents

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Hooks is the part of Claude Code's settings that calls a server at events of a session.
var Hooks = Agent{"claude-code", false, func(m Machine) string {
	if dir := m.Variable("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "settings.json")
	}
	return filepath.Join(m.Home, ".claude", "settings.json")
}, hookFile{}}

// HooksPath begins the path of the URL to which hooks are sent.
const HooksPath = "/hooks/claude-code"

// hookEvents are the events of Claude Code that the server answers. Claude Code sends no SessionStart over
// HTTP: a command passes it on.
var hookEvents = []struct {
	name    string
	command bool
}{{"SessionStart", true}, {"UserPromptSubmit", false}, {"Stop", false}, {"PreCompact", false}, {"SessionEnd", false}}

// hookWait is how many seconds Claude Code waits for a hook. Its own limit is minutes at most events, and 1.5 s at the end of
// a session.
const hookWait = 10

// hookFile is Claude Code's settings: an object "hooks" with a list of matchers for each event.
type hookFile struct{}

// hook calls an HTTP server or a command. Claude Code fills in the environment variables of a header that
// AllowedEnvVars names.
type hook struct {
	Type           string            `json:"type"`
	URL            string            `json:"url,omitempty"`
	Command        string            `json:"command,omitempty"`
	Timeout        int               `json:"timeout,omitempty"` // seconds
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
		if !h.ours() {
			return false
		}
	}
	return len(m.Hooks) > 0
}

// ours tells whether a hook calls a Somnograph.
func (h hook) ours() bool {
	switch h.Type {
	case "http":
		u, err := url.Parse(h.URL)
		return err == nil && (u.Path == HooksPath || strings.HasPrefix(u.Path, HooksPath+"/"))
	case "command":
		program, _, found := strings.Cut(h.Command, " hook claude-code")
		return found && strings.Contains(program, "somnograph")
	}
	return false
}

func (f hookFile) add(text string, s Server) (string, error) {
	over := hook{Type: "http", URL: s.URL, Timeout: hookWait}
	if s.KeyVariable != "" {
		over.Headers = map[string]string{"Authorization": "Bearer $" + s.KeyVariable}
		over.AllowedEnvVars = []string{s.KeyVariable}
	}
	run := hook{Type: "command", Command: shellLine(append([]string{s.Command}, s.Args...)), Timeout: hookWait}
	for _, event := range hookEvents {
		h := over
		if event.command {
			h = run
		}
		raw, err := json.Marshal(matcher{[]hook{h}})
		if err != nil {
			return "", err
		}
		if text, err = f.addAt(text, event.name, string(raw)); err != nil {
			return "", err
		}
	}
	return text, nil
}

// shellLine is a command for a POSIX shell, which runs the hooks on every system.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,") != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
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
		if i, there := top.find("hooks"); there { // it is null
			m := top.members[i]
			return text[:m.value] + "{\"" + event + "\": [" + added + "]}" + text[m.end:], nil
		}
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
			top, hooks, list, err := f.parse(text, event.name)
			if err != nil {
				return "", err
			}
			own := f.own(text, list)
			if len(own) == 0 {
				break
			}
			at, _ := top.find("hooks")
			under, _ := hooks.find(event.name)
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
