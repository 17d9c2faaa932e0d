package resolvers_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// topics are groups of statements that mean alike.
var topics = map[string][]string{
	"winch":  {"The winch on pier %d needs grease before the storm.", "Before the storm the winch on pier %d needs new grease.", "The winch on pier %d got grease before the storm."},
	"violin": {"Rosa tunes the violin for concert %d in the old chapel.", "Concert %d in the chapel begins with a violin that Rosa tunes.", "Rosa plays the violin in the chapel at concert %d."},
	"ledger": {"The ledger of quarter %d lists an invoice for copper wire.", "An invoice for copper wire is missing in the ledger of quarter %d.", "Quarter %d ends with a copper wire invoice in the ledger."},
}

// clustered is a server with three clusters of ana and two of nobody, after a sleep. It answers to
// who.
func clustered(t *testing.T, change ...func(*resolversConfig)) (s *server, who *engine.Caller) {
	t.Helper()
	who = new(engine.Loopback())
	s = start(t, append(change, func(c *resolversConfig) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) { return *who, nil }
	})...)
	for i := range 18 {
		for _, name := range []string{"winch", "violin", "ledger"} {
			text := fmt.Sprintf(topics[name][i%3], i)
			s.remember(text, vars{"user": "ana"})
			if name != "violin" {
				s.remember(text, nil)
			}
		}
		s.must(`mutation { advanceClock(seconds: 3600) }`, nil)
	}
	s.must(`mutation { sleep { report { complete } } }`, nil)
	s.must(`mutation { advanceClock(seconds: 3600) }`, nil)
	return s, who
}

// reading is a caller that may only read, with a limited sight.
func reading(change func(*engine.Caller)) engine.Caller {
	c := engine.Caller{Tenant: engine.Loopback().Tenant, Name: "reader", Grant: .8, Scopes: []access.Scope{access.MemoryRead}}
	change(&c)
	return c
}

// listOf are the items at a path of an answer.
func (a *answer) listOf(t *testing.T, path string) (out []map[string]any) {
	t.Helper()
	for _, x := range a.at(t, path).([]any) {
		out = append(out, x.(map[string]any))
	}
	return out
}

const clusterFields = `id namespace user label summary size density createdAt updatedAt medoid { id content } terms(first: 3) { text weight count }
	members { id content } memberships { memory { id } strength settled } keyEntities(first: 4) { name }
	related { similarity cluster { id user } } activity(buckets: 3) { from to count }`

// topicOf is the topic that all members of a cluster are about.
func topicOf(t *testing.T, cluster map[string]any) string {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range cluster["members"].([]any) {
		for name := range topics {
			if strings.Contains(m.(map[string]any)["content"].(string), name) {
				seen[name] = true
			}
		}
	}
	if len(seen) != 1 {
		t.Errorf("cluster %v is about %v", cluster["id"], seen)
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), " ")
}

