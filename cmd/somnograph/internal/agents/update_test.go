package agents

import (
	"strings"
	"testing"
)

// args are the arguments of memory in a file of JSON.
const args = "[\n        \"mcp\",\n        \"--profile\",\n        \"minimal\"\n      ]"

// What a person added to the entry stays when init runs again, and goes with the entry.
func TestAnEntryIsUpdated(t *testing.T) {
	for name, x := range map[string]struct{ agent, before, after, undone string }{
		"environment": {"cursor",
			"{\n  \"mcpServers\": {\n    \"somnograph\": {\n      \"command\": \"old\", // mine\n      \"env\": {\"SOMNOGRAPH_KEY\": \"k\"},\n      \"args\": [\"mcp\"]\n    }\n  },\n  \"x\": 1\n}\n",
			"{\n  \"mcpServers\": {\n    \"somnograph\": {\n      \"command\": \"/opt/som no/somnograph\", // mine\n      \"env\": {\"SOMNOGRAPH_KEY\": \"k\"},\n      \"args\": " + args + "\n    }\n  },\n  \"x\": 1\n}\n",
			"{\n  \"x\": 1\n}\n"},
		"the same in one line": {"cursor",
			`{"mcpServers":{"somnograph":{"command":"/opt/som no/somnograph","args":["mcp","--profile","minimal"],"disabled":true}}}`,
			`{"mcpServers":{"somnograph":{"command":"/opt/som no/somnograph","args":["mcp","--profile","minimal"],"disabled":true}}}`, ""},
		"over HTTP before": {"vscode",
			`{"servers":{"somnograph":{"type":"http","url":"http://127.0.0.1:8420/mcp","headers":{"a":"b"},"dev":{}}}}`,
			"{\"servers\":{\"somnograph\":{\"type\":\"stdio\",\"dev\":{},\n      \"command\": \"/opt/som no/somnograph\",\n      \"args\": " + args + "}}}", ""},
		"no object": {"cursor", `{"mcpServers":{"somnograph":null,"a":{}}}`,
			"{\"mcpServers\":{\"somnograph\":{\n      \"command\": \"/opt/som no/somnograph\",\n      \"args\": " + args + "\n    },\"a\":{}}}", `{"mcpServers":{"a":{}}}`},
		"null": {"cursor", `{"mcpServers": null, "x": 1}`,
			"{\"mcpServers\": {\n    \"somnograph\": {\n      \"command\": \"/opt/som no/somnograph\",\n      \"args\": " + args + "\n    }\n  }, \"x\": 1}", `{"x": 1}`},
		"table": {"codex",
			"[mcp_servers.somnograph]\n# how\ncommand = \"old\" # mine\nargs = [\n  \"mcp\", # ]\n]\nstartup_timeout_sec = 20\n\n[mcp_servers.somnograph.env]\nSOMNOGRAPH_KEY = \"k\"\n\n# next\n[other]\na = 1\n",
			"[mcp_servers.somnograph]\n# how\ncommand = \"/opt/som no/somnograph\" # mine\nargs = [\"mcp\", \"--profile\", \"minimal\"]\nstartup_timeout_sec = 20\n\n[mcp_servers.somnograph.env]\nSOMNOGRAPH_KEY = \"k\"\n\n# next\n[other]\na = 1\n",
			"\n# next\n[other]\na = 1\n"},
		"table over HTTP": {"codex",
			"[ mcp_servers . \"somnograph\" ]\nurl = \"http://127.0.0.1:8420/mcp\"\nenabled = true",
			"[ mcp_servers . \"somnograph\" ]\ncommand = \"/opt/som no/somnograph\"\nargs = [\"mcp\", \"--profile\", \"minimal\"]\nenabled = true", ""},
		"table in the middle": {"codex",
			"a = 1\n\n[mcp_servers.somnograph]\ncommand = \"x\"\n\n[z]\nb = 2\n",
			"a = 1\n\n[mcp_servers.somnograph]\nargs = [\"mcp\", \"--profile\", \"minimal\"]\ncommand = \"/opt/som no/somnograph\"\n\n[z]\nb = 2\n",
			"a = 1\n\n[z]\nb = 2\n"},
	} {
		a, err := Named(x.agent)
		if err != nil {
			t.Fatal(err)
		}
		m := machine(t)
		write(t, a.path(m), x.before)
		for range 2 {
			change, err := a.Add(m, memory)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			if got := read(t, a.path(m)); got != x.after {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, x.after)
			}
		}
		change, err := a.Remove(m, memory.Name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if change.After != x.undone {
			t.Errorf("%s, undone:\n%q\nwant\n%q", name, change.After, x.undone)
		}
	}
}

// A TOML file that is broken, or holds the server in a form that is not a table, is left alone.
func TestWrongTOMLStaysAsItIs(t *testing.T) {
	a, err := Named("codex")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"model = \"o":           "line 1: a string does not end",
		"a = 1\nmodel = '''o\n": "a string does not end",
		"a = 1 b = 2\n":         "line 1: the end of the line is expected",
		"\n[a\nb = 1\n":         "line 2: ] is expected",
		"a = [1,\n":             "] is missing",
		"a\n":                   "line 1: = is expected",
		"a = \n":                "a value is expected",
		"= 1\n":                 "a key is expected",
		"a = {b = 1\n":          "} is missing",
		"mcp_servers = { x = { command = 'y' } }\n":          "line 1: mcp_servers has a form that can't be changed here; write it as a table [mcp_servers.somnograph]",
		"a = 1\nmcp_servers.somnograph.command = 'y'\n":      "line 2: mcp_servers.somnograph.command has a form",
		"[mcp_servers]\nsomnograph = {command = 'y'}\n":      "line 2: mcp_servers.somnograph has a form",
		"[[mcp_servers]]\nname = 'y'\n":                      "line 1: mcp_servers has a form",
		"[mcp_servers.x]\n[[mcp_servers.somnograph]]\na=1\n": "line 2: mcp_servers.somnograph has a form",
	} {
		m := machine(t)
		write(t, a.path(m), text)
		for what, edit := range map[string]func() (*Change, error){
			"add":    func() (*Change, error) { return a.Add(m, memory) },
			"remove": func() (*Change, error) { return a.Remove(m, memory.Name) },
		} {
			if _, err := edit(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "nothing was changed") {
				t.Errorf("%s, %q: %v, want %q", what, text, err, want)
			}
		}
	}
}
