package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestTheImportTable(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", Module+"/...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []Package
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 10 {
		t.Fatalf("go list named %d packages only", len(packages))
	}
	for _, line := range Offences(Rules, packages) {
		t.Error(line)
	}
}

// The checker must find violations.
func TestOffendersAreNamed(t *testing.T) {
	ours := func(paths ...string) []string {
		for i, p := range paths {
			paths[i] = Module + "/" + p
		}
		return paths
	}
	for _, x := range []struct {
		name string
		p    Package
		want string // "" is allowed
	}{
		{"engine and graph", Package{"engine", ours("graph", "graph/index", "engine/rank", "engine/models"), nil}, ""},
		{"engine and a store", Package{"engine", ours("graph/badgerstore"), nil}, "engine (room engine) must not import graph/badgerstore"},
		{"engine and its test world", Package{"engine", ours("engine/enginetest"), nil}, "engine (room engine) must not import engine/enginetest"},
		{"engine by a detour", Package{"engine", nil, []string{"github.com/dgraph-io/badger/v4"}}, "engine (room engine) must not depend on github.com/dgraph-io/badger/v4"},
		{"engine and Redis by a detour", Package{"engine/models", nil, []string{"github.com/redis/go-redis/v9"}}, "engine/models (room engine/models) must not depend on github.com/redis/go-redis/v9"},
		{"graph and its index", Package{"graph", ours("graph/index"), nil}, "graph (room graph) must not import graph/index"},
		{"a pure package and the engine", Package{"engine/decay", ours("engine"), nil}, "engine/decay (room engine/decay) must not import engine"},
		{"a pure package and another", Package{"engine/rank", ours("engine/decay"), nil}, "engine/rank (room engine/rank) must not import engine/decay"},
		{"a policy and its coefficients", Package{"engine/policy", ours("graph", "engine/plasticity"), nil}, ""},
		{"a policy and another step", Package{"engine/policy", ours("engine/decay"), nil}, "engine/policy (room engine/policy) must not import engine/decay"},
		{"an adapter and its own part", Package{"graph/index", ours("graph", "graph/index/kernel"), nil}, ""},
		{"a package inside a room", Package{"resolvers/internal/gql", ours("engine", "graph", "resolvers/internal/scalar"), nil}, ""},
		{"resolvers and the map", Package{"resolvers", ours("viz/frame"), nil}, "resolvers (room resolvers) must not import viz/frame"},
		{"two adapters", Package{"graph/badgerstore", ours("graph", "graph/index"), nil}, "graph/badgerstore (room graph/badgerstore) must not import graph/index"},
		{"the other adapters", Package{"graph/dgraphstore", ours("graph", "graph/badgerstore"), nil}, "graph/dgraphstore (room graph/dgraphstore) must not import graph/badgerstore"},
		{"engine and a far store by a detour", Package{"engine", nil, []string{"github.com/dgraph-io/dgo/v230"}}, "engine (room engine) must not depend on github.com/dgraph-io/dgo/v230"},
		{"the command", Package{"cmd/somnograph", ours("graph/badgerstore", "engine", "web"), []string{"github.com/dgraph-io/badger/v4"}}, ""},
		{"a word list and its stemmer", Package{"internal/english", []string{"strings", "github.com/blevesearch/snowballstem/english"}, nil}, ""},
		{"a word list and another module", Package{"internal/english", []string{"golang.org/x/text/cases"}, nil}, "internal/english (room internal/english) must not import golang.org/x/text/cases"},
		{"a room of no table", Package{"misc", nil, nil}, "misc is in no room of the table"},
		{"a module that begins alike", Package{"engine", nil, []string{"github.com/dgraph-io/badger-tools"}}, ""},
	} {
		x.p.ImportPath = Module + "/" + x.p.ImportPath
		got := Offences(Rules, []Package{x.p})
		if x.want == "" && len(got) > 0 || x.want != "" && !slices.Equal(got, []string{x.want}) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}