// A sleep groups memories of an owner that mean alike, and every field of the groups answers.
func TestClustersAfterASleep(t *testing.T) {
	s, _ := clustered(t)
	a := s.must(`{ clusters { nodes { `+clusterFields+` } pageInfo { hasNextPage } } }`, nil)
	found := map[string]int{}
	for _, c := range a.listOf(t, "clusters.nodes") {
		found[fmt.Sprint(c["user"], " ", topicOf(t, c))]++
		members, memberships := c["members"].([]any), c["memberships"].([]any)
		if c["size"] != 18.0 || len(members) != 18 || len(memberships) != 18 || c["namespace"] != "default" || c["density"].(float64) <= .5 || c["createdAt"] != c["updatedAt"] {
			t.Errorf("a cluster is %v", c)
		}
		last, isMember := 1.0, false
		for i, m := range memberships {
			x := m.(map[string]any)
			id := x["memory"].(map[string]any)["id"]
			if strength := x["strength"].(float64); strength > last || strength < 0 || x["settled"] != true || id != members[i].(map[string]any)["id"] {
				t.Errorf("member %d is %v", i, x)
			} else {
				last = strength
			}
			isMember = isMember || id == c["medoid"].(map[string]any)["id"]
		}
		if !isMember {
			t.Errorf("the medoid %v is no member", c["medoid"])
		}
		if summary, _ := c["summary"].(string); !strings.HasPrefix(summary, c["medoid"].(map[string]any)["content"].(string)) {
			t.Errorf("the summary %q does not begin with the medoid %v", summary, c["medoid"])
		}
		for _, x := range c["related"].([]any) {
			r := x.(map[string]any)
			if other := r["cluster"].(map[string]any); other["id"] == c["id"] || other["user"] != c["user"] || r["similarity"].(float64) < 0 || r["similarity"].(float64) > 1 {
				t.Errorf("related to %v is %v", c["id"], r)
			}
		}
		if n := len(c["related"].([]any)); n != 2 && c["user"] != nil || n != 1 && c["user"] == nil {
			t.Errorf("%d clusters are related to one of %v", n, c["user"])
		}
		sum, before := 0.0, any(nil)
		for _, x := range c["activity"].([]any) {
			b := x.(map[string]any)
			if before != nil && b["from"] != before {
				t.Errorf("the activity is %v", c["activity"])
			}
			sum, before = sum+b["count"].(float64), b["to"]
		}
		if sum != 18 || len(c["activity"].([]any)) != 3 {
			t.Errorf("the activity is %v", c["activity"])
		}
		if strings.Contains(fmt.Sprint(c["members"]), "Rosa") && !strings.Contains(fmt.Sprint(c["keyEntities"]), "Rosa") {
			t.Errorf("the key entities are %v", c["keyEntities"])
		}
	}
	if want := map[string]int{"ana winch": 1, "ana violin": 1, "ana ledger": 1, "<nil> winch": 1, "<nil> ledger": 1}; !maps.Equal(found, want) {
		t.Errorf("the clusters are %v, want %v", found, want)
	}
}

// A memory names its cluster, and one that is written by day joins its cluster at once.
func TestClusterOfAMemory(t *testing.T) {
	s, _ := clustered(t)
	id := s.remember("The winch on pier 44 needs grease before the storm.", vars{"user": "ana"})
	apart := s.remember("Penguins huddle.", vars{"user": "ana"})
	none := s.remember("The winch on pier 45 needs grease before the storm.", vars{"user": "ana", "consent": "NONE"})
	const find = `query($id: ID!) { memory(id: $id) { cluster { id user size members(first: 1) { content cluster { id } } memberships(first: 100) { settled memory { id } } } } }`
	a := s.must(find, vars{"id": id})
	if a.at(t, "memory.cluster.user") != "ana" || a.at(t, "memory.cluster.size") != 19.0 || a.at(t, "memory.cluster.members.0.cluster.id") != a.at(t, "memory.cluster.id") {
		t.Fatalf("the cluster is %s", a.Body)
	}
	joined := slices.DeleteFunc(a.listOf(t, "memory.cluster.memberships"), func(m map[string]any) bool { return m["settled"] == true })
	if len(joined) != 1 || joined[0]["memory"].(map[string]any)["id"] != id {
		t.Errorf("joined by day: %v", joined)
	}
	for what, id := range map[string]string{"about another matter": apart, "without consent": none} {
		if a := s.must(find, vars{"id": id}); a.at(t, "memory.cluster") != nil {
			t.Errorf("the cluster of a memory %s is %s", what, a.Body)
		}
	}
	s.must(`mutation($id: ID!) { expire(id: $id) { id } }`, vars{"id": id})
	if a := s.must(find, vars{"id": id}); a.at(t, "memory.cluster") != nil {
		t.Errorf("the cluster of an expired memory is %s", a.Body)
	}
}

