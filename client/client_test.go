package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/client"
)

func TestLostAnswersAreAskedForAgainAndNothingIsWrittenTwice(t *testing.T) {
	s := serve(t)
	c := s.client(t, client.WithUser("ana"))
	s.lose.Store(3)
	if _, err := c.Add(t.Context(), "Key 1 opens door 1."); err != nil {
		t.Fatal(err)
	}
	s.lose.Store(2)
	if _, err := c.Observe(t.Context(), "talk", client.RoleUser, "The gate code is 4711.", client.ObserveOptions{}); err != nil {
		t.Fatal(err)
	}
	page, err := c.ListMemories(t.Context(), client.ListMemoriesOptions{})
	if err != nil || len(page.Nodes) != 2 {
		t.Errorf("memories = %d, %v; want 2", len(page.Nodes), err)
	}
}

func TestSleepIsNotRepeatedOnceItWasSent(t *testing.T) {
	s := serve(t)
	c := s.client(t)
	s.lose.Store(1)
	before := s.calls.Load()
	var away *client.UnreachableError
	if _, err := c.Sleep(t.Context(), client.SleepOptions{DryRun: new(true)}); !errors.As(err, &away) {
		t.Errorf("err = %v", err)
	}
	if n := s.calls.Load() - before; n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

func TestEventsResumeAfterACut(t *testing.T) {
	s := serve(t)
	c, writer := s.client(t), s.client(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	now, err := c.EventCursor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var written, seen []string
	write := func() {
		for range 5 {
			m, err := writer.Add(ctx, fmt.Sprintf("Box %d stands on shelf %d.", len(written), len(written)*7))
			if err != nil {
				t.Fatal(err)
			}
			written = append(written, m.ID)
		}
	}
	write()
	for event, err := range c.Events(ctx, client.EventsOptions{After: now}) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind != client.MemoryEventKindCreated {
			continue
		}
		seen = append(seen, event.ID)
		if len(seen) == len(written) {
			if len(written) == 20 {
				break
			}
			s.CloseClientConnections()
			write()
		}
	}
	if !slices.Equal(seen, written) {
		t.Errorf("seen %v, written %v", seen, written)
	}
}

func TestClustersAndPatternsOfASleep(t *testing.T) {
	s := serve(t)
	c := s.client(t)
	for i := range 12 {
		for _, text := range []string{"Seagull %d steals a sandwich from the kiosk.", "Parcel %d waits for customs at the airport."} {
			if _, err := c.Add(t.Context(), fmt.Sprintf(text, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.world.Clock.Advance(24 * time.Hour)
	report, err := c.Sleep(t.Context(), client.SleepOptions{})
	if err != nil || report.Clustered != 1 {
		t.Fatalf("clustered %+v, %v", report, err)
	}
	page, err := c.Clusters(t.Context(), client.ClustersOptions{})
	if err != nil || len(page.Nodes) != 2 || page.Nodes[0].Size != 12 || page.Nodes[0].Label == "" || len(page.Nodes[0].Terms) == 0 {
		t.Fatalf("clusters %+v, %v", page, err)
	}
	id := page.Nodes[0].ID
	one, err := c.Cluster(t.Context(), id)
	if err != nil || one == nil || len(one.Members) != 12 || len(one.Related) != 1 || one.Related[0].Cluster.ID != page.Nodes[1].ID {
		t.Errorf("cluster %+v, %v", one, err)
	}
	var e *client.Error
	if _, err := c.Cluster(t.Context(), report.ID); !errors.As(err, &e) || e.Code != "PROTOCOL" {
		t.Errorf("a cluster that is none: %v", err)
	}
	born, err := c.ClusterEvolution(t.Context(), client.ClusterEvolutionOptions{Cluster: id})
	if err != nil || len(born.Nodes) != 1 || born.Nodes[0].Change != client.ClusterChangeBorn || born.Nodes[0].Report != report.ID {
		t.Errorf("evolution %+v, %v", born, err)
	}
	made, err := c.ExtractPattern(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := c.Patterns(t.Context(), client.PatternsOptions{})
	if err != nil || len(patterns.Nodes) != len(made.Patterns) {
		t.Errorf("%d patterns, %v; extracted %+v", len(patterns.Nodes), err, made)
	}
	if _, err := c.Pattern(t.Context(), id); !errors.As(err, &e) || e.Code != "MEMORY_NOT_FOUND" {
		t.Errorf("a pattern that is none: %v", err)
	}
	if conflicts, err := c.PatternConflicts(t.Context(), client.PatternConflictsOptions{}); err != nil || len(conflicts) != 0 {
		t.Errorf("conflicts %+v, %v", conflicts, err)
	}
	if _, err := c.ResolvePattern(t.Context(), id, page.Nodes[1].ID, client.ResolvePatternOptions{Note: "asked"}); !errors.As(err, &e) || e.Code != "MEMORY_NOT_FOUND" {
		t.Errorf("a decision between patterns that are none: %v", err)
	}
}

func TestEventsEndWithTheContext(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.client(t).Events(ctx, client.EventsOptions{}) {
		t.Errorf("an event or error: %v", err)
	}
}

func TestEventsThatAreRefusedEndWithTheError(t *testing.T) {
	n := 0
	for _, err := range serve(t).client(t).Events(t.Context(), client.EventsOptions{After: "none"}) {
		var refused *client.Error
		if n++; n > 1 || !errors.As(err, &refused) || refused.Field != "after" {
			t.Fatalf("%d: %v", n, err)
		}
	}
}

func TestMessagesWithoutASessionAreAConversationThatIsClosedAtOnce(t *testing.T) {
	c := serve(t).client(t, client.WithUser("cleo"))
	messages := []client.Message{
		{Role: client.RoleSystem, Content: "You are helpful."},
		{Content: "I moved from Oslo to Bergen."},
		{Role: client.RoleAssistant, Content: "Bergen has a harbour.", OccurredAt: time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)},
		{Role: client.RoleAssistant, Content: " "},
	}
	added, err := c.AddMessages(t.Context(), messages, client.AddOptions{IdempotencyKey: "move"})
	if err != nil || len(added.Memories) != 2 || added.Replayed {
		t.Fatalf("%+v, %v", added, err)
	}
	first, second := added.Memories[0], added.Memories[1]
	if first.Session != added.Session || first.Tier != client.TierL1 || first.SourceKind != client.SourceKindUser || second.SourceKind != client.SourceKindAssistant || !second.OccurredAt.Equal(messages[2].OccurredAt) {
		t.Errorf("%+v, %+v", first, second)
	}
	if !slices.ContainsFunc(first.Claims, func(c client.ClaimRecord) bool { return c.Predicate == "lives in" && c.Object == "Bergen" }) {
		t.Errorf("claims = %+v", first.Claims)
	}
	again, err := c.AddMessages(t.Context(), messages, client.AddOptions{IdempotencyKey: "move"})
	if err != nil || !again.Replayed || len(again.Memories) != 2 || again.Memories[0].ID != first.ID || again.Memories[0].Tier != client.TierL1 {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestAConversationLargerThanTheBufferIsKeptWhole(t *testing.T) {
	c := serve(t).client(t)
	var messages []client.Message
	for n := range 60 {
		messages = append(messages, client.Message{Content: fmt.Sprintf("Crate %d holds %d bolts. ", n, n*13) + strings.Repeat("It is made of wood. ", 20)})
	}
	added, err := c.AddMessages(t.Context(), messages, client.AddOptions{})
	if err != nil || len(added.Memories) != len(messages) {
		t.Fatalf("%+v, %v", added, err)
	}
	for i, m := range added.Memories {
		if m.Content != messages[i].Content || m.Tier == client.TierL0 {
			t.Errorf("%d: %s %q", i, m.Tier, m.Content)
		}
	}
}

func TestABadMessageIsAnErrorAndThoseBeforeItAreKept(t *testing.T) {
	c := serve(t).client(t)
	tent, key := client.Message{Content: "My tent is green."}, client.AddOptions{IdempotencyKey: "tents"}
	_, err := c.AddMessages(t.Context(), []client.Message{tent, {Content: strings.Repeat("x", 40_000)}}, key)
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Field != "text" {
		t.Fatalf("err = %v", err)
	}
	if _, err = c.AddMessages(t.Context(), []client.Message{tent, {Content: "My stove is red."}}, key); err != nil {
		t.Fatal(err)
	}
	page, err := c.ListMemories(t.Context(), client.ListMemoriesOptions{})
	if err != nil || len(page.Nodes) != 2 {
		t.Errorf("memories = %d, %v; want 2", len(page.Nodes), err)
	}
}

func TestTheClientFillsInWhatCallsLeaveOut(t *testing.T) {
	c := serve(t).client(t, client.WithUser("ana"), client.WithNamespace("n"), client.WithProject("p"), client.WithAgent("a"))
	m, err := c.Add(t.Context(), "My bike is red.")
	if err != nil || m.User != "ana" || m.Namespace != "n" || m.Project != "p" || m.Agent != "a" || m.Consent != client.ConsentExplicit {
		t.Errorf("%+v, %v", m, err)
	}
	none, err := c.Search(t.Context(), "bike", client.SearchOptions{User: "bo"})
	if err != nil || len(none.Hits) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

// scripted answers with one body after another and counts the requests.
func scripted(t *testing.T, bodies ...string) (*client.Client, *int) {
	t.Helper()
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, bodies[min(n, len(bodies)-1)])
		n++
	}))
	t.Cleanup(s.Close)
	c, err := client.New(s.URL, client.WithRetry(3, 1, 1), client.WithTimeout(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return c, &n
}

func TestRepetitions(t *testing.T) {
	const away = `{"errors":[{"message":"away","extensions":{"code":"UNAVAILABLE"}}]}`
	const busy = `{"errors":[{"message":"busy","extensions":{"code":"RATE_LIMITED","retryAfter":3600}}]}`
	const failed = `{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL","id":"e-17"}}]}`
	const found = `{"data":{"search":{"hits":[],"noMatch":true}}}`
	for _, c := range []struct {
		name   string
		bodies []string
		calls  int
		code   string
	}{
		{"until it works", []string{away, away, found}, 3, ""},
		{"at most three attempts", []string{away}, 3, "UNAVAILABLE"},
		{"not if the wait is longer than the time", []string{busy}, 1, "RATE_LIMITED"},
		{"not after an internal error", []string{failed}, 1, "INTERNAL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl, n := scripted(t, c.bodies...)
			_, err := cl.Search(t.Context(), "x", client.SearchOptions{})
			var refused *client.Error
			if errors.As(err, &refused) != (c.code != "") || refused != nil && refused.Code != c.code || *n != c.calls {
				t.Errorf("%d calls, %v", *n, err)
			}
			if c.code == "INTERNAL" && refused.RequestID != "e-17" {
				t.Errorf("request id = %q", refused.RequestID)
			}
		})
	}
}

func TestKeysAreShownNowhere(t *testing.T) {
	c, err := client.New("https://127.0.0.1:1", client.WithKey("sgk_secret"), client.WithRetry(1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, called := c.Search(t.Context(), "x", client.SearchOptions{})
	_, refused := client.New("http://memory.example:8420", client.WithKey("sgk_secret"))
	if called == nil || refused == nil {
		t.Fatalf("%v, %v", called, refused)
	}
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), called.Error(), refused.Error()} {
		if strings.Contains(text, "secret") {
			t.Errorf("%q has the key", text)
		}
	}
}

func TestBadAddresses(t *testing.T) {
	for _, addr := range []string{"ftp://x", "http://", "http://a:b:c"} {
		if _, err := client.New(addr); err == nil {
			t.Errorf("%q was accepted", addr)
		}
	}
	if _, err := client.New("http://ana:hunter2@x:1"); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("err = %v", err)
	}
}

func TestCodes(t *testing.T) {
	s := serve(t)
	c := s.client(t, client.WithRetry(1, 1, 1))
	nobody, err := client.New("http://127.0.0.1:1", client.WithRetry(1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	page, _ := scripted(t, "<html>")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, end := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer end()
	for _, x := range []struct {
		ctx  context.Context
		c    *client.Client
		lose int64
		want string
	}{
		{t.Context(), nobody, 0, "UNREACHABLE"},
		{t.Context(), c, 1, "UNREACHABLE"},
		{t.Context(), page, 0, "PROTOCOL"},
		{cancelled, c, 0, "ABORTED"},
		{late, c, 0, "TIMEOUT"},
	} {
		s.lose.Store(x.lose)
		_, err := x.c.Search(x.ctx, "x", client.SearchOptions{})
		if client.Code(err) != x.want {
			t.Errorf("code of %v = %q, want %q", err, client.Code(err), x.want)
		}
	}
	if _, err = c.Search(t.Context(), "x", client.SearchOptions{TopK: 100_000}); client.Code(err) != "INVALID_REQUEST" || client.Code(errors.New("x")) != "" {
		t.Errorf("err = %v", err)
	}
}

func TestAnExternalIDFindsItsMemory(t *testing.T) {
	c := serve(t).client(t, client.WithNamespace("crm"))
	first, err := c.Remember(t.Context(), "The berth costs 300 euros.", client.RememberOptions{ExternalID: "berths/7"})
	if err != nil || first.Memory.ExternalID != "berths/7" {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := c.Remember(t.Context(), "The berth costs 300 euros.", client.RememberOptions{ExternalID: "berths/7"})
	if err != nil || again.Memory.ID != first.Memory.ID {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err = c.Remember(t.Context(), "The berth costs 320 euros.", client.RememberOptions{ExternalID: "berths/7"}); client.Code(err) != "VERSION_CONFLICT" {
		t.Errorf("err = %v", err)
	}
	next, err := c.Supersede(t.Context(), first.Memory.ID, "The berth costs 320 euros.", client.SupersedeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.GetByExternalID(t.Context(), "berths/7", client.GetByExternalIDOptions{})
	if err != nil || found.ID != next.Memory.ID || found.ExternalID != "berths/7" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err = c.GetByExternalID(t.Context(), "berths/7", client.GetByExternalIDOptions{Namespace: "default"}); client.Code(err) != "MEMORY_NOT_FOUND" {
		t.Errorf("err = %v", err)
	}
	many, err := c.RememberMany(t.Context(), []client.RememberInput{{Content: "Berth 8 is free.", ExternalID: "berths/8"}})
	if err != nil || many[0].Memory.ExternalID != "berths/8" {
		t.Errorf("%+v, %v", many, err)
	}
}

func TestADocumentIsIngestedChangedAndListed(t *testing.T) {
	c := serve(t).client(t, client.WithUser("ken"), client.WithNamespace("papers"))
	first, err := c.Ingest(t.Context(), "guide/launch.md", "# Launch\n\nThe kite is launched at dawn.\n", client.IngestOptions{})
	if err != nil || first.Error != nil || first.Written != 1 || first.Document.User != "ken" {
		t.Fatalf("%+v, %v", first, err)
	}
	next, err := c.Ingest(t.Context(), "guide/launch.md", "# Launch\n\nThe kite is launched at noon.\n", client.IngestOptions{})
	if err != nil || next.Superseded != 1 || next.Document.Version != 2 {
		t.Errorf("%+v, %v", next, err)
	}
	page, err := c.Documents(t.Context(), client.DocumentsOptions{})
	if err != nil || len(page.Nodes) != 1 || page.Nodes[0].Path != "guide/launch.md" {
		t.Errorf("%+v, %v", page, err)
	}
}
