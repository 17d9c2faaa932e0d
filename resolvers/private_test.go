package resolvers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// privateReads are reads of what comes out of a conversation and a document.
var privateReads = map[string]string{
	"search":    `{ search(input: {query: "zuqoru boat", topK: 50, minScoreRatio: 0, track: false}) { hits { memory { id content user agent private entities { name mentionCount } } score } } }`,
	"memories":  `{ memories(first: 200) { nodes { id content session agent conflict usage claims { subject object } derivedFrom { id } } } }`,
	"session":   `{ memories(filter: {session: "talk"}) { nodes { id content } } }`,
	"prompt":    `{ context(input: {query: "zuqoru boat", session: "talk", track: false, includeImplicit: true}) { text } }`,
	"tasks":     `{ tasks { nodes { memory { content } status blockedBy } } }`,
	"entities":  `{ entities(first: 100) { nodes { name mentionCount } } }`,
	"documents": `{ documents { nodes { path private chunks memories { content } } } }`,
	"facts":     `{ facts(subject: "zuqoru") { object } }`,
	"known":     `{ known(user: "ana") { total lines { memory { content } } } }`,
	"timeline":  `{ timeline { from born } }`,
	"relations": `{ relations { nodes { source { name } target { name } } } }`,
	"figures":   `{ health { memories entities } }`,
}

// keepers are the callers of the tests of private memories, by the names in their headers.
func keepers(r *http.Request) (engine.Caller, error) {
	name := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if name == "service" || name == "" {
		return engine.Loopback(), nil
	}
	c := engine.Caller{Tenant: "default", Name: name, User: "ana", Agent: name, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}}
	switch name {
	case "ana":
		c.Agent = ""
	case "bot of bo":
		c.User, c.Agent = "bo", "bot"
	}
	return c, nil
}

// as sends an operation of a caller.
func (s *server) as(caller, query string, variables any) *answer {
	s.t.Helper()
	body, err := json.Marshal(vars{"query": query, "variables": variables})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.post(body, "Authorization", "Bearer "+caller)
}

// stream opens a subscription of a caller and returns its messages.
func (s *server) stream(caller, query string) <-chan string {
	s.t.Helper()
	body, err := json.Marshal(vars{"query": query})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+caller)
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { resp.Body.Close() })
	messages := make(chan string, 1024)
	go func() {
		defer close(messages)
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is && data != "" {
				messages <- data
			}
		}
	}()
	return messages
}

// steps opens a subscription of a caller to the steps of ingests, and returns when it has begun.
func (s *server) steps(caller string) <-chan string {
	s.t.Helper()
	messages := s.stream(caller, `subscription { ingestProgress { path phase chunks result { written } } }`)
	number := 0
	for len(messages) == 0 {
		number++
		s.must(fmt.Sprintf(`mutation { ingest(input: {text: "# First", path: "first%d.md", consent: EXPLICIT, user: "ana"}) { written } }`, number), nil)
	}
	for m := range messages {
		if strings.Contains(m, fmt.Sprintf("first%d.md", number)) && strings.Contains(m, `"DONE"`) {
			return messages
		}
	}
	s.t.Fatal("the stream has ended")
	return nil
}

