package arch

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path of this module.
const Module = "github.com/somnograph/somnograph"

// Package is what go list says of a package.
type Package struct {
	ImportPath string
	Imports    []string // of the package itself, without its tests
	Deps       []string // all direct and indirect dependencies
}

// Rule is one row of the table. If several rules match a package, the most specific one
// applies.
type Rule struct {
	Room string   // path in the module; a room includes the packages under it
	May  []string // rooms it may import, besides itself
	Any  bool     // may import every room
	// Never lists modules that no package of the room may depend on, directly or indirectly.
	Never []string
	// Only lists the modules of others that the room may import; nil: any but Never.
	Only []string
}

// drivers are the modules that only adapters and the command may depend on.
var drivers = []string{
	"github.com/dgraph-io/badger", "github.com/dgraph-io/dgo", "github.com/go-redis/redis_rate", "github.com/redis/go-redis", "github.com/99designs/gqlgen", "github.com/spf13/cobra",
	"github.com/prometheus/client_golang", "go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters",
}

// without returns the drivers except some.
func without(allowed ...string) []string {
	return slices.DeleteFunc(slices.Clone(drivers), func(d string) bool { return slices.Contains(allowed, d) })
}

// pure lists the packages of engine that know no store and no clock, and others.
func pure(others ...string) []string {
	return append([]string{
		"graph", "engine/access", "engine/alarm", "engine/attribute", "engine/audit", "engine/cluster", "engine/conflict", "engine/decay", "engine/distil", "engine/document", "engine/extract", "engine/gate", "engine/importance",
		"engine/lexicon", "engine/network", "engine/pattern", "engine/plasticity", "engine/policy", "engine/prompt", "engine/proof", "engine/rank", "engine/reader", "engine/rehearsal", "engine/schedule", "engine/temporal",
	}, others...)
}

// rooms lists what every room of engine may import, and others.
func rooms(others ...string) []string {
	return append(pure("engine/breaker", "engine/lifecycle", "engine/models", "engine/telemetry", "engine/workspace", "graph/index", "internal/counted"), others...)
}

