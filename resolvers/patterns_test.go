package resolvers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
)

var (
	upTo12 = []string{"On day %d: Ana said that the winch must never run above 12 knots of wind.", "On day %d: In the briefing: never run the winch above 12 knots of wind.", "On day %d: The manual says that the winch must not be run in winds over 12 knots."}
	upTo25 = []string{"On day %d: Bo said that the winch may run at up to 25 knots of wind.", "On day %d: Bo said that the winch must not run above 25 knots of wind."}
)

// repeated is a server with clusters in which one rule repeats, after a sleep. It answers to who.
func repeated(t *testing.T) (s *server, who *engine.Caller) {
	t.Helper()
	who = new(engine.Loopback())
	s = start(t, func(c *resolversConfig) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) { return *who, nil }
	})
	s.repeat(24, upTo12, nil)
	return s, who
}

// repeat writes statements over the days and sleeps.
func (s *server) repeat(n int, texts []string, more vars) {
	s.t.Helper()
	for i := range n {
		s.remember(fmt.Sprintf(texts[i%len(texts)], i), more)
		s.must(`mutation { advanceClock(seconds: 7200) }`, nil)
	}
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	s.must(`mutation { sleep { report { complete } } }`, nil)
}

const patternFields = `id kind text confidence occurrences version status namespace user conditions actions successRate heldOut safetyCritical createdAt validatedAt
	sources(first: 100) { id } clusters { id } conflicts { id } memory { id content pattern { id } }`

// What repeats in clusters is a pattern, and every field of it answers.
func TestPatternAfterASleep(t *testing.T) {
	s, who := repeated(t)
	a := s.must(`{ patterns { nodes { `+patternFields+` } edges { cursor } pageInfo { hasNextPage } } clusters { nodes { id patterns { id } } } }`, nil)
	all := a.listOf(t, "patterns.nodes")
	if len(all) != 1 {
		t.Fatalf("the patterns are %s", a.Body)
	}
	p := all[0]
	if p["kind"] != "CONSTRAINT" || !strings.Contains(p["text"].(string), "12 knots") || p["occurrences"] != 24.0 || p["version"] != 1.0 || p["status"] != "CURRENT" || p["namespace"] != "default" || p["user"] != nil ||
		p["successRate"] != nil || p["heldOut"] != 1.0 || p["safetyCritical"] != false || p["confidence"].(float64) <= .6 || len(p["sources"].([]any)) != 24 || len(p["conflicts"].([]any)) != 0 || len(p["actions"].([]any)) != 1 {
		t.Errorf("the pattern is %v", p)
	}
	if m := p["memory"].(map[string]any); m["id"] != p["id"] || m["content"] != p["text"] || m["pattern"].(map[string]any)["id"] != p["id"] {
		t.Errorf("the memory of the pattern is %v", m)
	}
	for _, c := range a.listOf(t, "clusters.nodes") {
		if fmt.Sprint(c["patterns"]) != fmt.Sprint([]any{map[string]any{"id": p["id"]}}) || !strings.Contains(fmt.Sprint(p["clusters"]), c["id"].(string)) {
			t.Errorf("the patterns of cluster %v are %v", c["id"], c["patterns"])
		}
	}
	for query, want := range map[string]int{`kinds: [CONSTRAINT]`: 1, `kinds: [WORKFLOW, PREFERENCE]`: 0, `user: "ana"`: 1, `namespaces: ["side"]`: 0} {
		if a := s.must(`{ patterns(`+query+`) { nodes { id } } }`, nil); len(a.listOf(t, "patterns.nodes")) != want {
			t.Errorf("patterns(%s) answers %s", query, a.Body)
		}
	}
	id := vars{"id": p["id"]}
	if a := s.must(`query($after: String) { patterns(after: $after) { nodes { id } pageInfo { hasPreviousPage } } }`, vars{"after": a.at(t, "patterns.edges.0.cursor")}); len(a.listOf(t, "patterns.nodes")) != 0 {
		t.Errorf("after the last pattern: %s", a.Body)
	}
	if a := s.must(`query($id: ID!) { pattern(id: $id) { text } memory(id: $id) { type pattern { kind } } }`, id); a.at(t, "pattern.text") != p["text"] || a.at(t, "memory.pattern.kind") != "CONSTRAINT" {
		t.Errorf("the pattern is %s", a.Body)
	}
	a = s.must(`query($id: ID!) { patternLineage(id: $id) { pattern { id } versions { version } clusters { cluster { id } memories(first: 3) { id pattern { id } } } } }`, id)
	if a.at(t, "patternLineage.pattern.id") != p["id"] || a.at(t, "patternLineage.versions.0.version") != 1.0 || len(a.listOf(t, "patternLineage.clusters")) != len(p["clusters"].([]any)) ||
		len(a.listOf(t, "patternLineage.clusters.0.memories")) != 3 || a.at(t, "patternLineage.clusters.0.memories.0.pattern") != nil || a.at(t, "patternLineage.clusters.0.cluster.id") == nil {
		t.Errorf("the lineage is %s", a.Body)
	}
	prov, err := json.Marshal(s.must(`query($id: ID!) { patternProvenance(id: $id) }`, id).at(t, "patternProvenance"))
	if err != nil || !strings.Contains(string(prov), "prov:") || !strings.Contains(string(prov), p["id"].(string)) || strings.Contains(string(prov), "knots") {
		t.Errorf("the provenance is %s, %v", prov, err)
	}
	*who = reading(func(c *engine.Caller) { c.Namespaces = []string{"side"} })
	for _, field := range []string{"pattern", "patternLineage", "patternProvenance"} {
		below := map[string]string{"pattern": "{ id }", "patternLineage": "{ pattern { id } }"}[field]
		if a := s.ask(`query($id: ID!) { `+field+`(id: $id) `+below+` }`, id); a.code() != "MEMORY_NOT_FOUND" {
			t.Errorf("%s of what is not visible answers %s", field, a.Body)
		}
	}
	if a := s.must(`{ patterns { nodes { id } } }`, nil); len(a.listOf(t, "patterns.nodes")) != 0 {
		t.Errorf("another namespace has the patterns %s", a.Body)
	}
}