// keepPrivate writes a private conversation and a private document for an agent.
func (s *server) keepPrivate(caller, agent string) {
	s.t.Helper()
	for _, turn := range []string{
		"I must repaint the zuqoru boat before Friday.", "My sister Velmira lives in Trondheim with the zuqoru crew.", "TODO: ask Velmira for the keys of the zuqoru shed.",
	} {
		a := s.as(caller, `mutation($in: ObserveInput!) { observe(input: $in) { memory { id private user agent } } }`, vars{"in": vars{
			"session": "talk", "role": "USER", "text": turn, "consent": "EXPLICIT", "user": "ana", "agent": agent, "private": true,
		}})
		if a.code() != "" || a.at(s.t, "observe.memory.private") != true || a.at(s.t, "observe.memory.user") != "ana" || a.at(s.t, "observe.memory.agent") != "bot" {
			s.t.Fatalf("observe: %s", a.Body)
		}
	}
	a := s.as(caller, `mutation($in: [ObserveInput!]!) { observePast(input: $in) { memory { private } error { message } } }`, vars{"in": []vars{{
		"session": "letters", "role": "USER", "text": "Velmira sold the zuqoru dinghy.", "consent": "EXPLICIT", "user": "ana", "agent": agent, "private": true, "occurredAt": "2020-01-02T03:04:05Z",
	}}})
	if a.code() != "" || a.at(s.t, "observePast.0.memory.private") != true {
		s.t.Fatalf("observePast: %s", a.Body)
	}
	a = s.as(caller, `mutation($in: IngestInput!) { ingest(input: $in) { written document { private user } error { message } } }`, vars{"in": vars{
		"text": "# Zuqoru boat\n\nThe anchor of the zuqoru boat weighs nine kilos.", "path": "boat.md", "consent": "EXPLICIT", "user": "ana", "agent": agent, "private": true,
	}})
	if a.code() != "" || a.at(s.t, "ingest.document.private") != true || a.at(s.t, "ingest.document.user") != "ana" {
		s.t.Fatalf("ingest: %s", a.Body)
	}
}

// What an agent observes and ingests as private, and all that comes out of it, is seen by the agent alone and by
// who sees the whole tenant. Others read the same bytes as before.
func TestPrivateConversationsAndDocuments(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = keepers })
	others := []string{"ana", "crow", "bot of bo"}
	s.remember("The zuqoru boat belongs to Ana.", vars{"user": "ana"})
	ingestShared := `mutation { ingest(input: {text: "# Zuqoru boat\n\nEverybody may read this page.", path: "boat.md", consent: EXPLICIT, user: "ana"}) { written } }`
	s.must(ingestShared, nil)
	s.must(`mutation { observe(input: {session: "talk", role: USER, text: "The sails are at home.", consent: EXPLICIT, user: "ana"}) { __typename } }`, nil)
	s.must(`mutation { closeSession(session: "talk") { session } }`, nil)
	streams := map[string]<-chan string{}
	for _, caller := range []string{"ana", "crow", "bot"} {
		streams[caller+" steps"] = s.steps(caller)
	}
	for _, caller := range []string{"ana", "crow", "bot"} {
		after := s.as(caller, `{ eventCursor }`, nil).at(t, "eventCursor")
		streams[caller+" events"] = s.stream(caller, fmt.Sprintf(`subscription { memoryEvents(after: %q) { kind memory { content } } }`, after))
	}
	before := map[string]string{}
	for _, caller := range others {
		for name, query := range privateReads {
			a := s.as(caller, query, nil)
			if a.code() != "" && a.code() != string(graph.CodeForbidden) {
				t.Fatalf("%s: %s", name, a.Body)
			}
			before[caller+name] = string(a.Body)
		}
	}
	s.keepPrivate("bot", "")
	for _, phase := range []string{"in the buffer", "after the end of the session"} {
		for _, caller := range others {
			for name, query := range privateReads {
				if a := s.as(caller, query, nil); string(a.Body) != before[caller+name] {
					t.Errorf("%s: %s reads %s\n%s\nbefore\n%s", phase, caller, name, a.Body, before[caller+name])
				}
			}
		}
		for name, words := range map[string][]string{
			"search": {"repaint", "Trondheim", "anchor", "dinghy"}, "memories": {"repaint", "Trondheim", "anchor", "dinghy"}, "session": {"repaint", "Trondheim"},
			"prompt": {"repaint"}, "tasks": {"ask Velmira"}, "entities": {"Velmira"}, "known": {"dinghy"}, "documents": {"Everybody may read", "anchor"},
		} {
			a := s.as("bot", privateReads[name], nil)
			for _, word := range words {
				if name == "entities" && phase == "in the buffer" {
					continue // entities are linked when a turn leaves the buffer
				}
				if !strings.Contains(string(a.Body), word) {
					t.Errorf("%s: %s does not show %q to the agent: %s", phase, name, word, a.Body)
				}
			}
		}
		if phase == "in the buffer" {
			if a := s.as("crow", `mutation { closeSession(session: "letters") { session } }`, nil); a.code() != string(graph.CodeMemoryNotFound) {
				t.Errorf("another agent closes the session: %s", a.Body)
			}
			for _, session := range []string{"letters", "talk"} {
				if a := s.as("bot", `mutation($s: String!) { closeSession(session: $s) { session } }`, vars{"s": session}); a.code() != "" {
					t.Errorf("the agent closes the session: %s", a.Body)
				}
			}
		}
	}
	s.must(`mutation { remember(input: {content: "The sentinel is on duty.", consent: EXPLICIT, user: "ana"}) { memory { id } } }`, nil)
	s.must(`mutation { ingest(input: {text: "# Sentinel\n\nOn duty.", path: "sentinel.md", consent: EXPLICIT, user: "ana"}) { written } }`, nil)
	for _, caller := range []string{"ana", "crow"} {
		if m := <-streams[caller+" events"]; !strings.Contains(m, "sentinel") {
			t.Errorf("%s gets the event %s", caller, m)
		}
		m := <-streams[caller+" steps"]
		for strings.Contains(m, `"first`) { // of the streams that were opened later
			m = <-streams[caller+" steps"]
		}
		if !strings.Contains(m, "sentinel.md") {
			t.Errorf("%s gets the step %s", caller, m)
		}
	}
	if m := <-streams["bot events"]; !strings.Contains(m, "repaint") {
		t.Errorf("the agent gets the event %s", m)
	}
	m := <-streams["bot steps"]
	if !strings.Contains(m, "boat.md") {
		t.Errorf("the agent gets the step %s", m)
	}
	if a := s.ask(privateReads["memories"], nil); !strings.Contains(string(a.Body), "Trondheim") {
		t.Errorf("an administrator reads %s", a.Body)
	}
}

