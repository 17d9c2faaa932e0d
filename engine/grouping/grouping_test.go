package grouping_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// most is the share of memories on one matter that must be in one cluster.
const most = .75

// topic is a matter with words of its own.
type topic struct{ things, places []string }

var (
	winch   = topic{[]string{"winch", "hawser", "capstan", "bollard", "anchor chain", "windlass"}, []string{"the slipway", "the quay", "the foredeck", "the dry dock"}}
	bakery  = topic{[]string{"sourdough", "rye loaf", "brioche dough", "proving basket", "flour order", "baguette"}, []string{"the oven", "the bakery", "the proving room", "the flour mill"}}
	orchard = topic{[]string{"apple tree", "pear graft", "pruning saw", "cider press", "plum blossom", "fruit ladder"}, []string{"the orchard", "the cider house", "the north meadow", "the fruit store"}}
	violin  = topic{[]string{"violin", "cello bow", "concerto", "quartet rehearsal", "string quartet", "sonata"}, []string{"the concert hall", "the conservatory", "the music school", "the orchestra pit"}}
)

// text is the n-th sentence about the topic: three of its things and a place.
func (x topic) text(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	of := r.Perm(len(x.things))
	form := []string{"The %s and the %s were seen with a %s at %s (%d)", "%s, %s or %s: ask at %s, number %d", "Bring %s, %s and %s to %s by %d"}[n%3]
	return fmt.Sprintf(form, x.things[of[0]], x.things[of[1]], x.things[of[2]], x.places[r.IntN(len(x.places))], 100+n)
}

