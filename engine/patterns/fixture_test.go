package patterns_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/library"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/session"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// world is a store with the rooms that make, show and erase patterns.
type world struct {
	*testing.T
	store    graph.Store
	index    *index.Index
	clock    *enginetest.Clock
	ingest   *ingest.Service
	groups   patterns.Clusters
	sleep    *sleep.Service
	recall   *recall.Service
	erasure  *erasure.Service
	patterns *patterns.Service
	caller   workspace.Caller

	newPatterns func(patterns.Clusters) // has the patterns drawn from other clusters
}

func newWorld(t *testing.T) *world {
	t.Helper()
	store, err := openStore(t)
	if err != nil {
		t.Fatal(err)
	}
	idx, err := index.Open(t.Context(), store, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, store: store, index: idx, clock: enginetest.NewClock(enginetest.Start), caller: workspace.Loopback()}
	ws, err := workspace.New(t.Context(), workspace.Options{
		Store: store, Index: idx, Embedder: hashed.New(), Clock: w.clock, Rand: enginetest.Random(5), Log: slog.New(slog.DiscardHandler), MaxContent: 32 << 10, Retry: time.Hour, Sweep: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	groups := grouping.New(ws)
	w.groups = patterns.Grouped(groups)
	w.sleep = sleep.New(ws, groups, sleep.Options{})
	w.ingest = ingest.New(ws, nil, w.sleep)
	w.sleep.UseSerial(w.ingest)
	s := session.New(ws, w.ingest, time.Hour)
	w.recall = recall.New(ws, groups, s, recall.Options{})
	w.erasure = erasure.New(ws, w.sleep, w.ingest, s, library.New(ws, w.ingest, document.Limits{}), w.ingest, w.recall)
	w.newPatterns = func(c patterns.Clusters) { w.sleep.UseClusters(c); w.patterns = patterns.New(ws, c, w.sleep, w.ingest) }
	w.newPatterns(clustersByProject{})
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		for _, close := range []func(context.Context) error{ws.Close, idx.Close, func(context.Context) error { return store.Close() }} {
			if err := close(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	return w
}

// clustersByProject takes the ACTIVE memories of a project for a cluster. A project that begins with
// "loose" has a low density.
type clustersByProject struct{}

func (clustersByProject) Settled(ctx context.Context, t *workspace.Tenant) (out []patterns.Cluster, err error) {
	err = t.Whole().View(ctx, func(r graph.Reader) error {
		out, err = clustersIn(r)
		return err
	})
	return out, err
}

func clustersIn(r graph.Reader) ([]patterns.Cluster, error) {
	var out []patterns.Cluster
	for m, err := range graph.AllMemories(r, graph.MemoryQuery{Statuses: []graph.Status{graph.Active}}) {
		if err != nil {
			return nil, err
		}
		if m.Project == "" || m.Pattern != nil || m.Consent == graph.ConsentNone {
			continue
		}
		id, err := clusterID(m.Namespace, m.User, m.Project)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(out, func(c patterns.Cluster) bool { return c.ID == id })
		if at < 0 {
			density := 0.9
			if strings.HasPrefix(m.Project, "loose") {
				density = 0.3
			}
			out, at = append(out, patterns.Cluster{ID: id, Namespace: m.Namespace, User: m.User, Density: density}), len(out)
		}
		out[at].Members = append(out[at].Members, m.ID)
	}
	return out, nil
}

func clusterID(namespace, user, project string) (graph.ID, error) {
	return graph.DerivedID(enginetest.Start, "cluster", namespace, user, project)
}

// clusterOf is the id of the cluster of a project of nobody in the default namespace.
func (w *world) clusterOf(project string) graph.ID {
	w.Helper()
	id, err := clusterID(workspace.DefaultNamespace, "", project)
	if err != nil {
		w.Fatal(err)
	}
	return id
}

// remember writes a memory of a project.
func (w *world) remember(project, text string, change ...func(*ingest.RememberInput)) graph.ID {
	w.Helper()
	in := ingest.RememberInput{Content: text, Consent: graph.ConsentExplicit, Project: project, Type: graph.Semantic, OnDuplicate: ingest.Insert, Session: fmt.Sprint(w.clock.Now().Unix())}
	for _, f := range change {
		f(&in)
	}
	r, err := w.ingest.Remember(w.Context(), w.caller, in)
	if err != nil {
		w.Fatal(err)
	}
	w.clock.Advance(time.Minute)
	return r.Memory.ID
}

// say writes n memories of a project, each in other words.
func (w *world) say(n int, project string, texts []string, change ...func(*ingest.RememberInput)) (ids []graph.ID) {
	w.Helper()
	for i := range n {
		text := strings.Replace(texts[i%len(texts)], "{}", said[i%len(said)], 1)
		ids = append(ids, w.remember(project, text, change...))
	}
	return ids
}

// said are beginnings and ends that make sentences differ.
var said = []string{"Ada told us", "Ben wrote", "Cleo repeated", "Dora noted", "Emil reminded us", "Finn posted", "Gus said", "Hana explained", "Iris told everybody", "Jo insisted", "Kim added", "Lea mentioned", "Mats warned", "Nora recalled", "Olaf stressed", "Pia confirmed", "Rolf stated", "Sven declared", "Tara announced", "Udo argued", "Vito underlined", "Wim claimed", "Yara knew", "Zoe wrote down"}

// chatter fills a cluster.
func (w *world) chatter(n int, project string) (ids []graph.ID) {
	w.Helper()
	for i := range n {
		ids = append(ids, w.remember(project, fmt.Sprintf("%s a story about lighthouse %d, a whale and the fog of %d.", said[i%len(said)], i, 1900+i)))
	}
	return ids
}

// night runs a deep sleep one day later.
func (w *world) night() *sleep.Report {
	w.Helper()
	w.clock.Advance(25 * time.Hour)
	r, err := w.sleep.Sleep(w.Context(), w.caller, sleep.Input{Deep: true, Wait: true})
	if err != nil {
		w.Fatal(err)
	}
	if !r.Complete {
		w.Fatalf("the sleep is not complete: %+v", r)
	}
	return r
}

// all lists the ACTIVE patterns.
func (w *world) all(c ...workspace.Caller) []patterns.Pattern {
	w.Helper()
	page, err := w.patterns.Patterns(w.Context(), append(c, w.caller)[0], patterns.Input{})
	if err != nil {
		w.Fatal(err)
	}
	return page.Patterns
}

// one is the only ACTIVE pattern.
func (w *world) one() patterns.Pattern {
	w.Helper()
	all := w.all()
	if len(all) != 1 {
		w.Fatalf("%d patterns: %s", len(all), texts(all))
	}
	return all[0]
}

func texts(all []patterns.Pattern) string {
	var out []string
	for _, p := range all {
		out = append(out, fmt.Sprintf("%s %q (%d)", p.Memory.Pattern.Kind, p.Content, p.Memory.Pattern.Occurrences))
	}
	return strings.Join(out, "; ")
}
