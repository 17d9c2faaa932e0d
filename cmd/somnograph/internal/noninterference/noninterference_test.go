package noninterference_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// role makes a caller that sees a part of the tenant.
func role(name string, change func(*engine.Caller)) engine.Caller {
	c := engine.Caller{Tenant: whole.Tenant, Name: name, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}}
	change(&c)
	return c
}

// roles are callers of ten kinds.
func roles() []engine.Caller {
	return []engine.Caller{
		role("of a user", func(c *engine.Caller) { c.User = "ana" }),
		role("of a user nothing belongs to", func(c *engine.Caller) { c.User = "cleo" }),
		role("of a namespace", func(c *engine.Caller) { c.Namespaces = []string{"side"} }),
		role("of explicit consent", func(c *engine.Caller) { c.Consents = []graph.Consent{graph.ConsentExplicit} }),
		role("of low sensitivity", func(c *engine.Caller) { c.Sensitivity = graph.Internal }),
		role("of all of these", func(c *engine.Caller) {
			c.User, c.Namespaces, c.Sensitivity = "bo", []string{"default"}, graph.Confidential
			c.Consents = []graph.Consent{graph.ConsentExplicit, graph.ConsentImplicit}
		}),
		role("of an agent", func(c *engine.Caller) { c.Agent = "bot" }),
		role("of an agent for a user", func(c *engine.Caller) { c.User, c.Agent = "ana", "bot" }),
		role("of an agent that keeps nothing private", func(c *engine.Caller) { c.User, c.Agent = "bo", "crow" }),
		role("administrator of a namespace", func(c *engine.Caller) {
			c.Namespaces, c.Admin, c.Scopes = []string{"default"}, true, []access.Scope{access.MemoryRead, access.MemoryAdmin}
		}),
	}
}

// What a caller reads over a world is what it reads over that world without all that it may not
// see, byte for byte. NONINTERFERENCE is the number of queries. In the process of TestOnDgraph the whole
// world is on Dgraph, so its answers are also those of the embedded store. A copy of the world to Dgraph takes half a
// minute: without NONINTERFERENCE there are only three of the callers there.
func TestReadsDependOnWhatIsVisibleOnly(t *testing.T) {
	queries, err := strconv.Atoi(cmp.Or(os.Getenv("NONINTERFERENCE"), "2000"))
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		queries = 200
	}
	callers := roles()
	each, all := queries/len(callers), true
	if addr, _ := dgraphtest.Given(); addr != "" && os.Getenv("NONINTERFERENCE") == "" {
		callers = slices.DeleteFunc(callers, func(c engine.Caller) bool {
			return !slices.Contains([]string{"of all of these", "of an agent for a user", "administrator of a namespace"}, c.Name)
		})
		queries, all = each*len(callers), false // a random query for a receipt is rare
	}
	text, err := os.ReadFile("../../../../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	original := newStore(t)
	seed := uint64(7)
	writer := open(t, original)
	fill(writer, rand.New(rand.NewPCG(seed, 1)))
	ids := append(idsOf(t, original), slices.Repeat(slices.Concat(clustersOf(t, writer), patternsOf(t, writer)), 8)...) // they are few
	ids = append(ids, slices.Repeat(receiptsOf(t, original), 4)...)
	n := comparison{original: original, at: writer.Clock.Now(), asked: map[string]int{}}
	for i, c := range callers {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)+2)), schema: schema, ids: ids}
		if !t.Run(c.Name, func(t *testing.T) { n.compareQueries(t, c, g, each) }) ||
			!t.Run(c.Name+", streams", func(t *testing.T) {
				// Which sleeps there were is part of the world: changes of clusters come by sleep.
				mine, theirs := n.open(t, c, graph.NoteSleep)
				n.others.add(compareStreams(t, c, mine, theirs, g))
			}) {
			return
		}
	}
	t.Logf("%d queries, %d with an answer, %d with receipts, %d tiles, %d events and %d changes that are not visible: %v", queries, n.data, n.receipts, n.tiles, n.events, n.hidden, n.asked)
	t.Logf("%d changes of clusters, %d of the map, %d steps of ingests, and %d changes that are not visible", n.others.clusters, n.others.parts, n.others.steps, n.others.hidden)
	if n.data < queries/3 {
		t.Errorf("only %d of %d queries had an answer", n.data, queries)
	}
	if all && n.receipts < queries/200 || n.tiles < 3*len(callers) {
		t.Errorf("only %d answers had receipts, and there were only %d tiles", n.receipts, n.tiles)
	}
	if n.events < 50*len(callers) || n.hidden < 2*len(callers) {
		t.Errorf("there were only %d events, and only %d changes that are not visible", n.events, n.hidden)
	}
	if n.others.clusters < 2*len(callers) || n.others.parts < 5*len(callers) || n.others.steps < 10*len(callers) || n.others.hidden < 2*len(callers) {
		t.Errorf("there was too little in the other streams: %+v", n.others)
	}
}

