package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var memory = Server{Name: "somnograph", Command: "/opt/som no/somnograph", Args: []string{"mcp", "--profile", "minimal"}}

func machine(t *testing.T) Machine {
	return Machine{OS: "linux", Home: t.TempDir(), Variable: func(string) string { return "" }}
}

// Files as agents and people write them: undone, each is again what it was, byte for byte.
func TestAddThenRemoveRestoresTheFile(t *testing.T) {
	jsonFiles := map[string]string{
		"absent":        "",
		"other server":  "{\n  \"mcpServers\": {\n    \"github\": {\n      \"command\": \"gh\",\n      \"args\": []\n    }\n  }\n}\n",
		"other keys":    "{\"numStartups\": 7, \"projects\": {\"/a\": {\"mcpServers\": {}}}}",
		"one line":      `{"mcpServers":{"a":{"command":"a"}},"servers":{"b":{"command":"}"}}}`,
		"comments":      "// mine\n{\n  // servers\n  \"mcpServers\": { /* one: */ \"a\": {\"url\": \"https://a\"} },\n  \"servers\": {\"a\": {}},\n}\n",
		"escaped names": `{"a\"}": [1, {"x": "]"}, -2.5e3, null, true], "mcpServers": {"\u0061": {}}, "servers": {"z": 1}}`,
		"windows lines": "{\r\n  \"x\": 1\r\n}\r\n",
		"byte order":    "\ufeff{\"x\": 1}",
	}
	tomlFiles := map[string]string{
		"absent":      "",
		"other table": "model = \"o\"\n\n[mcp_servers.github]\ncommand = \"gh\"\n\n[profiles.x]\nmodel = \"y\"\n",
		"comment":     "# mine\n[tools] # [mcp_servers.somnograph]\nweb = true\n",
		"long text":   "a = \"\"\"\n[mcp_servers.somnograph]\n\"\"\"\nb = '''\n[x]\\'''\n",
		"long list":   "a = [\n  [\"x]\"], # ]\n  ['y']\n]\nb = {c = [1, 2], \"d e\" = 1.5e3}\n",
		"dotted keys": "mcp_servers.github.command = \"gh\"\n\"mcp_servers\".\"a.b\".command = 'c'\n",
		"lists":       "[[profiles]]\na = 2026-01-02 # then\n\n[[profiles]]\n",
	}
	for _, a := range All {
		files := jsonFiles
		if a.Name == "codex" {
			files = tomlFiles
		}
		for name, before := range files {
			m := machine(t)
			path := a.path(m)
			if name != "absent" {
				write(t, path, before)
			}
			for range 2 { // the second time replaces the entry by itself
				change, err := a.Add(m, memory)
				if err != nil {
					t.Fatalf("%s, %s: %v", a.Name, name, err)
				}
				if err := change.Write(); err != nil {
					t.Fatal(err)
				}
			}
			after := read(t, path)
			if strings.Count(after, "/opt/som no/somnograph") != 1 || !strings.Contains(after, strings.TrimSpace(strings.TrimSuffix(before, "}\n"))[:min(5, len(before))]) {
				t.Errorf("%s, %s: after add:\n%s", a.Name, name, after)
			}
			if a.Name != "codex" && name != "comments" && name != "byte order" {
				var all map[string]map[string]Server
				if err := json.Unmarshal([]byte(after), &map[string]any{}); err != nil {
					t.Errorf("%s, %s: %v\n%s", a.Name, name, err, after)
				}
				_ = json.Unmarshal([]byte(after), &all) // other keys have other types
				if got := all[a.edit.(jsonFile).container]["somnograph"]; got.Command != memory.Command || len(got.Args) != 3 {
					t.Errorf("%s, %s: the entry is %+v in\n%s", a.Name, name, got, after)
				}
			}
			change, err := a.Remove(m, "somnograph")
			if err != nil {
				t.Fatal(err)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != before {
				t.Errorf("%s, %s: after undo:\n%q\nwant\n%q", a.Name, name, got, before)
			}
		}
	}
}

func TestWrongFilesStayAsTheyAre(t *testing.T) {
	a, err := Named("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"[]":                          "line 1: an object is expected",
		"{\n\"a\": 1\n\"b\": 2}":      "line 3: a comma or a brace is expected",
		"{\"a\": tru}":                "a value is expected",
		"{\"a":                        "a string does not end",
		"{} {}":                       "unexpected text",
		"{\"mcpServers\": []}":        "mcpServers: is not valid JSON at line 1: an object is expected",
		"{\"a\": {\"b\": [1, {]}, 2}": "a string is expected",
	} {
		m := machine(t)
		write(t, a.path(m), text)
		if _, err := a.Add(m, memory); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if got := read(t, a.path(m)); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	if _, err := Named("emacs"); err == nil || !strings.Contains(err.Error(), "known are claude-code, claude-desktop, cursor, vscode, codex") {
		t.Errorf("an unknown agent: %v", err)
	}
}

func TestTheFileIsReplacedInPlace(t *testing.T) {
	a, err := Named("codex")
	if err != nil {
		t.Fatal(err)
	}
	m := machine(t)
	elsewhere := filepath.Join(t.TempDir(), "dotfiles.toml")
	write(t, elsewhere, "x = 1\n")
	if err := os.Chmod(elsewhere, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(a.path(m)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, a.path(m)); err != nil {
		t.Fatal(err)
	}
	change, err := a.Add(m, memory)
	if err != nil {
		t.Fatal(err)
	}
	if want := "  x = 1\n+ \n+ [mcp_servers.somnograph]\n+ command = \"/opt/som no/somnograph\"\n+ args = [\"mcp\", \"--profile\", \"minimal\"]\n"; change.Diff() != want {
		t.Errorf("the diff is\n%s", change.Diff())
	}
	stale := *change
	if err := change.Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(elsewhere)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v: want the mode of before", info.Mode(), err)
	}
	if target, err := os.Readlink(a.path(m)); err != nil || target != elsewhere {
		t.Errorf("the link is %q, %v", target, err)
	}
	if err := stale.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("a change of an older file: %v", err)
	}
}

func TestPaths(t *testing.T) {
	vars := map[string]string{"APPDATA": "/roaming", "CODEX_HOME": "/codex"}
	for os, want := range map[string][]string{
		"darwin":  {"/h/.claude.json", "/h/Library/Application Support/Claude/claude_desktop_config.json", "/h/.cursor/mcp.json", "/h/Library/Application Support/Code/User/mcp.json", "/codex/config.toml"},
		"windows": {"/h/.claude.json", "/roaming/Claude/claude_desktop_config.json", "/h/.cursor/mcp.json", "/roaming/Code/User/mcp.json", "/codex/config.toml"},
		"linux":   {"/h/.claude.json", "/h/.config/Claude/claude_desktop_config.json", "/h/.cursor/mcp.json", "/h/.config/Code/User/mcp.json", "/codex/config.toml"},
	} {
		for i, a := range All {
			if got := filepath.ToSlash(a.path(Machine{OS: os, Home: "/h", Variable: func(n string) string { return vars[n] }})); got != want[i] {
				t.Errorf("%s on %s: %s, want %s", a.Name, os, got, want[i])
			}
		}
	}
}

// Claude Code keeps its files elsewhere if CLAUDE_CONFIG_DIR says so.
func TestPathsOfClaudeCode(t *testing.T) {
	m := Machine{OS: "linux", Home: "/h", Variable: func(n string) string { return map[string]string{"CLAUDE_CONFIG_DIR": "/claude"}[n] }}
	if got := []string{All[0].path(m), Hooks.path(m)}; !slices.Equal(got, []string{"/claude/.claude.json", "/claude/settings.json"}) {
		t.Errorf("the files are %v", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns a file; "" if there is none.
func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(raw)
}