// The rule of who may keep something private is that of remember.
func TestWhoKeepsTurnsAndDocumentsPrivate(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = keepers })
	s.keepPrivate("service", "bot") // a service names the agent
	if a := s.as("bot", privateReads["search"], nil); !strings.Contains(string(a.Body), "anchor") {
		t.Errorf("the agent reads %s", a.Body)
	}
	for name, x := range map[string]struct {
		caller, agent, want, field string
	}{
		"for another agent": {"bot", "crow", string(graph.CodeForbidden), "agent"},
		"by a user's key":   {"ana", "bot", string(graph.CodeForbidden), "agent"},
		"for no agent":      {"service", "", string(graph.CodeInvalidRequest), "agent"},
		"forged":            {"service", "bot\x1fcrow", string(graph.CodeInvalidRequest), "agent"},
	} {
		turn := vars{"session": "talk", "role": "USER", "text": "A secret.", "consent": "EXPLICIT", "user": "ana", "agent": x.agent, "private": true}
		page := vars{"text": "A secret.", "path": "secret.md", "consent": "EXPLICIT", "user": "ana", "agent": x.agent, "private": true}
		for verb, a := range map[string]*answer{
			"observe": s.as(x.caller, `mutation($in: ObserveInput!) { observe(input: $in) { memory { id } } }`, vars{"in": turn}),
			"ingest":  s.as(x.caller, `mutation($in: IngestInput!) { ingest(input: $in) { written } }`, vars{"in": page}),
		} {
			if a.code() != x.want || a.field() != x.field {
				t.Errorf("%s %s: %s", verb, name, a.Body)
			}
		}
	}
}