// comparison compares what callers read over a world as it was at an instant, and counts what it compared.
type comparison struct {
	original                              graph.Store
	at                                    time.Time
	data, receipts, tiles, events, hidden int
	asked                                 map[string]int // queries with an answer, by root field
	others                                streamed
}

// open opens copies of the world for a caller: a whole one, and one without what the caller may not see.
func (n *comparison) open(t *testing.T, c engine.Caller, part ...graph.NoteKind) (mine, theirs *endpoint) {
	t.Helper()
	mine, theirs = open(t, without(t, n.original, wholeStore(t), engine.Caller{})), open(t, without(t, n.original, newStore(t), c, part...))
	for _, e := range []*endpoint{mine, theirs} {
		e.Clock.Advance(n.at.Sub(e.Clock.Now()))
		e.caller = c
	}
	return mine, theirs
}

// compareQueries compares the answers to random queries, tiles and events.
func (n *comparison) compareQueries(t *testing.T, c engine.Caller, g *generator, queries int) {
	mine, theirs := n.open(t, c)
	for range queries {
		name, query := g.query()
		a, b := mask(mine.ask(query)), mask(theirs.ask(query))
		if a != b {
			t.Fatalf("caller %s: %s\n%s", c.Name, query, difference(a, b))
		}
		if !strings.Contains(a, `"errors"`) {
			n.data++
			n.asked[name]++
		}
		if strings.HasPrefix(name, "deletionReceipt") && strings.Contains(a, `"COMPLETE"`) {
			n.receipts++
		}
	}
	n.tiles += compareTiles(t, c, mine, theirs, g)
	refusedToParts(t, mine)
	events, hidden := compareEvents(t, c, mine, theirs, g)
	n.events, n.hidden = n.events+events, n.hidden+hidden
}

// refusedToParts checks that figures of a whole tenant are refused to a caller that sees a part of it,
// whatever its scopes.
func refusedToParts(t *testing.T, e *endpoint) {
	t.Helper()
	before := e.caller
	defer func() { e.caller = before }()
	e.caller.Scopes = access.AllScopes
	for _, query := range []string{
		"{ sleepReports { nodes { id } } }", `{ sleepReport(id: "00000000-0000-7000-8000-000000000000") { id } }`, "{ sleepStatus { total } }",
		"{ alarms { id } }", "{ reembedding { total } }", "{ tenant { name } }", "{ audit { nodes { seq } } }", "{ auditCheck { intact } }",
	} {
		if a := e.ask(query); !strings.Contains(a, `"FORBIDDEN"`) {
			t.Errorf("caller %s: %s: %s", e.caller.Name, query, a)
		}
	}
}

// masked are what differs between two equal servers: latencies, the version of a store's layout, and positions in the feed and the
// number of a map's frame, which count all changes.
var masked = regexp.MustCompile(`"(latencyMs|schemaVersion|cursor|eventCursor|map)":("[^"]*"|[0-9.e+-]+)`)

func mask(answer string) string { return masked.ReplaceAllString(answer, `"$1":0`) }

func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-200)
	return fmt.Sprintf("over the world\n…%s\nwithout what the caller may not see\n…%s", a[from:min(len(a), i+200)], b[from:min(len(b), i+200)])
}