// A person decides between patterns that contradict each other, extracts and validates.
func TestPatternsByHand(t *testing.T) {
	s, _ := repeated(t)
	s.repeat(24, upTo25, vars{"safetyCritical": true})
	a := s.must(`{ patternConflicts { id patterns { `+patternFields+` } since waits kept resolvedAt note } }`, nil)
	open := a.listOf(t, "patternConflicts")
	if len(open) != 1 || open[0]["waits"] != true || open[0]["kept"] != nil || open[0]["resolvedAt"] != nil || a.at(t, "patternConflicts.0.patterns.0.status") != "CONTESTED" {
		t.Fatalf("the conflicts are %s", a.Body)
	}
	keep, end := a.at(t, "patternConflicts.0.patterns.0.id"), a.at(t, "patternConflicts.0.patterns.1.id")
	if a.at(t, "patternConflicts.0.patterns.0.conflicts.0.id") != end || a.at(t, "patternConflicts.0.patterns.1.conflicts.0.id") != keep {
		t.Errorf("the conflicts are %s", a.Body)
	}
	const resolve = `mutation($keep: ID!, $end: ID!, $note: String) { resolvePattern(keep: $keep, end: $end, note: $note) { id status conflicts { id } } }`
	if a := s.ask(resolve, vars{"keep": keep, "end": keep}); a.code() != "INVALID_REQUEST" || a.field() != "end" {
		t.Errorf("one pattern against itself answers %s", a.Body)
	}
	a = s.must(resolve, vars{"keep": keep, "end": end, "note": "the manual says so"})
	if a.at(t, "resolvePattern.id") != keep || a.at(t, "resolvePattern.status") != "CURRENT" || len(a.listOf(t, "resolvePattern.conflicts")) != 0 {
		t.Errorf("the decision answers %s", a.Body)
	}
	a = s.must(`{ patternConflicts { id } log: patternConflicts(open: false) { kept resolvedAt resolvedBy note } }`, nil)
	if len(a.listOf(t, "patternConflicts")) != 0 || a.at(t, "log.0.kept") != keep || a.at(t, "log.0.note") != "the manual says so" || a.at(t, "log.0.resolvedBy") != "loopback" || a.at(t, "log.0.resolvedAt") == nil {
		t.Errorf("after the decision the conflicts are %s", a.Body)
	}
	if a := s.must(`query($id: ID!) { pattern(id: $id) { status } }`, vars{"id": end}); a.at(t, "pattern.status") != "ENDED" {
		t.Errorf("the other pattern is %s", a.Body)
	}
	if a := s.must(`mutation($id: ID!) { validatePattern(id: $id) { id heldOut validatedAt } }`, vars{"id": keep}); a.at(t, "validatePattern.id") != keep {
		t.Errorf("the validation answers %s", a.Body)
	}
	cluster := s.must(`query($id: ID!) { pattern(id: $id) { clusters(first: 1) { id } } }`, vars{"id": keep}).at(t, "pattern.clusters.0.id")
	a = s.must(`mutation($id: ID!) { extractPattern(cluster: $id) { patterns { id kind } refused { kind reason confidence occurrences } } }`, vars{"id": cluster})
	if len(a.listOf(t, "extractPattern.patterns"))+len(a.listOf(t, "extractPattern.refused")) == 0 {
		t.Errorf("the extraction answers %s", a.Body)
	}
	plain := s.remember("The kettle is blue.", nil)
	const unknown = "0198f0a0-0000-7000-8000-000000000001"
	for query, code := range map[string]string{
		`{ pattern(id: "` + plain + `") { id } }`:                                                    "INVALID_REQUEST",
		`{ pattern(id: "` + unknown + `") { id } }`:                                                  "MEMORY_NOT_FOUND",
		`{ pattern(id: "x") { id } }`:                                                                "INVALID_REQUEST",
		`{ patternConflicts(first: 0) { id } }`:                                                      "INVALID_REQUEST",
		`{ patterns(after: "x") { nodes { id } } }`:                                                  "INVALID_REQUEST",
		`{ patterns { nodes { sources(first: 201) { id } } } }`:                                      "INVALID_REQUEST",
		`{ patterns { nodes { clusters(first: 65) { id } } } }`:                                      "INVALID_REQUEST",
		`{ patterns { nodes { conflicts(first: 51) { id } } } }`:                                     "INVALID_REQUEST",
		`{ clusters { nodes { patterns(first: 51) { id } } } }`:                                      "INVALID_REQUEST",
		fmt.Sprintf(`{ patternLineage(id: %q) { versions(first: 0) { id } } }`, keep):                "INVALID_REQUEST",
		fmt.Sprintf(`{ patternLineage(id: %q) { clusters { memories(first: 201) { id } } } }`, keep): "INVALID_REQUEST",
		`mutation { extractPattern(cluster: "` + unknown + `") { patterns { id } } }`:                "MEMORY_NOT_FOUND",
		`mutation { validatePattern(id: "` + plain + `") { id } }`:                                   "INVALID_REQUEST",
	} {
		if a := s.ask(query, nil); a.code() != code {
			t.Errorf("%s answers %s", query, a.Body)
		}
	}
}