// Pages of clusters and of their changes continue where the page before ended.
func TestPagesOfClusters(t *testing.T) {
	s, _ := clustered(t)
	for list, nodes := range map[string]string{"clusters": "id", "clusterEvolution": "id"} {
		whole := s.must(`{ `+list+` { nodes { `+nodes+` } } }`, nil)
		var all []any
		for _, x := range whole.listOf(t, list+".nodes") {
			all = append(all, x["id"])
		}
		var paged []any
		after := any(nil)
		for more := true; more; {
			a := s.must(`query($after: String) { `+list+`(first: 2, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, vars{"after": after})
			for _, e := range a.listOf(t, list+".edges") {
				paged = append(paged, e["node"].(map[string]any)["id"])
			}
			if a.at(t, list+".pageInfo.hasPreviousPage") != (after != nil) {
				t.Errorf("%s: %s", list, a.Body)
			}
			after, more = a.at(t, list+".pageInfo.endCursor"), a.at(t, list+".pageInfo.hasNextPage").(bool)
		}
		if len(all) != 5 || !slices.Equal(all, paged) {
			t.Errorf("%s: pages have %v, the list has %v", list, paged, all)
		}
	}
}

// The evolution has the birth of every cluster, by filter, and its present state.
func TestClusterEvolution(t *testing.T) {
	s, _ := clustered(t)
	const ask = `query($cluster: ID, $user: String, $since: Time, $until: Time, $namespaces: [String!]) {
		clusterEvolution(cluster: $cluster, user: $user, since: $since, until: $until, namespaces: $namespaces) {
			nodes { id at change namespace user cluster current { id size } from size report } } }`
	a := s.must(ask, nil)
	all := a.listOf(t, "clusterEvolution.nodes")
	report := s.must(`{ sleepReports { nodes { id startedAt } } }`, nil)
	for _, e := range all {
		if e["change"] != "BORN" || e["size"] != 18.0 || e["namespace"] != "default" || e["current"].(map[string]any)["id"] != e["cluster"] || len(e["from"].([]any)) != 0 ||
			e["report"] != report.at(t, "sleepReports.nodes.0.id") || e["at"] != report.at(t, "sleepReports.nodes.0.startedAt") {
			t.Errorf("an event is %v", e)
		}
	}
	if len(all) != 5 {
		t.Fatalf("the evolution is %s", a.Body)
	}
	for what, c := range map[string]struct {
		vars vars
		want int
	}{
		"of one cluster":      {vars{"cluster": all[0]["cluster"]}, 1},
		"of a user":           {vars{"user": "bo"}, 2},
		"since the sleep":     {vars{"since": all[0]["at"]}, 5},
		"before the sleep":    {vars{"until": s.Clock.Now().Add(-2 * time.Hour)}, 0},
		"after the sleep":     {vars{"since": s.Clock.Now()}, 0},
		"of another place":    {vars{"namespaces": []string{"side"}}, 0},
		"of an unknown group": {vars{"cluster": "0198f0a0-0000-7000-8000-000000000001"}, 0},
	} {
		if a := s.must(ask, c.vars); len(a.listOf(t, "clusterEvolution.nodes")) != c.want {
			t.Errorf("%s: %s", what, a.Body)
		}
	}
	// Everything about the ledger is erased: its clusters die in the next sleep, and are not current now.
	var ledgers []string
	for _, c := range s.must(`{ clusters { nodes { id members(first: 100) { id content } } } }`, nil).listOf(t, "clusters.nodes") {
		if topicOf(t, c) != "ledger" {
			continue
		}
		ledgers = append(ledgers, c["id"].(string))
		for _, m := range c["members"].([]any)[2:] {
			s.must(`mutation($id: ID!) { expire(id: $id) { id } }`, vars{"id": m.(map[string]any)["id"]})
		}
	}
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	for _, id := range ledgers {
		if a := s.must(`query($id: ID!) { cluster(id: $id) { id } }`, vars{"id": id}); a.at(t, "cluster") != nil {
			t.Errorf("a cluster with two members is %s", a.Body)
		}
	}
	s.must(`mutation { sleep { report { complete } } }`, nil)
	died := 0
	for _, e := range s.must(ask, vars{"since": s.Clock.Now().Add(-time.Hour)}).listOf(t, "clusterEvolution.nodes") {
		if e["change"] == "DIED" && e["current"] == nil && slices.Contains(ledgers, e["cluster"].(string)) {
			died++
		}
	}
	if died != 2 || len(ledgers) != 2 {
		t.Errorf("%d of %d clusters died", died, len(ledgers))
	}
}

// A caller reads the clusters that its sight shows, from the members that it shows.
func TestSightOfClusters(t *testing.T) {
	s, who := clustered(t)
	var ofAna, winch string
	for _, c := range s.must(`{ clusters(user: "ana") { nodes { `+clusterFields+` } } }`, nil).listOf(t, "clusters.nodes") {
		if c["user"] == "ana" {
			if ofAna = c["id"].(string); topicOf(t, c) == "winch" {
				winch = ofAna
			}
		}
	}
	const ask = `{ clusters { nodes { user size density related { similarity } } } clusterEvolution { nodes { user size } } }`
	for name, c := range map[string]struct {
		change                 func(*engine.Caller)
		clusters, events, size int
	}{
		"ana":                {func(c *engine.Caller) { c.User = "ana" }, 5, 5, 18},
		"bo":                 {func(c *engine.Caller) { c.User = "bo" }, 2, 2, 18},
		"of another place":   {func(c *engine.Caller) { c.Namespaces = []string{"side"} }, 0, 0, 0},
		"of public memories": {func(c *engine.Caller) { c.Sensitivity = graph.Public }, 0, 0, 0},
		"of consent":         {func(c *engine.Caller) { c.Consents = []graph.Consent{graph.ConsentExplicit} }, 5, 5, 18},
	} {
		*who = reading(c.change)
		a := s.must(ask, nil)
		clusters, events := a.listOf(t, "clusters.nodes"), a.listOf(t, "clusterEvolution.nodes")
		if len(clusters) != c.clusters || len(events) != c.events {
			t.Errorf("%s: %s", name, a.Body)
		}
		for _, x := range append(clusters, events...) {
			if x["size"] != float64(c.size) {
				t.Errorf("%s: %v", name, x)
			}
		}
	}
	*who = reading(func(c *engine.Caller) { c.User = "bo" })
	if a := s.must(`query($id: ID!) { cluster(id: $id) { id } }`, vars{"id": ofAna}); a.at(t, "cluster") != nil {
		t.Errorf("bo sees a cluster of ana: %s", a.Body)
	}
	if a := s.must(`query($id: ID!) { clusterEvolution(cluster: $id) { nodes { id } } }`, vars{"id": ofAna}); len(a.listOf(t, "clusterEvolution.nodes")) != 0 {
		t.Errorf("bo sees changes of a cluster of ana: %s", a.Body)
	}
	if a := s.ask(`{ clusters(user: "ana") { nodes { id } } }`, nil); a.code() != "FORBIDDEN" {
		t.Errorf("bo asks for the clusters of ana: %s", a.Body)
	}
	if a := s.ask(`{ clusterEvolution(user: "ana") { nodes { id } } }`, nil); a.code() != "FORBIDDEN" {
		t.Errorf("bo asks for the changes of clusters of ana: %s", a.Body)
	}
	*who = reading(func(c *engine.Caller) { c.Namespaces = []string{"side"} })
	for _, query := range []string{`{ clusters(namespaces: ["default"]) { nodes { id } } }`, `{ clusterEvolution(namespaces: ["default"]) { nodes { id } } }`} {
		if a := s.ask(query, nil); a.code() != "FORBIDDEN" {
			t.Errorf("%s answers %s", query, a.Body)
		}
	}
	// Members of a higher sensitivity are not there for those who may not see them.
	*who = engine.Loopback()
	s.remember("The winch on pier 50 needs grease before the storm.", vars{"user": "ana", "sensitivity": "RESTRICTED"})
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	s.must(`mutation { sleep { report { complete } } }`, nil)
	const one = `query($id: ID!) { cluster(id: $id) { size members(first: 100) { content } activity(buckets: 1) { count } related { similarity } } }`
	for want, c := range map[float64]engine.Caller{19: engine.Loopback(), 18: reading(func(c *engine.Caller) { c.Sensitivity = graph.Internal })} {
		*who = c
		a := s.must(one, vars{"id": winch})
		if a.at(t, "cluster.size") != want || len(a.listOf(t, "cluster.members")) != int(want) || a.at(t, "cluster.activity.0.count") != want || strings.Contains(string(a.Body), "pier 50") != (want == 19) {
			t.Errorf("for %s: %s", c.Name, a.Body)
		}
		if len(a.listOf(t, "cluster.related")) == 0 {
			t.Errorf("for %s: %s", c.Name, a.Body)
		}
	}
}

// Arguments of clusters are checked, and an id of no cluster answers null.
func TestArgumentsOfClusters(t *testing.T) {
	s := start(t)
	const unknown = "0198f0a0-0000-7000-8000-000000000001"
	if a := s.must(`{ cluster(id: "`+unknown+`") { id } clusters { nodes { id } } clusterEvolution { nodes { id } } }`, nil); a.at(t, "cluster") != nil || len(a.listOf(t, "clusters.nodes")) != 0 {
		t.Errorf("without a sleep: %s", a.Body)
	}
	for query, field := range map[string]string{
		`{ cluster(id: "winch") { id } }`:                                                "id",
		`{ clusters(first: 0) { nodes { id } } }`:                                        "first",
		`{ clusters(first: 1001) { nodes { id } } }`:                                     "first",
		`{ clusters(after: "x") { nodes { id } } }`:                                      "after",
		`{ clusters(after: "AWsBmPCgAABwAIAAAAAAAAAB") { nodes { id } } }`:               "after",
		`{ clusterEvolution(first: 0) { nodes { id } } }`:                                "first",
		`{ clusterEvolution(cluster: "winch") { nodes { id } } }`:                        "cluster",
		`{ clusterEvolution(after: "AWsBmPCgAABwAIAAAAAAAAAB") { nodes { id } } }`:       "after",
		`{ clusterEvolution(after: "AWgBmPCgAABwAIAAAAAAAAAB_____w") { nodes { id } } }`: "after",
		`{ clusterEvolution(namespaces: [""]) { nodes { id } } }`:                        "namespaces",
	} {
		if a := s.ask(query, nil); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%s answers %s", query, a.Body)
		}
	}
	s, _ = clustered(t)
	for field, name := range map[string]string{
		"terms(first: 51) { text }": "first", "members(first: 1001) { id }": "first", "memberships(first: 0) { settled }": "first",
		"keyEntities(first: 101) { id }": "first", "related(first: 51) { similarity }": "first", "activity(buckets: 101) { count }": "buckets",
	} {
		if a := s.ask(`{ clusters(first: 1) { nodes { `+field+` } } }`, nil); a.code() != "INVALID_REQUEST" || a.field() != name {
			t.Errorf("%s answers %s", field, a.Body)
		}
	}
}

// The clusters of 50 memories, and the members of all clusters, are one call each.
func TestClustersAreLoadedInBatches(t *testing.T) {
	v := &countingClusters{}
	s, _ := clustered(t, func(c *resolversConfig) { v.Verbs, c.Verbs = c.Verbs, v })
	a := s.must(`{ memories(first: 50) { nodes { cluster { id medoid { id } members(first: 2) { id } keyEntities { id } } } } }`, nil)
	if len(a.listOf(t, "memories.nodes")) != 50 {
		t.Fatalf("the memories are %s", a.Body)
	}
	if v.of != 1 || v.memories != 2 || v.entities != 1 {
		t.Errorf("clusters of memories took %d calls, members and medoids %d, entities %d", v.of, v.memories, v.entities)
	}
	s.must(`{ clusterEvolution { nodes { current { id } } } }`, nil)
	if v.byID != 1 {
		t.Errorf("the present clusters took %d calls", v.byID)
	}
}

// A rollback takes back what a sleep told: a client that follows the changes has the clusters in force, also if it
// resumes. A client that resumes after an earlier change is not told of what it never heard.
func TestClusterEventsOfARollback(t *testing.T) {
	v := &countingClusters{open: make(chan struct{}, 2)}
	s, _ := clustered(t, func(c *resolversConfig) { v.Verbs, c.Verbs = c.Verbs, v })
	const subscribe = `subscription { clusterEvents { id change cluster size } }`
	live := s.subscribe(subscribe)
	<-v.open
	next := func(from <-chan map[string]any) map[string]any {
		t.Helper()
		select {
		case x := <-from:
			return x["clusterEvents"].(map[string]any)
		case <-t.Context().Done():
			t.Fatal("no change")
			return nil
		}
	}
	night := func(what string) string {
		t.Helper()
		for i := range 12 {
			s.remember(fmt.Sprintf(what, i), nil)
		}
		s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
		return s.must(`mutation { sleep { report { id } } }`, nil).at(t, "sleep.report.id").(string)
	}
	night("Parcel %d waits for customs at the airport.")
	first := next(live)
	report := night("Lighthouse %d blinks in the fog.")
	born := next(live)
	if born["change"] != "BORN" {
		t.Fatalf("the second night: %v", born)
	}
	s.must(`mutation { advanceClock(seconds: 60) }`, nil)
	s.must(`mutation($i: ID!) { rollback(id: $i) { restored } }`, vars{"i": report})
	died := next(live)
	if died["change"] != "DIED" || died["cluster"] != born["cluster"] || died["size"] != born["size"] {
		t.Errorf("the rollback of %v told %v", born, died)
	}
	after := func(x map[string]any) <-chan map[string]any {
		t.Helper()
		return s.subscribe(strings.Replace(subscribe, "clusterEvents", fmt.Sprintf("clusterEvents(after: %q)", x["id"]), 1))
	}
	if resumed := next(after(born)); resumed["id"] != died["id"] {
		t.Errorf("after the birth: %v, want %v", resumed, died)
	}
	early := after(first)
	s.must(`mutation { advanceClock(seconds: 60) }`, nil)
	s.must(`mutation { sleep { report { id } } }`, nil)
	again := next(live)
	if again["change"] != "BORN" || again["size"] != born["size"] {
		t.Errorf("the next sleep told %v", again)
	}
	if x := next(early); x["id"] != again["id"] {
		t.Errorf("who had not heard of the birth is told %v, want %v", x, again)
	}
	for _, e := range s.must(`{ clusterEvolution { nodes { change } } }`, nil).at(t, "clusterEvolution.nodes").([]any) {
		if e.(map[string]any)["change"] != "BORN" {
			t.Errorf("the evolution has %v", e)
		}
	}
}

// Changes of clusters of a sleep reach who sees them, and only those.
func TestClusterEvents(t *testing.T) {
	v := &countingClusters{open: make(chan struct{}, 2)}
	s, who := clustered(t, func(c *resolversConfig) { v.Verbs, c.Verbs = c.Verbs, v })
	const subscribe = `subscription { clusterEvents { id change user size cluster current { size } } }`
	*who = reading(func(c *engine.Caller) { c.User = "bo" })
	ofBo := s.subscribe(subscribe)
	<-v.open
	*who = reading(func(c *engine.Caller) { c.User = "ana" })
	ofAna := s.subscribe(subscribe)
	<-v.open
	*who = engine.Loopback()
	for i := range 12 {
		s.remember(fmt.Sprintf("Seagull %d steals a sandwich from the kiosk.", i), vars{"user": "ana"})
		s.remember(fmt.Sprintf("Parcel %d waits for customs at the airport.", i), nil)
	}
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	s.must(`mutation { sleep { report { complete } } }`, nil)
	first := (<-ofBo)["clusterEvents"].(map[string]any)
	if first["change"] != "BORN" || first["user"] != nil || first["size"] != 12.0 || first["current"].(map[string]any)["size"] != 12.0 {
		t.Errorf("bo is told %v", first)
	}
	users := map[any]int{}
	for range 2 {
		users[(<-ofAna)["clusterEvents"].(map[string]any)["user"]]++
	}
	if users["ana"] != 1 || users[nil] != 1 {
		t.Errorf("ana is told of changes of %v", users)
	}
	// The next change that bo is told of is of a later sleep: it is told of none of ana.
	s.must(`mutation { advanceClock(seconds: 3600) }`, nil)
	for i := range 12 {
		s.remember(fmt.Sprintf("Lighthouse %d blinks in the fog.", i), nil)
	}
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	s.must(`mutation { sleep { report { complete } } }`, nil)
	next := (<-ofBo)["clusterEvents"].(map[string]any)
	if next["user"] != nil || next["id"] == first["id"] {
		t.Errorf("bo is told %v", next)
	}
	*who = reading(func(c *engine.Caller) { c.User = "bo" })
	again := s.subscribe(strings.Replace(subscribe, "clusterEvents", fmt.Sprintf("clusterEvents(after: %q)", first["id"]), 1))
	if resumed := (<-again)["clusterEvents"].(map[string]any); resumed["id"] != next["id"] {
		t.Errorf("after %v bo is told %v, want %v", first["id"], resumed["id"], next["id"])
	}
	if body := s.firstEvent(`subscription { clusterEvents(after: "x.1") { id } }`); !strings.Contains(body, "must be the id of a change") {
		t.Errorf("an id of no change answers %s", body)
	}
	*who = reading(func(c *engine.Caller) { c.Namespaces = []string{"side"} })
	if body := s.firstEvent(`subscription { clusterEvents(namespaces: ["default"]) { id } }`); !strings.Contains(body, `"FORBIDDEN"`) {
		t.Errorf("a namespace that is not granted answers %s", body)
	}
}

// countingClusters counts calls, and says on open that a stream of changes is open.
type countingClusters struct {
	resolvers.Verbs
	open                         chan struct{}
	mu                           sync.Mutex
	of, byID, memories, entities int
}

func (v *countingClusters) count(n *int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	*n++
}

func (v *countingClusters) ClustersOfMemories(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.Cluster, error) {
	v.count(&v.of)
	return v.Verbs.ClustersOfMemories(ctx, c, ids)
}

func (v *countingClusters) ClustersByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.Cluster, error) {
	v.count(&v.byID)
	return v.Verbs.ClustersByID(ctx, c, ids)
}

func (v *countingClusters) MemoriesByID(ctx context.Context, c engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error) {
	v.count(&v.memories)
	return v.Verbs.MemoriesByID(ctx, c, ids, a)
}

func (v *countingClusters) EntitiesByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.EntityView, error) {
	v.count(&v.entities)
	return v.Verbs.EntitiesByID(ctx, c, ids)
}

func (v *countingClusters) ClusterEvents(ctx context.Context, c engine.Caller, namespaces []string, after engine.ClusterEventPlace) (<-chan engine.ClusterEvent, error) {
	events, err := v.Verbs.ClusterEvents(ctx, c, namespaces, after)
	if err == nil {
		v.open <- struct{}{}
	}
	return events, err
}