// idsOf are the ids of everything in a store.
func idsOf(t *testing.T, s graph.Store) (ids []graph.ID) {
	t.Helper()
	err := s.View(t.Context(), whole, func(r graph.Reader) error {
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			ids = append(ids, m.ID)
		}
		for e, err := range graph.AllEntities(r) {
			if err != nil {
				return err
			}
			ids = append(ids, e.ID)
		}
		for _, kind := range []graph.NoteKind{graph.NoteDocument, graph.NoteSleep, graph.NoteDecision} {
			for n, err := range graph.AllNotes(r, kind, "", false) {
				if err != nil {
					return err
				}
				ids = append(ids, n.ID)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// clustersOf are the ids of the clusters of a world.
func clustersOf(t *testing.T, e *endpoint) (ids []graph.ID) {
	t.Helper()
	all, _, err := e.Clusters(t.Context(), engine.Loopback(), engine.ClusterListInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	if len(ids) < 12 {
		t.Errorf("the world has only %d clusters", len(ids))
	}
	return ids
}

// patternsOf are the ids of the patterns of a world.
func patternsOf(t *testing.T, e *endpoint) (ids []graph.ID) {
	t.Helper()
	page, err := e.Patterns(t.Context(), engine.Loopback(), engine.PatternInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range page.Patterns {
		ids = append(ids, p.ID)
	}
	if len(ids) < 3 {
		t.Errorf("the world has only %d patterns", len(ids))
	}
	return ids
}

// generator makes random queries from the schema.
type generator struct {
	*rand.Rand
	schema *ast.Schema
	ids    []graph.ID
}

// notAsked are the fields whose answer is not about memories, or is the same for all callers.
var notAsked = map[string]bool{"performance": true, "apiKeys": true, "rateLimit": true, "eventCursor": true, "namespacePolicy": true, "tenants": true, "tenant": true}

// query makes a query of one root field, with random arguments and a selection three deep.
func (g *generator) query() (name, text string) {
	for {
		f := pick(g.Rand, g.schema.Query.Fields)
		if strings.HasPrefix(f.Name, "__") || notAsked[f.Name] {
			continue
		}
		return f.Name, "{ " + f.Name + g.arguments(f) + g.selection(f.Type.Name(), 3) + " }"
	}
}

func (g *generator) arguments(f *ast.FieldDefinition) string {
	var args []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil || g.IntN(4) == 0 {
			args = append(args, a.Name+": "+g.value(a.Name, a.Type))
		}
	}
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}

func (g *generator) selection(name string, depth int) string {
	d := g.schema.Types[name]
	if d.Kind != ast.Object {
		return ""
	}
	var fields []string
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		leaf := g.schema.Types[f.Type.Name()].Kind != ast.Object
		needs := false
		for _, a := range f.Arguments {
			needs = needs || a.Type.NonNull && a.DefaultValue == nil
		}
		if needs || !leaf && (depth == 1 || g.IntN(2) == 0) {
			continue
		}
		fields = append(fields, f.Name+g.selection(f.Type.Name(), depth-1))
	}
	if len(fields) == 0 {
		return " { __typename }"
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// value makes a value of a type for an argument or input field of a name.
func (g *generator) value(name string, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + g.value(strings.TrimSuffix(name, "s"), t.Elem) + "]"
	}
	switch d := g.schema.Types[t.NamedType]; {
	case d.Kind == ast.Enum:
		return pick(g.Rand, d.EnumValues).Name
	case d.Kind == ast.InputObject:
		var fields []string
		for _, f := range d.Fields {
			if f.Name == "trackUsage" || f.Name == "track" {
				fields = append(fields, f.Name+": false")
			} else if f.Type.NonNull && f.DefaultValue == nil || g.IntN(5) == 0 {
				fields = append(fields, f.Name+": "+g.value(f.Name, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case d.Name == "Int":
		return fmt.Sprint(1 + g.IntN(12))
	case d.Name == "Float":
		return fmt.Sprint(float64(g.IntN(5)) / 10)
	case d.Name == "Boolean":
		return fmt.Sprint(g.IntN(2) == 0)
	case d.Name == "Time":
		return strconv.Quote(time.Date(2026, 3, 2+g.IntN(14), g.IntN(24), 0, 0, 0, time.UTC).Format(time.RFC3339))
	case d.Name == "ID":
		return strconv.Quote(string(pick(g.Rand, g.ids)))
	}
	return g.text(name)
}

// text makes a text that fits the name.
func (g *generator) text(name string) string {
	text := pick(g.Rand, people)
	switch name {
	case "namespace":
		text = pick(g.Rand, namespaces)
	case "user":
		text = pick(g.Rand, users[1:])
	case "session":
		text = pick(g.Rand, []string{"s0", "s1", "talk0", "talk1"})
	case "tag":
		text = pick(g.Rand, []string{"t0", "t1"})
	case "after":
		text = string(pick(g.Rand, g.ids))
	case "query":
		text = strings.NewReplacer("{who}", pick(g.Rand, people), "{what}", pick(g.Rand, things)).Replace(
			pick(g.Rand, []string{"Where does {who} live?", "What about the {what} of {who}?", "When does the {what} leave?", "{who}"}))
	case "predicate":
		text = pick(g.Rand, []string{"lives in", "works at", "is in", "MENTIONS"})
	case "subject":
		text = pick(g.Rand, append([]string{"user", "the ferry"}, people...))
	}
	b, _ := json.Marshal(text) // a text
	return string(b)
}