// Rules is the table.
var Rules = []Rule{
	{Room: "graph", Never: drivers},
	{Room: "graph/wire", May: []string{"graph"}, Never: drivers},
	{Room: "graph/calls", May: []string{"graph"}, Never: drivers},
	{Room: "graph/dirlock", May: []string{"graph"}, Never: drivers},
	{Room: "graph/badgerstore", May: []string{"graph", "graph/calls", "graph/dirlock", "graph/keyring", "graph/wire"}, Never: without("github.com/dgraph-io/badger")},
	{Room: "graph/dgraphstore", May: []string{"graph", "graph/calls", "graph/keyring", "graph/wire"}, Never: without("github.com/dgraph-io/dgo")},
	{Room: "graph/keyring", May: []string{"graph", "graph/dirlock"}, Never: drivers},
	{Room: "graph/ledger", May: []string{"graph", "graph/dirlock", "internal/strictjson"}, Never: drivers},
	{Room: "graph/recess", May: []string{"graph", "graph/dirlock", "graph/wire"}, Never: drivers},
	{Room: "graph/index", May: []string{"graph", "graph/keyring"}, Never: drivers},
	{Room: "graph/index/hnsw", May: []string{"graph/index/kernel"}, Never: drivers},
	{Room: "graph/index/kernel", Never: drivers},
	{Room: "graph/index/slots", Never: drivers},
	{Room: "graph/index/text", May: []string{"internal/english"}, Never: drivers},
	{Room: "graph/index/vectors", May: []string{"graph", "graph/index/hnsw", "graph/index/kernel", "graph/index/slots", "graph/keyring"}, Never: drivers},
	{Room: "graph/storetest", May: []string{"graph"}, Never: drivers},

	// Engine wires its rooms together. Each of them uses workspace, lifecycle and the
	// pure packages. The arrows between them are those listed here and no others.
	{Room: "engine", May: []string{"graph", "graph/index"}, Never: drivers},
	{Room: "engine/lifecycle", May: pure(), Never: drivers},
	{Room: "engine/workspace", May: pure("engine/breaker", "engine/lifecycle", "engine/models", "engine/telemetry", "graph/index", "internal/invisible"), Never: drivers},
	{Room: "engine/ingest", May: rooms(), Never: drivers},
	{Room: "engine/session", May: rooms("engine/ingest", "internal/english"), Never: drivers},
	{Room: "engine/library", May: rooms("engine/document", "engine/ingest"), Never: drivers},
	{Room: "engine/grouping", May: rooms("internal/english"), Never: drivers},
	{Room: "engine/entities", May: rooms("internal/english"), Never: drivers},
	{Room: "engine/scene", May: rooms("engine/entities"), Never: drivers},
	{Room: "engine/recall", May: rooms("engine/entities", "engine/grouping", "internal/english"), Never: drivers},
	{Room: "engine/sleep", May: rooms("engine/grouping", "engine/patterns"), Never: drivers},
	{Room: "engine/erasure", May: rooms("engine/sleep", "internal/english"), Never: drivers},
	{Room: "engine/patterns", May: rooms("engine/grouping"), Never: drivers},
	{Room: "engine/upkeep", May: rooms(), Never: drivers},
	{Room: "engine/webhook", May: rooms(), Never: drivers},
	// Only the API of OpenTelemetry: the command chooses where spans and measurements go.
	{Room: "engine/telemetry", May: []string{"graph"}, Never: drivers, Only: []string{"go.opentelemetry.io/otel"}},
	{Room: "engine/monitor", May: rooms(), Never: drivers},
	// The pure packages import at most the domain types.
	// Keys are kept through the interfaces of graph, with a clock and randomness that are passed in.
	{Room: "engine/access", May: []string{"graph", "internal/invisible"}, Never: drivers},
	{Room: "engine/alarm", May: []string{"graph"}, Never: drivers},
	{Room: "engine/audit", May: []string{"graph", "internal/strictjson"}, Never: drivers},
	{Room: "engine/proof", May: []string{"graph", "internal/strictjson"}, Never: drivers},
	{Room: "engine/cluster", May: []string{"graph", "internal/english"}, Never: drivers},
	{Room: "engine/conflict", May: []string{"graph", "internal/english"}, Never: drivers},
	{Room: "engine/decay", May: []string{"graph"}, Never: drivers},
	// A summary keeps what extract and temporal read in a text. A second reader could read
	// something else.
	{Room: "engine/distil", May: []string{"graph", "engine/extract", "engine/temporal", "internal/english"}, Never: drivers},
	// A chunk is bounded in the tokens that a context counts.
	{Room: "engine/document", May: []string{"engine/prompt"}, Never: drivers},
	{Room: "engine/extract", May: []string{"graph", "engine/lexicon", "internal/english"}, Never: drivers},
	{Room: "engine/gate", May: []string{"graph", "internal/invisible"}, Never: drivers},
	{Room: "engine/importance", May: []string{"graph"}, Never: drivers},
	{Room: "engine/lexicon", May: []string{"internal/english"}, Never: drivers},
	{Room: "engine/network", May: []string{"graph"}, Never: drivers},
	// Statements contradict each other by the rules by which memories do.
	{Room: "engine/pattern", May: []string{"graph", "engine/conflict", "engine/distil", "engine/extract", "internal/english"}, Never: drivers},
	{Room: "engine/plasticity", May: []string{"graph"}, Never: drivers},
	// A policy holds plasticity's coefficients, whose ranges plasticity declares.
	{Room: "engine/policy", May: []string{"graph", "engine/plasticity"}, Never: drivers},
	{Room: "engine/prompt", May: []string{"graph", "engine/extract", "internal/english", "internal/invisible"}, Never: drivers},
	// A claim is read with the same words, entities and times as everything else.
	{Room: "engine/attribute", May: []string{"graph", "engine/extract", "engine/lexicon", "engine/reader", "internal/english"}, Never: drivers},
	{Room: "engine/reader", May: []string{"graph", "engine/extract", "engine/lexicon", "engine/temporal", "internal/english"}, Never: drivers},
	{Room: "engine/rank", May: []string{"graph"}, Never: drivers},
	{Room: "engine/rehearsal", May: []string{"graph"}, Never: drivers},
	{Room: "engine/schedule", Never: drivers},
	{Room: "engine/temporal", May: []string{"graph", "internal/english"}, Never: drivers},
	{Room: "engine/models", May: []string{"engine/breaker"}, Never: drivers},
	{Room: "engine/breaker", Never: drivers},
	// Builds whole worlds for tests: besides cmd, the only room that names a store.
	{Room: "engine/enginetest", May: []string{"engine", "engine/attribute", "engine/lexicon", "engine/models", "engine/policy", "engine/prompt", "engine/reader", "graph", "graph/badgerstore", "graph/index"}, Never: without("github.com/dgraph-io/badger")},

	{Room: "viz", May: []string{"graph", "internal/english"}, Never: drivers},
	{Room: "bench", May: []string{"engine/cluster", "graph", "graph/index/hnsw", "graph/index/kernel", "viz"}, Never: drivers},
	// Serves the verbs to agents as resolvers does to programs, without GraphQL.
	{Room: "resolvers/mcp", May: []string{"engine", "engine/prompt", "engine/temporal", "graph", "internal/counted", "internal/invisible", "internal/origin", "internal/places", "internal/project"}, Never: drivers},
	{Room: "resolvers", May: []string{"engine", "engine/access", "engine/policy", "engine/prompt", "engine/rank", "graph", "internal/origin", "internal/places"}, Never: without("github.com/99designs/gqlgen")},
	{Room: "web", Never: drivers},
	{Room: "demo", May: []string{"engine", "graph"}, Never: drivers},
	{Room: "cmd", Any: true},
	// Programs of others import it: it brings nothing of the server with it.
	{Room: "client", Never: drivers, Only: []string{}},
	// Generates the typed parts of the clients from the schema.
	{Room: "clients", Never: drivers},
	{Room: "internal/arch", Never: drivers},
	{Room: "internal/origin", Never: drivers},
	// Who holds a place is a caller of the engine.
	{Room: "internal/places", May: []string{"engine"}, Never: drivers},
	{Room: "internal/counted", Never: drivers},
	{Room: "internal/strictjson", Never: drivers},
	{Room: "internal/invisible", Never: drivers},
	{Room: "internal/project", Never: drivers},
	{Room: "internal/topictest", Never: drivers},
	{Room: "internal/filetest", Never: drivers},
	// Every reader of text may import it.
	{Room: "internal/english", Never: drivers, Only: []string{"github.com/blevesearch/snowballstem"}},
	// Run the servers of others for tests, and import nothing of ours.
	{Room: "internal/dgraphtest", May: []string{"internal/certtest", "internal/proctest"}, Never: drivers},
	{Room: "internal/redistest", May: []string{"internal/certtest", "internal/proctest"}, Never: drivers},
	{Room: "internal/collectortest", May: []string{"internal/proctest"}, Never: drivers},
	{Room: "internal/oidctest", May: []string{"internal/proctest"}, Never: drivers},
	{Room: "internal/s3test", May: []string{"internal/proctest"}, Never: drivers},
	{Room: "internal/proctest", Never: drivers},
	{Room: "internal/certtest", Never: drivers},
	{Room: "internal/nettest", Never: drivers},
	// Drives a built binary from outside.
	{Room: "test/golden", Never: drivers},
}

