package index

import (
	"hash/fnv"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// subjectKeys keys claims by their subjects.
type subjectKeys struct{ version uint64 }

func keyOf(subject string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(subject))
	return h.Sum64()
}

func (subjectKeys) Of(m *graph.Memory) (keys []uint64) {
	for _, c := range m.Claims {
		for _, s := range c.History {
			keys = append(keys, keyOf(s.Subject))
		}
	}
	return keys
}

func (k subjectKeys) Sum() uint64 { return k.version }

// claiming makes a memory with a claim about each subject.
func claiming(f *feed, at time.Time, subjects ...string) *graph.Memory {
	return f.memory(at, "a zebra", func(m *graph.Memory) {
		for i, s := range subjects {
			m.Claims = append(m.Claims, graph.Claim{N: i + 1, History: []graph.ClaimState{{From: at, Subject: s, Predicate: "is"}}})
		}
	})
}

func idsOfDocs(docs []*Doc) (ids []graph.ID) {
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}

func every(*Doc) bool { return true }

func TestClaimsAreFoundByKey(t *testing.T) {
	f, dir := newFeed(), t.TempDir()
	a, b := claiming(f, epoch, "ana", "bo"), claiming(f, epoch.Add(time.Minute), "ana")
	c := claiming(f, epoch.Add(2*time.Minute), "cy")
	f.put(a, testvectors.Unit(1, 24))
	f.put(b, testvectors.Unit(2, 24))
	f.put(c, nil)
	x := opened(t, f, Options{Dir: dir, Claims: subjectKeys{1}})
	settle(t, x, f)
	find := func(x *Index, subject string, limit int) []graph.ID {
		return idsOfDocs(x.MemoriesClaiming(world, []string{a.Namespace}, keyOf(subject), every, limit))
	}
	expectList(t, "about ana", find(x, "ana", 9), []graph.ID{b.ID, a.ID})
	expectList(t, "the last one", find(x, "ana", 1), []graph.ID{b.ID})
	expectList(t, "about nobody", find(x, "dee", 9), nil)
	expectList(t, "in another namespace", idsOfDocs(x.MemoriesClaiming(world, []string{"elsewhere"}, keyOf("ana"), every, 9)), nil)
	expectList(t, "in all namespaces", idsOfDocs(x.MemoriesClaiming(world, nil, keyOf("bo"), every, 9)), []graph.ID{a.ID})
	expectList(t, "that are kept", idsOfDocs(x.MemoriesClaiming(world, nil, keyOf("ana"), func(d *Doc) bool { return d.ID == a.ID }, 1)), []graph.ID{a.ID})

	among := func(x *Index, namespace, subject string, ids ...graph.ID) []graph.ID {
		return idsOfDocs(x.ClaimingAmong(world, namespace, keyOf(subject), ids))
	}
	expectList(t, "about ana among all", among(x, a.Namespace, "ana", a.ID, c.ID, b.ID, "unknown"), []graph.ID{a.ID, b.ID})
	expectList(t, "about ana among others", among(x, a.Namespace, "ana", c.ID), nil)
	expectList(t, "about nobody, among all", among(x, a.Namespace, "dee", a.ID, b.ID, c.ID), nil)
	expectList(t, "among all, in another namespace", among(x, "elsewhere", "ana", a.ID, b.ID), nil)

	passes := func(f Filter, id graph.ID) bool { return x.Passing(world, &f, epoch, id) != nil }
	for _, k := range []struct {
		name string
		f    Filter
		id   graph.ID
		want bool
	}{
		{"any", Filter{}, a.ID, true},
		{"in its namespace", Filter{Namespaces: []string{a.Namespace}}, a.ID, true},
		{"in another namespace", Filter{Namespaces: []string{"elsewhere"}}, a.ID, false},
		{"of another user", Filter{Users: []string{"nobody"}}, a.ID, false},
		{"in a session that is not known", Filter{Session: "unknown"}, a.ID, false},
		{"SUPERSEDED", Filter{Statuses: []graph.Status{graph.Superseded}}, a.ID, false},
		{"unknown", Filter{}, "unknown", false},
	} {
		expect(t, k.name, passes(k.f, k.id), k.want)
	}

	// A snapshot keeps the keys, also of a memory whose text is analysed no more.
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	x = opened(t, f, Options{Dir: dir, Claims: subjectKeys{1}})
	expectList(t, "about ana after a restart", find(x, "ana", 9), []graph.ID{b.ID, a.ID})

	// Other claims of the same text have other keys.
	changed := *a
	changed.Claims = []graph.Claim{{N: 1, History: []graph.ClaimState{{From: epoch, Subject: "dee", Predicate: "is"}}}}
	f.put(&changed, testvectors.Unit(1, 24))
	settle(t, x, f)
	expectList(t, "about ana after a change", find(x, "ana", 9), []graph.ID{b.ID})
	expectList(t, "about bo after a change", find(x, "bo", 9), nil)
	expectList(t, "about dee after a change", find(x, "dee", 9), []graph.ID{a.ID})

	f.erase(b.ID, epoch.Add(time.Hour))
	settle(t, x, f)
	expectList(t, "about ana after an erasure", find(x, "ana", 9), nil)
}

// With other rules for the keys, a snapshot is not used: its keys would find nothing.
func TestASnapshotWithOtherClaimKeysIsNotUsed(t *testing.T) {
	f, dir := newFeed(), t.TempDir()
	m := claiming(f, epoch, "ana")
	f.put(m, nil)
	x := opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	x = opened(t, f, Options{Dir: dir, Claims: subjectKeys{2}})
	settle(t, x, f)
	expectList(t, "about ana", idsOfDocs(x.MemoriesClaiming(world, nil, keyOf("ana"), every, 9)), []graph.ID{m.ID})
}