// say remembers sentences about a topic, from the n-th on.
func say(w *enginetest.World, x topic, from, n int, change func(*engine.RememberInput)) []graph.ID {
	w.T.Helper()
	var ids []graph.ID
	for i := range n {
		in := engine.RememberInput{Content: x.text(from + i), Type: graph.Semantic, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
		if change != nil {
			change(&in)
		}
		r, err := w.Engine.Remember(w.T.Context(), w.Caller, in)
		if err != nil {
			w.T.Fatal(err)
		}
		ids = append(ids, r.Memory.ID)
	}
	return ids
}

// night lets a day pass and sleeps deeply.
func night(w *enginetest.World) *engine.SleepReport {
	w.T.Helper()
	w.Clock.Advance(24 * time.Hour)
	r, err := w.Sleep(w.T.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
	if err != nil {
		w.T.Fatal(err)
	}
	return r
}

// clusters lists what a caller sees.
func clusters(w *enginetest.World, c engine.Caller) []*engine.Cluster {
	w.T.Helper()
	found, more, err := w.Clusters(w.T.Context(), c, engine.ClusterListInput{})
	if err != nil || more {
		w.T.Fatalf("clusters: %v, more %v", err, more)
	}
	return found
}

// village is a world that knows two matters besides the one that a test is about.
func village(t *testing.T) *enginetest.World {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default") // made-up statements of one form and few words
	say(w, bakery, 0, 24, nil)
	say(w, violin, 0, 24, nil)
	return w
}

// clusterWith returns the id of the cluster that at least the share of the memories are in.
func clusterWith(w *enginetest.World, ids []graph.ID, share float64) graph.ID {
	w.T.Helper()
	of, err := w.ClustersOfMemories(w.T.Context(), w.Caller, ids)
	if err != nil {
		w.T.Fatal(err)
	}
	count := map[graph.ID]int{}
	for _, c := range of {
		if c != nil {
			count[c.ID]++
		}
	}
	var best graph.ID
	for id, n := range count {
		if n > count[best] || n == count[best] && id < best {
			best = id
		}
	}
	if float64(count[best]) < share*float64(len(ids)) {
		w.T.Fatalf("%d of %d memories are in one cluster", count[best], len(ids))
	}
	return best
}

func TestASleepFindsTheTopics(t *testing.T) {
	w := enginetest.New(t)
	var of [3][]graph.ID
	for k, x := range []topic{winch, bakery, violin} {
		of[k] = say(w, x, 0, 24, nil)
	}
	if found := clusters(w, w.Caller); len(found) != 0 {
		t.Fatalf("%d clusters before the first sleep", len(found))
	}
	night(w)
	found := clusters(w, w.Caller)
	seen := map[graph.ID]bool{}
	for k := range of {
		id := clusterWith(w, of[k], most)
		if seen[id] {
			t.Fatal("two topics are one cluster")
		}
		seen[id] = true
	}
	for i, c := range found {
		members := c.Members(0)
		if c.Size != len(members) || c.Size < 3 || c.Density < 0 || c.Density > 1 || i > 0 && found[i-1].Size < c.Size {
			t.Errorf("cluster %d: size %d of %d members, density %g", i, c.Size, len(members), c.Density)
		}
		if !slices.IsSortedFunc(members, func(a, b engine.ClusterMember) int { return cmp.Compare(b.Strength, a.Strength) }) {
			t.Error("members are not in the order of strength")
		}
		if words := strings.Join(slices.Concat(winch.things, bakery.things, violin.things), " "); c.Label.Text == "" || len(c.Label.Terms) == 0 || !strings.Contains(words, strings.ToLower(c.Label.Terms[0].Text)) {
			t.Errorf("cluster %d is labelled %+v", i, c.Label)
		}
		sum := 0
		for _, b := range c.Activity(4) {
			sum += b.Count
		}
		if sum != c.Size {
			t.Errorf("activity counts %d of %d members", sum, c.Size)
		}
	}
}

// A new memory joins its cluster at once, without a sleep, and after a restart it is in the same one.
func TestNewMemoriesJoinByDay(t *testing.T) {
	w := village(t)
	of := say(w, winch, 0, 24, nil)
	night(w)
	home := clusterWith(w, of, most)
	fresh := say(w, winch, 24, 10, nil)
	if got := clusterWith(w, fresh, .5); got != home {
		t.Fatalf("new memories are in %s, want %s", got, home)
	}
	member := func() (joined []graph.ID) {
		for _, c := range clusters(w, w.Caller) {
			for _, m := range c.Members(0) {
				if !m.Settled {
					joined = append(joined, m.ID)
				}
			}
		}
		slices.Sort(joined)
		return joined
	}
	before := member()
	if len(before) == 0 {
		t.Fatal("no member is unsettled")
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if after := member(); !slices.Equal(before, after) {
		t.Errorf("%d joined, after a restart %d", len(before), len(after))
	}
	night(w)
	if clusterWith(w, slices.Concat(of, fresh), most) != home || len(member()) != 0 {
		t.Error("a sleep does not settle what joined")
	}
}

// The map shows the cluster of a memory that is committed and not acknowledged yet.
func TestTheMapHasWhatIsCommitted(t *testing.T) {
	w := village(t)
	of := say(w, winch, 0, 24, nil)
	night(w)
	home := clusterWith(w, of, most)
	late := w.Remember("The lamp flickers.").Memory.ID
	clusters(w, w.Caller) // all that is acknowledged has joined
	// What no verb writes is not acknowledged.
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		like, err := tx.Memory(of[0])
		if err != nil {
			return err
		}
		m, err := tx.Memory(late)
		if err != nil {
			return err
		}
		vector, err := tx.Embedding(of[0])
		if err != nil {
			return err
		}
		m.Content, m.Type = like.Content, like.Type
		return errors.Join(tx.PutEmbedding(late, vector), tx.PutMemory(m, graph.EventUpdated))
	})
	if err != nil {
		t.Fatal(err)
	}
	scene, err := w.ClustersOf(t.Context(), w.Caller, []graph.ID{late})
	if err != nil || len(scene.Clusters) != 1 || scene.Clusters[0].ID != home {
		t.Errorf("the committed memory is in %+v, %v, want %s", scene.Clusters, err, home)
	}
}

// Clusters keep their ids over nights, and births are in the list of events.
func TestIdentityAndEvents(t *testing.T) {
	w := village(t)
	of := say(w, winch, 0, 24, nil)
	night(w)
	home := clusterWith(w, of, most)
	for n := range 4 {
		say(w, winch, 24+3*n, 3, nil)
		if n == 1 {
			say(w, orchard, 0, 24, nil)
		}
		night(w)
		if got := clusterWith(w, of, most); got != home {
			t.Fatalf("night %d: the cluster is %s, it was %s", n, got, home)
		}
	}
	events, more, err := w.ClusterEvolution(t.Context(), w.Caller, engine.ClusterEventFilter{}, engine.ClusterEventPlace{}, 0)
	if err != nil || more || len(events) < 2 {
		t.Fatalf("%d events, more %v, %v", len(events), more, err)
	}
	if last := events[len(events)-1]; last.Kind != "BORN" || last.Cluster != home || last.Size < 20 {
		t.Errorf("the first event is %+v", last.Event)
	}
	var paged []engine.ClusterEvent
	for at := (engine.ClusterEventPlace{}); ; {
		page, more, err := w.ClusterEvolution(t.Context(), w.Caller, engine.ClusterEventFilter{}, at, 1)
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, page...)
		if !more {
			break
		}
		at = engine.ClusterEventPlace{Note: page[0].ID, Number: page[0].Number}
	}
	if !reflect.DeepEqual(paged, events) {
		t.Errorf("pages have %d events, the list has %d", len(paged), len(events))
	}
}

