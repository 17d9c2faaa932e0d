package transfer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// clustersOf describes the clusters of a world with their members.
func clustersOf(t *testing.T, w *enginetest.World) (all []string) {
	t.Helper()
	found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		all = append(all, fmt.Sprint(c.ID, c.Size, c.Density, c.Medoid, c.CreatedAt, c.UpdatedAt, c.Members(0)))
	}
	events, _, err := w.ClusterEvolution(t.Context(), w.Caller, engine.ClusterEventFilter{}, engine.ClusterEventPlace{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, fmt.Sprint(events))
}

// onDisk makes a world over a store in memory.
func onDisk(t *testing.T) (*enginetest.World, graph.Store) {
	t.Helper()
	store := must[*badgerstore.Store](t)(badgerstore.Open("", badgerstore.Options{InMemory: true}))
	t.Cleanup(func() { _ = store.Close() })
	return enginetest.With(t, enginetest.Options{Store: store, Sweep: 24 * time.Hour}), store
}

// Clusters move with the memories: a running server shows those of an import.
func TestImportedClusters(t *testing.T) {
	from, store := onDisk(t)
	for i := range 12 {
		for _, text := range []string{"The winch on pier %d needs grease before the storm.", "Rosa tunes the violin for concert %d in the chapel."} {
			_, err := from.Engine.Remember(t.Context(), from.Caller, engine.RememberInput{Content: fmt.Sprintf(text, i), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
			if err != nil {
				t.Fatal(err)
			}
		}
		from.Clock.Advance(time.Hour)
	}
	if _, err := from.Engine.Sleep(t.Context(), from.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	want := clustersOf(t, from)
	if len(want) != 3 {
		t.Fatalf("the clusters are %v", want)
	}
	var text bytes.Buffer
	if _, err := transfer.Export(t.Context(), store, from.Caller.Scope(), "", &text); err != nil {
		t.Fatal(err)
	}
	to, into := onDisk(t)
	to.Clock.Advance(from.Clock.Now().Sub(to.Clock.Now()))
	if before := clustersOf(t, to); len(before) != 1 {
		t.Fatalf("an empty tenant has the clusters %v", before)
	}
	if _, err := transfer.Import(t.Context(), into, to.Caller.Scope(), to.Clock.Now(), nil, bytes.NewReader(text.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := to.ReloadClusters(t.Context(), to.Caller); err != nil {
		t.Fatal(err)
	}
	if got := clustersOf(t, to); !slices.Equal(got, want) {
		t.Errorf("after the import the clusters are\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	limited := to.Caller
	limited.User, limited.Admin = "ana", false
	if err := to.ReloadClusters(t.Context(), limited); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a caller of one user reloads the clusters: %v", err)
	}

	// An import whose notes of clusters are damaged is refused.
	notes := func(kind string) func(map[string]any) bool {
		return func(n map[string]any) bool { return n["Kind"] == kind }
	}
	data := func(x any) func(map[string]any) {
		return func(n map[string]any) {
			raw, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			n["Data"] = raw
		}
	}
	for _, x := range []struct {
		kind, wrong string
		change      func(map[string]any)
	}{
		{"CLUSTERS", "no settlement", data("none")},
		{"CLUSTERS", "no settlement", data(map[string]any{"parts": -1})},
		{"CLUSTERS", "no settlement", data(map[string]any{"parts": 1 << 30})},
		{"CLUSTERS", "part 1 is missing", data(map[string]any{"parts": 2})},
		{"CLUSTERS", "Memories", func(n map[string]any) { n["Memories"] = []string{"0198f0a0-0000-7000-8000-000000000001"} }},
		{"CLUSTERS", "At", func(n map[string]any) { n["At"] = "2999-01-01T00:00:00Z" }},
		{"CLUSTERPART", "no part", data(7)},
		{"CLUSTERPART", "no part", data(map[string]any{"root": "x", "body": "%"})},
		{"CLUSTERPART", "ends early", data(map[string]any{"root": "x", "body": "AAAA"})},
		{"CLUSTERPART", "is missing", data(map[string]any{"root": "x", "body": ""})},
		{"CLUSTEREVENTS", "no changes", data(map[string]any{"events": []any{map[string]any{"k": "GREW"}}})},
		{"CLUSTEREVENTS", "no changes", data(map[string]any{"events": []any{map[string]any{"k": "BORN", "n": -1}}})},
	} {
		lines := edited(t, text.String(), "note", notes(x.kind), x.change)
		if _, err := transfer.Check(strings.NewReader(lines)); err == nil || !strings.Contains(err.Error(), x.wrong) {
			t.Errorf("%s, %s: the check says %v", x.kind, x.wrong, err)
		}
	}
}