// A search says from which tier each hit comes, and names clusters that match.
func TestTiersOfASearch(t *testing.T) {
	s, _ := repeated(t)
	const search = `query($tiers: TierPreference) { search(input: {query: "Above which wind must the winch never run?", tierPreference: $tiers, track: false}) {
		tiers { patterns clusters memories } clusters(first: 2) { score cluster { id label } } hits { tier cluster { id } memory { pattern { kind } cluster { id } } } } }`
	for _, tiers := range []string{"AUTO", "PATTERNS_FIRST", "MEMORIES_ONLY", "CLUSTERS_ONLY"} {
		a := s.must(search, vars{"tiers": tiers})
		count := map[string]float64{}
		for _, h := range a.listOf(t, "search.hits") {
			m := h["memory"].(map[string]any)
			if count[h["tier"].(string)]++; (h["tier"] == "PATTERN") != (m["pattern"] != nil) || fmt.Sprint(h["cluster"]) != fmt.Sprint(m["cluster"]) {
				t.Errorf("%s: a hit is %v", tiers, h)
			}
		}
		if a.at(t, "search.tiers.patterns") != count["PATTERN"] || a.at(t, "search.tiers.clusters") != count["CLUSTER"] || a.at(t, "search.tiers.memories") != count["MEMORY"] {
			t.Errorf("%s: the counts are %s", tiers, a.Body)
		}
		if tiers == "MEMORIES_ONLY" && count["PATTERN"]+count["CLUSTER"] > 0 || tiers == "PATTERNS_FIRST" && a.at(t, "search.hits.0.tier") != "PATTERN" {
			t.Errorf("%s answers %s", tiers, a.Body)
		}
		if found := a.listOf(t, "search.clusters"); tiers == "AUTO" && (len(found) == 0 || found[0]["score"].(float64) <= 0 || found[0]["cluster"].(map[string]any)["id"] == nil) {
			t.Errorf("the clusters are %s", a.Body)
		}
	}
	if a := s.ask(`{ search(input: {query: "winch"}) { clusters(first: 21) { score } } }`, nil); a.code() != "INVALID_REQUEST" || a.field() != "first" {
		t.Errorf("21 clusters answer %s", a.Body)
	}
	if a := s.ask(`{ search(input: {query: "winch", tierPreference: CLUSTERS_ONLY, asOf: {recorded: "2026-03-02T09:00:00Z"}}) { noMatch } }`, nil); a.code() != "INVALID_REQUEST" {
		t.Errorf("clusters of the past answer %s", a.Body)
	}
}