// A rollback puts the clusters of the night before in force.
func TestRollback(t *testing.T) {
	w := village(t)
	of := say(w, winch, 0, 24, nil)
	night(w)
	home, before := clusterWith(w, of, most), sizes(w)
	say(w, orchard, 0, 24, nil)
	second := night(w)
	if n := len(clusters(w, w.Caller)); n <= len(before) {
		t.Fatalf("%d clusters after the second night", n)
	}
	if _, err := w.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: second.ID}); err != nil {
		t.Fatal(err)
	}
	now := sizes(w)
	for id, size := range before {
		if now[id] < size { // what the sleep did not see yet may join by day
			t.Errorf("cluster %s has %d members after the rollback, it had %d", id, now[id], size)
		}
	}
	if len(now) != len(before) || clusterWith(w, of, most) != home {
		t.Errorf("after the rollback there are %d clusters, there were %d", len(now), len(before))
	}
	events, _, err := w.ClusterEvolution(t.Context(), w.Caller, engine.ClusterEventFilter{Sleep: second.ID}, engine.ClusterEventPlace{}, 0)
	if err != nil || len(events) != 0 {
		t.Errorf("%d events of the sleep that was rolled back, %v", len(events), err)
	}
}

// sizes are the sizes of all clusters.
func sizes(w *enginetest.World) map[graph.ID]int {
	out := map[graph.ID]int{}
	for _, c := range clusters(w, w.Caller) {
		out[c.ID] = c.Size
	}
	return out
}

