package agents

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestHooksAreAddedAndRemoved(t *testing.T) {
	other := `{"type": "command", "command": "lint"}`
	for name, before := range map[string]string{
		"absent":        "",
		"empty":         "{}\n",
		"other keys":    "{\n  \"model\": \"opus\"\n}\n",
		"no events":     `{"hooks": {}, "model": "opus"}`,
		"empty list":    `{"hooks": {"Stop": [], "PostToolUse": []}}`,
		"other hooks":   `{"hooks": {"Stop": [{"hooks": [` + other + `]}], "PostToolUse": [{"matcher": "Edit", "hooks": [` + other + `]}]}}`,
		"other shapes":  `{"hooks": {"Stop": ["x", {"hooks": "y"}]}}`,
		"other command": `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "memory hook claude-code"}]}]}}`,
		"former":        `{"hooks": {"SessionStart": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:8420/hooks/claude-code"}]}], "Stop": []}}`,
		"other server":  `{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:9/hooks/claude-code-other"}]}]}}`,
	} {
		m := machine(t)
		path := Hooks.path(m)
		if name != "absent" {
			write(t, path, before)
		}
		for _, url := range []string{"http://127.0.0.1:1" + HooksPath, "http://127.0.0.1:8420" + HooksPath + "/work?user=ana"} {
			change, err := Hooks.Add(m, Server{URL: url, KeyVariable: "SOMNOGRAPH_KEY", Command: "/opt/it's/somnograph", Args: []string{"hook", "claude-code", "--user", "ana b"}})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			after := read(t, path)
			others := strings.Count(strings.ReplaceAll(before, HooksPath+`"`, ""), HooksPath) // what is ours is replaced
			if got := strings.Count(after, url+`"`); got != len(hookEvents)-1 || strings.Count(after, HooksPath) != len(hookEvents)-1+others {
				t.Errorf("%s: %d hooks call %s:\n%s", name, got, url, after)
			}
			var all struct {
				Hooks map[string][]any
			}
			if err := json.Unmarshal([]byte(after), &all); err != nil || len(all.Hooks["SessionEnd"]) != 1 {
				t.Errorf("%s: %v\n%s", name, err, after)
			}
			// Claude Code does not send SessionStart over HTTP.
			start := all.Hooks["SessionStart"]
			want := `{"hooks":[{"command":"'/opt/it'\\''s/somnograph' hook claude-code --user 'ana b'","timeout":10,"type":"command"}]}`
			if raw, err := json.Marshal(start[len(start)-1]); err != nil || string(raw) != want || strings.Count(after, "/somnograph' hook") != 1 {
				t.Errorf("%s: at the start of a session %v, %s, want %s", name, err, raw, want)
			}
		}
		change, err := Hooks.Remove(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := change.Write(); err != nil {
			t.Fatal(err)
		}
		got := read(t, path)
		switch name {
		case "empty", "no events", "null", "empty list", "former": // an empty list was used; it is gone
			if strings.Contains(got, HooksPath) {
				t.Errorf("%s: after undo:\n%s", name, got)
			}
		default:
			if got != before {
				t.Errorf("%s: after undo:\n%q\nwant\n%q", name, got, before)
			}
		}
	}
}

func TestWrongSettingsStayAsTheyAre(t *testing.T) {
	for text, want := range map[string]string{
		`{"hooks": []}`:              "hooks: is not valid JSON at line 1: an object is expected",
		`{"hooks": {"Stop": {}}}`:    "hooks.Stop: is not valid JSON at line 1: an array is expected",
		"{\n\"hooks\": {\"Stop\": [": "line 2: a value is expected",
	} {
		m := machine(t)
		write(t, Hooks.path(m), text)
		_, err := Hooks.Add(m, Server{URL: "http://127.0.0.1:8420" + HooksPath})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if got := read(t, Hooks.path(m)); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}
