package agents

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestHooksAreAddedAndRemoved(t *testing.T) {
	other := `{"type": "command", "command": "lint"}`
	for name, before := range map[string]string{
		"absent":       "",
		"empty":        "{}\n",
		"other keys":   "{\n  \"model\": \"opus\"\n}\n",
		"no events":    `{"hooks": {}, "model": "opus"}`,
		"empty list":   `{"hooks": {"Stop": [], "PostToolUse": []}}`,
		"other hooks":  `{"hooks": {"Stop": [{"hooks": [` + other + `]}], "PostToolUse": [{"matcher": "Edit", "hooks": [` + other + `]}]}}`,
		"other shapes": `{"hooks": {"Stop": ["x", {"hooks": "y"}]}}`,
		"other server": `{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:9/hooks/claude-code-other"}]}]}}`,
	} {
		m := machine(t)
		path := Hooks.path(m)
		if name != "absent" {
			write(t, path, before)
		}
		for _, url := range []string{"http://127.0.0.1:1" + HooksPath, "http://127.0.0.1:8420" + HooksPath + "/work?user=ana"} {
			change, err := Hooks.Add(m, Server{URL: url, KeyVariable: "SOMNOGRAPH_KEY"})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			after := read(t, path)
			if got := strings.Count(after, url+`"`); got != len(hookEvents) || strings.Count(after, HooksPath) != len(hookEvents)+strings.Count(before, HooksPath) {
				t.Errorf("%s: %d hooks call %s:\n%s", name, got, url, after)
			}
			var all struct {
				Hooks map[string][]any
			}
			if err := json.Unmarshal([]byte(after), &all); err != nil || len(all.Hooks["SessionEnd"]) != 1 {
				t.Errorf("%s: %v\n%s", name, err, after)
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
		case "empty", "no events", "empty list": // an empty list was used; it is gone
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
