package resolvers_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Nested fields of the memories of one read cost one call for each field and level, however
// many memories there are.
func TestNestedReadsAreBatched(t *testing.T) {
	var memories, entities [][]graph.ID
	var mu sync.Mutex // fields of one level are resolved concurrently
	record := func(into *[][]graph.ID) func([]graph.ID) {
		return func(ids []graph.ID) {
			mu.Lock()
			defer mu.Unlock()
			*into = append(*into, ids)
		}
	}
	v := &verbs{memories: record(&memories), entities: record(&entities)}
	s := start(t, between(v))
	for i := range 20 {
		old := s.remember(fmt.Sprintf("belief %d", i), vars{"entities": []string{"Ada", fmt.Sprintf("Thing %d", i)}})
		s.must(`mutation($i: SupersedeInput!) { supersede(input: $i) { memory { id } } }`, vars{"i": vars{"id": old, "content": fmt.Sprintf("belief %d, better", i)}})
	}
	memories, entities = nil, nil
	a := s.must(`{ memories(filter: {statuses: [SUPERSEDED]}) { nodes {
		entities { name mentionCount } supersedes { id } consolidatedInto { id } derivedFrom { id }
		supersededBy { version supersedes { version entities { name } } } } } }`, nil)
	nodes := a.at(t, "memories.nodes").([]any)
	if len(nodes) != 20 {
		t.Fatalf("%d memories", len(nodes))
	}
	for i, n := range nodes {
		next := n.(map[string]any)["supersededBy"].(map[string]any)
		if next["version"] != 2.0 || next["supersedes"].(map[string]any)["version"] != 1.0 {
			t.Errorf("memory %d: %v", i, n)
		}
	}
	if len(memories) != 2 || len(memories[0]) != 20 || len(memories[1]) != 20 {
		t.Errorf("memories were asked for %d times, want once a level: %v", len(memories), memories)
	}
	if len(entities) != 2 {
		t.Errorf("entities were asked for %d times, want once a level", len(entities))
	}
	for _, ids := range entities {
		seen := map[graph.ID]bool{}
		for _, id := range ids {
			if seen[id] {
				t.Errorf("entity %s was asked for twice in one call", id)
			}
			seen[id] = true
		}
	}
}

// The argument first limits nested lists, and each value of it is loaded separately.
func TestFirstOfEntities(t *testing.T) {
	s := start(t)
	id := s.remember("names alone", vars{"entities": []string{"Ada", "Bob", "Cleo"}})
	a := s.must(`query($id: ID!) { memory(id: $id) { one: entities(first: 1) { name } all: entities { name } } }`, vars{"id": id})
	if one, all := a.at(t, "memory.one").([]any), a.at(t, "memory.all").([]any); len(one) != 1 || len(all) < 3 {
		t.Errorf("answers %s", a.Body)
	}
	for _, bad := range []int{0, -1, 257} {
		a := s.ask(`query($id: ID!, $n: Int) { memory(id: $id) { id entities(first: $n) { name } } }`, vars{"id": id, "n": bad})
		if a.code() != "INVALID_REQUEST" || a.field() != "first" {
			t.Errorf("first: %d answers %s", bad, a.Body)
		}
	}
}