// Offences returns one line for each import that the table does not allow.
func Offences(rules []Rule, packages []Package) []string {
	var lines []string
	for _, p := range packages {
		room, mine := strings.CutPrefix(p.ImportPath, Module+"/")
		if !mine {
			continue
		}
		rule, known := ruleOf(rules, room)
		if !known {
			lines = append(lines, fmt.Sprintf("%s is in no room of the table", room))
			continue
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, Module+"/")
			if ours && !rule.allows(rules, to) || !ours && !rule.allowsModule(path) {
				lines = append(lines, fmt.Sprintf("%s (room %s) must not import %s", room, rule.Room, to))
			}
		}
		for _, path := range p.Deps {
			for _, n := range rule.Never {
				if inside(path, n) {
					lines = append(lines, fmt.Sprintf("%s (room %s) must not depend on %s", room, rule.Room, path))
				}
			}
		}
	}
	return lines
}

// allows reports whether a package of the room may import the package to.
func (r Rule) allows(rules []Rule, to string) bool {
	if r.Any {
		return true
	}
	target, known := ruleOf(rules, to)
	if !known {
		return false
	}
	// A room may use its own packages, also those that are rooms by themselves, but
	// for the adapters.
	if target.Room == r.Room || inside(to, r.Room) && !slices.Contains(adapters, target.Room) {
		return true
	}
	return slices.Contains(r.May, target.Room)
}

// allowsModule reports whether a package of the rule's room may import the package path, which
// is of the standard library or of another module.
func (r Rule) allowsModule(path string) bool {
	host, _, _ := strings.Cut(path, "/")
	return r.Only == nil || !strings.Contains(host, ".") || slices.ContainsFunc(r.Only, func(m string) bool { return inside(path, m) })
}

// adapters are packages under a room that must not import them.
var adapters = []string{"graph/badgerstore", "graph/dgraphstore", "graph/recess", "graph/index", "graph/storetest", "engine/enginetest"}

// ruleOf is the most specific rule for a package.
func ruleOf(rules []Rule, room string) (best Rule, found bool) {
	for _, r := range rules {
		if inside(room, r.Room) && (!found || len(r.Room) > len(best.Room)) {
			best, found = r, true
		}
	}
	return best, found
}

// inside reports whether a path is the room or under it.
func inside(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }
