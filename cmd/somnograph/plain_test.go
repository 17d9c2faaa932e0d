package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// What a store contains gives no orders to a terminal, hides nothing and makes no lines of its own, whichever command prints it. JSON
// stays exact.
func TestCommandsPrintNoControlCharacters(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:admin,audit:read,server:admin").Key
	s := start(t, dir, "--auth", "keys")
	t.Setenv("SOMNOGRAPH_KEY", admin)
	t.Setenv("SOMNOGRAPH_ADDR", s.url)
	const (
		hidden = "\u202e\u200b\u2066\U000e0041"
		orders = "\x1b[2J\x1b]0;title\x07\b\x00\x7f\u009b31m" + hidden
		breaks = "\nFORGED\r\nFORGED\rFORGED\u2028FORGED\u2029FORGED\u0085FORGED\vFORGED\fFORGED\tcell"
		text   = orders + breaks
	)
	c := s.withKey(admin)
	do := func(document string, variables map[string]any) {
		t.Helper()
		var out map[string]any
		if err := c.Do(t.Context(), document, variables, &out); err != nil {
			t.Fatal(err)
		}
	}
	cursor, err := c.EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	do(`mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }`, map[string]any{"i": map[string]any{
		"content": "The winch of Heron" + text, "subject": "Heron", "predicate": "winch", "object": "blue" + text, "consent": "EXPLICIT", "user": "lina" + orders,
	}})
	do(`mutation($t: String) { createTenant(input: {name: "acme", title: $t}) { name } }`, map[string]any{"t": "Acme" + hidden})
	do(`mutation($n: String) { createApiKey(input: {name: $n, user: $n, scopes: [MEMORY_READ]}) { key } }`, map[string]any{"n": "reader" + hidden})

	for shows, args := range map[string][]string{
		"The winch":  {"search", "winch of Heron"},
		"blue":       {"facts", "Heron"},
		"of Heron":   {"tail", "--number", "1", "--after", cursor},
		"reader":     {"keys", "list"},
		"Acme":       {"tenants", "list"},
		"Heron":      {"context", "winch of Heron"},
		"erased":     {"forget", "--user", "lina" + orders[:3], "--dry-run"},
		"--mode":     {"search", "x", "--mode", "\x1b[31m\u202ex"},
		"no cluster": {"clusters"},
		"no pattern": {"patterns"},
		"intact":     {"audit", "verify"},
		"no alarm":   {"alarms"},
	} {
		out, errs, _ := output(t, args...)
		printed := out + errs
		if !strings.Contains(printed, shows) {
			t.Errorf("%q does not show %q: %q", args, shows, printed)
		}
		for _, line := range strings.Split(printed, "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }) || strings.HasPrefix(line, "FORGED") {
				t.Errorf("%q prints %q", args, line)
			}
		}
	}
	if out := succeed(t, "facts", "Heron"); strings.Count(out, "\n") != 2 {
		t.Errorf("a fact has more than one line: %q", out)
	}
	var facts []client.Fact
	out := succeed(t, "facts", "Heron", "--json")
	if err := json.Unmarshal([]byte(out), &facts); err != nil || len(facts) != 1 || facts[0].Object != "blue"+text {
		t.Errorf("JSON: %v, %q", err, out)
	}
	if strings.ContainsFunc(out, func(r rune) bool { return r < ' ' && r != '\n' }) {
		t.Errorf("JSON has control characters of ASCII: %q", out)
	}
}

// What people read is printed with printf. The standard functions print constants, and help of the program itself.
func TestTextsArePrintedWithPrintf(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range append(files, filepath.Join("internal", "audits", "audits.go")) {
		if strings.HasSuffix(name, "_test.go") || name == "man.go" || name == "usage.go" {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !strings.HasPrefix(f.Sel.Name, "Fprint") {
				return true
			}
			if x, ok := f.X.(*ast.Ident); !ok || x.Name != "fmt" {
				return true
			}
			for _, a := range call.Args[1:] {
				if _, constant := a.(*ast.BasicLit); !constant {
					t.Errorf("%s: use printf, so that a terminal does not obey what it prints", fset.Position(a.Pos()))
				}
			}
			return true
		})
	}
}