// Paging returns every item once and in order, forwards and backwards.
func TestPages(t *testing.T) {
	s := start(t)
	var ids []string
	for i := range 7 {
		ids = append(ids, s.remember(fmt.Sprintf("page item %d", i), vars{"entities": []string{fmt.Sprintf("Name%d", i)}}))
	}
	const q = `query($after: String, $down: Boolean) { memories(first: 3, after: $after, descending: $down) {
		edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
	for _, down := range []bool{false, true} {
		var got []string
		var after any
		for page := 0; ; page++ {
			a := s.must(q, vars{"after": after, "down": down})
			edges := a.at(t, "memories.edges").([]any)
			for _, e := range edges {
				got = append(got, e.(map[string]any)["node"].(map[string]any)["id"].(string))
			}
			info := a.at(t, "memories.pageInfo").(map[string]any)
			if info["hasPreviousPage"] != (page > 0) || info["startCursor"] != edges[0].(map[string]any)["cursor"] || info["endCursor"] != edges[len(edges)-1].(map[string]any)["cursor"] {
				t.Errorf("page %d: %s", page, a.Body)
			}
			if info["hasNextPage"] != true {
				break
			}
			after = info["endCursor"]
		}
		for i := range ids {
			want := ids[i]
			if down {
				want = ids[len(ids)-1-i]
			}
			if len(got) != len(ids) || got[i] != want {
				t.Fatalf("descending %v: %v, want the order of %v", down, got, ids)
			}
		}
	}
	a := s.must(`{ entities(first: 2) { nodes { id name type mentionCount firstSeen } pageInfo { hasNextPage endCursor } } }`, nil)
	rest := s.must(`query($a: String) { entities(first: 1000, after: $a) { nodes { id } } }`, vars{"a": a.at(t, "entities.pageInfo.endCursor")})
	for _, n := range rest.at(t, "entities.nodes").([]any) {
		for _, m := range a.at(t, "entities.nodes").([]any) {
			if n.(map[string]any)["id"] == m.(map[string]any)["id"] {
				t.Errorf("entity %v is on two pages", n)
			}
		}
	}
	for _, bad := range []int{0, -5, 1001} {
		if a := s.ask(`query($n: Int) { memories(first: $n) { nodes { id } } }`, vars{"n": bad}); a.code() != "INVALID_REQUEST" || a.field() != "first" {
			t.Errorf("first: %d answers %s", bad, a.Body)
		}
	}
}

// Relations have both ends and their memories. Ends and memories are loaded once for all
// relations.
func TestRelations(t *testing.T) {
	var entities, memories int
	v := &verbs{entities: func([]graph.ID) { entities++ }, memories: func([]graph.ID) { memories++ }}
	s := start(t, between(v))
	id := s.remember("a fact", vars{"entities": []string{"Ada", "Bob"}})
	m, err := s.Memory(t.Context(), engine.Loopback(), graph.ID(id), engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	ada, bob := m.Memory.Entities[0], m.Memory.Entities[1]
	_, err = s.Store.Update(t.Context(), graph.Scope{Tenant: "default"}, func(tx graph.Tx) error {
		for i, predicate := range []string{"knows", "likes"} {
			err := tx.PutRelation(&graph.Relation{
				ID: graph.ID(fmt.Sprintf("0198f0a0-0000-7000-8000-00000000000%d", i)), Namespace: "default", Source: ada, Target: bob,
				Predicate: predicate, Strength: 1, StrengthAt: s.Now(), Confidence: 0.5, ValidFrom: s.Now(), RecordedAt: s.Now(), EventTime: s.Now(),
				Memories: []graph.ID{graph.ID(id)},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	entities, memories = 0, 0
	a := s.must(`query($e: ID!) { relations(entity: $e, direction: OUT) { nodes { predicate weight strength validTo eventTime source { name } target { name } memories { id } } pageInfo { hasNextPage } } }`,
		vars{"e": string(ada)})
	if n := len(a.at(t, "relations.nodes").([]any)); n != 2 {
		t.Fatalf("%d relations: %s", n, a.Body)
	}
	if a.at(t, "relations.nodes.0.source.name") != "Ada" || a.at(t, "relations.nodes.1.target.name") != "Bob" || a.at(t, "relations.nodes.0.memories.0.id") != id {
		t.Errorf("relations are %s", a.Body)
	}
	if entities != 1 || memories != 1 {
		t.Errorf("entities were asked for %d times and memories %d times, want once each", entities, memories)
	}
	if a := s.must(`query($e: ID!) { relations(entity: $e, direction: IN) { nodes { id } } }`, vars{"e": string(ada)}); len(a.at(t, "relations.nodes").([]any)) != 0 {
		t.Errorf("relations to Ada: %s", a.Body)
	}
}

// The verbs for single memories change that memory only, and update distinguishes null from
// omitted.
func TestSingleMemoryVerbs(t *testing.T) {
	s := start(t)
	id := s.remember("to be changed", vars{"tags": []string{"a"}, "meta": vars{"k": 1}, "user": "ada"})
	update := func(change vars) map[string]any {
		t.Helper()
		a := s.must(`mutation($i: UpdateInput!) { update(input: $i) { tags meta importance important priority } }`, vars{"i": merge(change, "id", id)})
		return a.at(t, "update").(map[string]any)
	}
	m := update(vars{"importance": 0.9, "important": true})
	if m["importance"] != 0.9 || m["important"] != true || m["meta"] == nil || fmt.Sprint(m["tags"]) != "[a]" {
		t.Errorf("after a change of importance: %v", m)
	}
	if m := update(vars{"tags": []string{}, "priority": "HIGH"}); fmt.Sprint(m["tags"]) != "[]" || m["meta"] == nil || m["priority"] != "HIGH" {
		t.Errorf("after taking the tags away: %v", m)
	}
	if m := update(vars{"tags": nil, "meta": nil}); m["meta"] != nil {
		t.Errorf("after taking meta away: %v", m)
	}
	for _, c := range []struct{ field, want string }{{"pin", "true ACTIVE"}, {"unpin", "false ACTIVE"}, {"expire", "false EXPIRED"}} {
		a := s.must(fmt.Sprintf(`mutation($id: ID!) { %s(id: $id) { core status } }`, c.field), vars{"id": id})
		if got := fmt.Sprint(a.at(t, c.field+".core"), " ", a.at(t, c.field+".status")); got != c.want {
			t.Errorf("%s answers %s, want %s", c.field, got, c.want)
		}
	}
}

// The caller's credentials reach the verbs.
func TestWhoami(t *testing.T) {
	s := start(t, func(c *resolversConfig) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) {
			return engine.Caller{Tenant: "acme", Name: "key-1", User: "ada", Namespaces: []string{"work"}, Grant: 0.7}, nil
		}
	})
	a := s.must(`{ whoami { tenant name user namespaces grant admin } }`, nil)
	if got := fmt.Sprint(a.at(t, "whoami")); got != "map[admin:false grant:0.7 name:key-1 namespaces:[work] tenant:acme user:ada]" {
		t.Errorf("whoami is %s", got)
	}
	if a := s.ask(`{ search(input: {query: "x", namespaces: ["home"]}) { latencyMs } }`, nil); a.code() != "FORBIDDEN" {
		t.Errorf("a namespace that is not granted answers %s", a.Body)
	}
}

// A hit has an explanation wherever it is requested: under an alias, in a fragment, or in one
// of several selections. If a directive excludes it, it is absent.
func TestHitsHaveExplanationsIfRequested(t *testing.T) {
	s := start(t)
	s.remember("The ferry leaves at seven", nil)
	for query, path := range map[string]string{
		`{ search(input: {query: "ferry"}) { hits { explanation } } }`:                                                                       "search.hits.0.explanation",
		`{ found: search(input: {query: "ferry"}) { best: hits { why: explanation } } }`:                                                     "found.best.0.why",
		`{ search(input: {query: "ferry"}) { a: hits { score } b: hits { ...H } } } fragment H on Hit { explanation }`:                       "search.b.0.explanation",
		`{ search(input: {query: "ferry"}) { ...R } } fragment R on SearchResult { hits { ... on Hit { explanation @include(if: true) } } }`: "search.hits.0.explanation",
	} {
		x, is := s.must(query, nil).at(t, path).(map[string]any)
		if !is || x["message"] == "" || x["value"] == nil {
			t.Errorf("%s: %v", query, x)
		}
	}
	hit := s.must(`{ search(input: {query: "ferry"}) { hits { score explanation @skip(if: true) } } }`, nil).at(t, "search.hits.0").(map[string]any)
	if _, is := hit["explanation"]; is || hit["score"] == nil {
		t.Errorf("hit %v", hit)
	}
}