// A private document is removed by its agent, and erasing the user erases what its agents keep private.
func TestPrivateDocumentsAndSessionsEnd(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = keepers })
	s.keepPrivate("bot", "")
	id := s.as("bot", `{ documents { nodes { id } } }`, nil).at(t, "documents.nodes.0.id").(string)
	remove := `mutation($id: ID!) { removeDocument(id: $id) { expired } }`
	for _, caller := range []string{"crow", "ana"} {
		if a := s.as(caller, remove, vars{"id": id}); a.code() != string(graph.CodeMemoryNotFound) {
			t.Errorf("%s removes it: %s", caller, a.Body)
		}
		if a := s.as(caller, `query($id: ID!) { document(id: $id) { path } }`, vars{"id": id}); a.code() != "" || a.at(t, "document") != nil {
			t.Errorf("%s reads it: %s", caller, a.Body)
		}
	}
	share := `mutation($id: ID!) { share(id: $id, with: USER) { memory { content private user } } }`
	chunk := s.as("bot", `{ documents { nodes { memories { id } } } }`, nil).at(t, "documents.nodes.0.memories.0.id")
	if a := s.as("bot", share, vars{"id": chunk}); a.code() != string(graph.CodeInvalidRequest) || a.field() != "id" {
		t.Errorf("a chunk is shared: %s", a.Body)
	}
	turn := s.as("bot", `{ memories(filter: {session: "talk"}) { nodes { id content } } }`, nil).at(t, "memories.nodes.1")
	if a := s.as("bot", share, vars{"id": turn.(vars)["id"]}); a.code() != "" || a.at(t, "share.memory.private") != false || a.at(t, "share.memory.user") != "ana" {
		t.Errorf("a turn is shared: %s", a.Body)
	}
	if a := s.as("ana", privateReads["memories"], nil); !strings.Contains(string(a.Body), turn.(vars)["content"].(string)) || strings.Count(string(a.Body), `"content"`) != 1 {
		t.Errorf("the user reads %s", a.Body)
	}
	if a := s.as("bot", remove, vars{"id": id}); a.code() != "" || a.at(t, "removeDocument.expired") != 1.0 {
		t.Errorf("the agent removes it: %s", a.Body)
	}
	if a := s.as("ana", `mutation { forget(input: {user: "ana"}) { receipt { count } } }`, nil); a.code() != "" {
		t.Fatalf("forget: %s", a.Body)
	}
	err := s.Store.View(t.Context(), engine.Loopback().Scope(), func(r graph.Reader) error {
		for _, kind := range []graph.NoteKind{graph.NoteSession, graph.NoteDocument} {
			for n, err := range graph.AllNotes(r, kind, "", false) {
				if err != nil {
					return err
				}
				t.Errorf("after the erasure of the user there is a %s: %s", kind, n.Data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A private turn is cited by private memories of its agent only.
func TestPrivateTurnsAreCitedByPrivateMemories(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = keepers })
	turn := s.as("bot", `mutation { observe(input: {session: "talk", role: USER, text: "I live in Trondheim.", consent: EXPLICIT, private: true}) { memory { id } } }`, nil).at(t, "observe.memory.id")
	for private, want := range map[bool]string{false: string(graph.CodeInvalidRequest), true: ""} {
		a := s.as("bot", `mutation($in: RememberInput!) { remember(input: $in) { memory { sourceKind } } }`, vars{"in": vars{
			"content": "Ana lives in Trondheim.", "consent": "EXPLICIT", "session": "talk", "sourceKind": "ASSISTANT", "cites": turn, "private": private,
		}})
		if a.code() != want || want != "" && a.field() != "cites" || want == "" && a.at(t, "remember.memory.sourceKind") != "USER" {
			t.Errorf("private %v: %s", private, a.Body)
		}
	}
}

// What an agent shares is written again and its private memory expires, except a safety-critical one, which nothing ends by the way.
func TestASharedSafetyCriticalMemoryStays(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = keepers })
	for text, x := range map[string]struct {
		critical bool
		status   string
	}{"The mooring line is blue.": {false, "EXPIRED"}, "The safe load of the winch is 400 kg.": {true, "ACTIVE"}} {
		a := s.as("bot", rememberID, vars{"input": vars{"content": text, "consent": "EXPLICIT", "user": "ana", "private": true, "safetyCritical": x.critical}})
		id := a.at(t, "remember.memory.id")
		shared := s.as("bot", `mutation($id: ID!) { share(id: $id, with: USER) { memory { private safetyCritical } } }`, vars{"id": id})
		if shared.at(t, "share.memory.private") != false || shared.at(t, "share.memory.safetyCritical") != x.critical {
			t.Errorf("%s is shared: %s", text, shared.Body)
		}
		if a := s.as("bot", `query($id: ID!) { memory(id: $id) { status private } }`, vars{"id": id}); a.at(t, "memory.status") != x.status || a.at(t, "memory.private") != true {
			t.Errorf("%s: the private one is then %s", text, a.Body)
		}
	}
}