// Nobody sees clusters of another user or namespace, and sizes count what the caller sees.
func TestSight(t *testing.T) {
	w := enginetest.New(t)
	say(w, winch, 0, 24, func(in *engine.RememberInput) { in.User = "ana" })
	say(w, bakery, 0, 24, func(in *engine.RememberInput) { in.User = "bo" })
	say(w, violin, 0, 24, func(in *engine.RememberInput) {
		if in.User = "ana"; strings.HasPrefix(in.Content, "Bring") {
			in.Sensitivity = graph.Restricted
		}
	})
	night(w)
	if n := len(clusters(w, w.Caller)); n < 3 {
		t.Fatalf("the administrator sees %d clusters", n)
	}
	ana := engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", User: "ana", Grant: .8}
	for _, c := range clusters(w, ana) {
		if c.Owner.User != "ana" {
			t.Errorf("ana sees a cluster of %q", c.Owner.User)
		}
		if all, err := w.ClustersByID(t.Context(), engine.Caller{Tenant: w.Caller.Tenant, Name: "bo", User: "bo", Grant: .8}, []graph.ID{c.ID}); err != nil || all[0] != nil {
			t.Errorf("bo gets a cluster of ana: %v %v", all, err)
		}
	}
	internal := ana
	internal.Sensitivity = graph.Internal
	whole, part := map[graph.ID]int{}, 0
	for _, c := range clusters(w, ana) {
		whole[c.ID] = c.Size
	}
	for _, c := range clusters(w, internal) {
		if c.Size < whole[c.ID] {
			part++
		}
		views, err := w.MemoriesByID(t.Context(), ana, idsOf(c.Members(0)), engine.Access{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range views {
			if v.Sensitivity == graph.Restricted {
				t.Error("a restricted memory is a member for a caller of internal sensitivity")
			}
		}
	}
	seen, related := clusters(w, internal), 0
	for _, c := range seen {
		found, cosines, err := c.Related(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		related += len(found)
		for i, x := range found {
			if whole[x.ID] == 0 || x.ID == c.ID || cosines[i] < 0 || cosines[i] > 1 {
				t.Errorf("related to %s: %s, cosine %g", c.ID, x.ID, cosines[i])
			}
		}
	}
	if want := len(seen) * (len(seen) - 1); related != want {
		t.Errorf("%d related clusters for a caller of internal sensitivity, want %d", related, want)
	}
	if part != 1 {
		t.Errorf("%d clusters are smaller for a caller of internal sensitivity, want 1", part)
	}
	side := w.Caller
	side.Namespaces = []string{"side"}
	if n := len(clusters(w, side)); n != 0 {
		t.Errorf("a caller of another namespace sees %d clusters", n)
	}
}

// What a limited sight sees of centroids does not depend on what it does not see.
func TestCentroidsAreThoseOfTheSight(t *testing.T) {
	w := enginetest.New(t)
	say(w, winch, 0, 24, nil)
	hidden := say(w, bakery, 0, 24, func(in *engine.RememberInput) {
		if strings.HasPrefix(in.Content, "Bring") {
			in.Sensitivity = graph.Restricted
		}
	})
	say(w, violin, 0, 24, nil)
	night(w)
	internal := w.Caller
	internal.Sensitivity = graph.Internal
	read := func() (out []float64) {
		for _, c := range clusters(w, internal) {
			_, cosines, err := c.Related(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, cosines...)
		}
		return out
	}
	before := read()
	for _, id := range hidden {
		views, err := w.MemoriesByID(t.Context(), w.Caller, []graph.ID{id}, engine.Access{})
		if err != nil {
			t.Fatal(err)
		}
		if views[0].Sensitivity != graph.Restricted {
			continue
		}
		if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
			t.Fatal(err)
		}
	}
	if after := read(); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("similarities are %v with hidden memories and %v without", before, after)
	}
}

func idsOf(members []engine.ClusterMember) []graph.ID {
	ids := make([]graph.ID, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	return ids
}

// Memories without consent are in no cluster, and erased ones leave theirs at once.
func TestConsentAndErasure(t *testing.T) {
	w := village(t)
	of := say(w, winch, 0, 24, nil)
	none := say(w, winch, 24, 8, func(in *engine.RememberInput) { in.Consent = graph.ConsentNone })
	night(w)
	home := clusterWith(w, of, most)
	in, err := w.ClustersOfMemories(t.Context(), w.Caller, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range in {
		if c != nil {
			t.Error("a memory without consent is in a cluster")
		}
	}
	size := sizes(w)[home]
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: of[:6]}); err != nil {
		t.Fatal(err)
	}
	now, err := w.ClustersByID(t.Context(), w.Caller, []graph.ID{home})
	if err != nil || now[0] == nil {
		t.Fatalf("the cluster is gone: %v", err)
	}
	for _, m := range now[0].Members(0) {
		if slices.Contains(of[:6], m.ID) {
			t.Error("an erased memory is a member")
		}
	}
	if now[0].Size >= size {
		t.Errorf("size %d, it was %d before six were erased", now[0].Size, size)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: of[6:]}); err != nil {
		t.Fatal(err)
	}
	if n := sizes(w)[home]; n != 0 {
		t.Errorf("the cluster has %d members after all were erased", n)
	}
	night(w)
}

// Settlements that no rollback can reach are removed.
func TestOldSettlementsAreRemoved(t *testing.T) {
	w := enginetest.New(t)
	for n := range 20 {
		say(w, winch, 6*n, 6, nil)
		night(w)
	}
	for kind, most := range map[graph.NoteKind]int{graph.NoteClusters: 11, graph.NoteClusterPart: 11} {
		n := 0
		err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error {
			for _, err := range graph.AllNotes(r, kind, "", false) {
				if n++; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n == 0 || n > most {
			t.Errorf("%d notes %s after 20 nights, want 1 to %d; %v", n, kind, most, err)
		}
	}
}

// A second sleep of a night groups what was written since the first one, and nothing else.
func TestASecondSleepGroupsWhatIsNew(t *testing.T) {
	w := village(t)
	night(w)
	before := sizes(w)
	again := func() *engine.SleepReport {
		w.Clock.Advance(time.Hour)
		r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := again(); r.Clustered != 0 {
		t.Errorf("%d owners are grouped again without a change", r.Clustered)
	}
	w.Clock.Advance(time.Minute)
	of := say(w, orchard, 0, 24, nil)
	if r := again(); r.Clustered != 1 {
		t.Errorf("%d owners are grouped after new memories, want 1", r.Clustered)
	}
	home := clusterWith(w, of, most)
	for id, size := range before {
		if id == home || size >= 10 && sizes(w)[id] < size/2 {
			t.Errorf("cluster %s had %d members and has %d", id, size, sizes(w)[id])
		}
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: of[:4]}); err != nil {
		t.Fatal(err)
	}
	if r := again(); r.Clustered != 1 {
		t.Errorf("%d owners are grouped after an erasure, want 1", r.Clustered)
	}
}
