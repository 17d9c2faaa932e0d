package index

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// furnished makes a feed with every kind of data that a snapshot keeps.
func furnished() *feed {
	f := newFeed()
	maria := &graph.Entity{ID: f.id(epoch), Namespace: "main", Name: "Maria Silva", Canonical: "maria silva", Type: graph.Person, FirstSeen: epoch}
	acme := &graph.Entity{ID: f.id(epoch), Namespace: "main", User: "u1", Name: "ACME", Canonical: "acme", Type: graph.Organization, FirstSeen: epoch}
	f.putEntity(maria)
	f.putEntity(acme)
	f.putRelation(&graph.Relation{ID: f.id(epoch), Namespace: "main", Source: maria.ID, Target: acme.ID, Predicate: "works_at", Strength: 2, StrengthAt: epoch, ValidFrom: epoch, RecordedAt: epoch})
	for i := range 700 {
		at := epoch.Add(time.Duration(i) * time.Minute)
		m := f.memory(at, fmt.Sprintf("note %d about topic%d and topic%d", i, i%7, i%11), func(m *graph.Memory) {
			m.Session, m.User, m.Project = fmt.Sprint("s", i/9), fmt.Sprint("u", i%3), "p"
			m.Namespace = []string{"main", "side"}[i%5/4]
			m.Tags = []string{"tag", fmt.Sprint("tag", i%4)}
			m.Subject = fmt.Sprint("topic", i%7)
			m.Usage = graph.Usage{Count: i % 3, Last: at, Days: []int32{graph.Day(at)}}
			m.Important = i%2 == 0
			if i%10 == 0 {
				m.Entities = []graph.ID{maria.ID, acme.ID}
				m.ExpiresAt = at.Add(time.Hour)
			}
			if i%4 == 0 {
				m.SetState(at.Add(time.Hour), func(s *graph.State) { s.Status, s.ValidTo = graph.Superseded, at.Add(30*time.Minute) })
			}
		})
		vector := testvectors.Unit(uint64(i), 24)
		if i%13 == 0 {
			vector = nil
		}
		f.put(m, vector)
	}
	return f
}

// portrait returns everything that an index reports about a tenant, for comparison.
func portrait(t *testing.T, x *Index, f *feed) []any {
	t.Helper()
	settle(t, x, f)
	var out []any
	x.Docs(world, func(d *Doc) bool { out = append(out, *d); return true })
	for _, q := range []Query{
		{Texts: []string{"topic3 note"}, Vector: testvectors.Unit(5, 24), Now: epoch.Add(20 * time.Minute), Limit: 40},
		{Texts: []string{"topic5"}, Filter: Filter{Namespaces: []string{"side"}}, Now: epoch.Add(time.Hour)},
		{Entities: x.FindEntities(world, nil, nil, "What does Maria Silva do?"), Now: epoch.Add(time.Minute)},
	} {
		out = append(out, recalled(t, x, f, q))
	}
	for id := range f.entities {
		if n, first, last := x.Mentions(world, id); n == 0 || first.After(last) {
			t.Errorf("mentions of %s: %d, %s, %s", id, n, first, last)
		}
	}
	return out
}

func TestSnapshotRestoresTheIndex(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	x, err := Open(context.Background(), f, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want, stats := portrait(t, x, f), x.Stats(world)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	f.listed = 0
	x = opened(t, f, Options{Dir: dir})
	got := portrait(t, x, f)
	expect(t, "memories read from the store", f.listed, 0)
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("answer %d differs:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	if again := x.Stats(world); !reflect.DeepEqual(again, stats) {
		t.Errorf("stats: got %+v, want %+v", again, stats)
	}
}

func TestChangesAfterSnapshotAreApplied(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	x, err := Open(context.Background(), f, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	settle(t, x, f)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	ids := sortedKeys(f.memories)
	used, gone, changed := ids[3], ids[4], ids[5]
	f.use(used, epoch.Add(48*time.Hour))
	f.erase(gone, epoch.Add(48*time.Hour))
	m := *f.memories[changed]
	m.Importance = 0.99
	f.put(&m, nil)
	fresh := f.memory(epoch.Add(49*time.Hour), "a zebra")
	f.put(fresh, nil)

	x = opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	if d, _ := x.Doc(world, used); d.Usage.Count != f.memories[used].Usage.Count || !d.Usage.Last.Equal(epoch.Add(48*time.Hour)) {
		t.Errorf("usage: got %+v", d.Usage)
	}
	if _, known := x.Doc(world, gone); known {
		t.Error("an erased memory exists again")
	}
	if d, _ := x.Doc(world, changed); d.Importance != 0.99 {
		t.Errorf("importance: got %v", d.Importance)
	}
	got := recalled(t, x, f, Query{Texts: []string{"zebra"}, Now: epoch.Add(50 * time.Hour)})
	expectList(t, "found", f.contents(got), []string{"a zebra"})
}

// logged collects log lines.
type logged struct{ bytes.Buffer }

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// saved writes a snapshot of a feed and returns its path.
func saved(t *testing.T, f *feed, dir string) string {
	t.Helper()
	x, err := Open(context.Background(), f, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	settle(t, x, f)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "t.index")
}

func TestDamagedSnapshotIsIgnored(t *testing.T) {
	f := newFeed()
	for i := range 20 {
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), fmt.Sprint("word", i)), testvectors.Unit(uint64(i), 8))
	}
	dir := t.TempDir()
	path := saved(t, f, dir)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	beside := filesOf(t, dir)
	check := func(what string, bytes []byte) {
		beside.put(t, dir)
		if err := os.WriteFile(path, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		var log logged
		f.listed = 0
		x, err := Open(context.Background(), f, Options{Dir: dir, Logger: log.logger()})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n := x.Stats(world).Memories; n != 20 || f.listed != 20 {
			t.Fatalf("%s: %d memories, %d from the store", what, n, f.listed)
		}
		if !strings.Contains(log.String(), "ignoring the snapshot") {
			t.Fatalf("%s: nothing was logged", what)
		}
		if err := x.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	step := max(1, len(whole)/300)
	for i := 0; i < len(whole); i += step {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		check(fmt.Sprintf("byte %d flipped", i), flipped)
	}
	for _, n := range []int{0, 5, 12, len(whole) / 2, len(whole) - 1} {
		check(fmt.Sprintf("cut to %d bytes", n), whole[:n])
	}
	older := bytes.Clone(whole)
	older[len(snapshotMagic)]++
	check("of another version", older)
}

func TestSnapshotOfOtherHistoryIsIgnored(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	saved(t, f, dir)
	// The store was restored from a backup and then received other changes.
	f.changes[len(f.changes)-1].ID = f.id(epoch)
	f.listed = 0
	x := opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	expect(t, "memories read from the store", f.listed, 700)
	// Or it is shorter than the snapshot.
	f = furnished()
	f.changes = f.changes[:100]
	y := opened(t, f, Options{Dir: dir})
	expect(t, "memories", y.Stats(world).Memories, 700)
	expect(t, "memories read from the store", f.listed, 700)
}

func TestErasureLeavesNoTraceInFiles(t *testing.T) {
	const canary = "xylophagous"
	dir := t.TempDir()
	f := furnished()
	bad := f.memory(epoch.Add(time.Hour), "the "+canary+" beetle", func(m *graph.Memory) {
		m.User, m.Session, m.Subject, m.Project, m.Tags = canary+"u", canary+"s", canary, canary+"p", []string{canary + "t"}
	})
	f.put(bad, testvectors.Unit(9999, 24))
	who := &graph.Entity{ID: f.id(epoch), Namespace: "main", Name: canary, Canonical: canary, Type: graph.Concept, FirstSeen: epoch}
	f.putEntity(who)
	path := saved(t, f, dir)
	if held, _ := os.ReadFile(path); !bytes.Contains(held, []byte(canary)) {
		t.Fatal("the snapshot never held the canary: the test proves nothing")
	}

	vectors, likeness := path[:len(path)-len("index")]+"24.vectors", testvectors.VectorBytes(testvectors.Unit(9999, 24))
	if held, _ := os.ReadFile(vectors); !bytes.Contains(held, likeness) {
		t.Fatal("the file of vectors never held the vector: the test proves nothing")
	}

	x, err := Open(context.Background(), f, Options{Dir: dir, SnapshotDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, _, d := x.tenantOrNil(world).findMemory(graph.Sight{}, bad.ID)
	ref := d.vectorRef
	var buf []byte
	if !slices.Equal(x.tenantOrNil(world).files.Vector(bad.ID, ref, &buf), testvectors.Unit(9999, 24)) {
		t.Fatal("the vector was never there: the test proves nothing")
	}
	f.dropEntity(who.ID)
	f.erase(bad.ID, epoch.Add(2*time.Hour))
	settle(t, x, f)
	if held, err := os.ReadFile(path); err == nil && bytes.Contains(held, []byte(canary)) {
		t.Error("the old snapshot is still there when the erasure is acknowledged")
	}
	if held, err := os.ReadFile(vectors); err != nil || bytes.Contains(held, likeness) {
		t.Errorf("the vector is still in its file when the erasure is acknowledged: %v", err)
	}
	if got := recalled(t, x, f, Query{Texts: []string{canary}, Now: epoch.Add(3 * time.Hour), Filter: Filter{Statuses: graph.Statuses}}); len(got) != 0 {
		t.Errorf("words still find it: %v", got)
	}
	near, err := x.Nearest(context.Background(), world, [][]float32{testvectors.Unit(9999, 24)}, Filter{Statuses: graph.Statuses}, epoch.Add(3*time.Hour), 1, 0.999)
	if err != nil || len(near[0]) != 0 {
		t.Errorf("its vector is still found: %v %v", near, err)
	}
	if ids := x.FindEntities(world, nil, nil, canary); len(ids) != 0 {
		t.Errorf("its entity is still found")
	}
	if _, known := x.Doc(world, bad.ID); known {
		t.Error("its Doc is still there")
	}
	if where := traces(x, canary, ref); len(where) > 0 {
		t.Errorf("traces in RAM: %v", where)
	}
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(held, []byte(canary)) || bytes.Contains(held, []byte(bad.ID)) {
		t.Error("the new snapshot holds what was erased")
	}
}

// traces searches the words, names and vectors of the index for a text and a vector.
func traces(x *Index, text string, ref vectors.Ref) []string {
	var out []string
	t := x.tenantOrNil(world)
	for _, p := range t.partitions(nil) {
		for k := range p.writer.postings.lists {
			if strings.Contains(k.key, text) {
				out = append(out, fmt.Sprint("list ", k))
			}
		}
	}
	var buf []byte
	if t.files.Vector("", ref, &buf) != nil {
		out = append(out, "vector")
	}
	for _, name := range t.entities.tokens {
		if strings.Contains(fmt.Sprint(name), text) {
			out = append(out, fmt.Sprint("name ", name))
		}
	}
	for _, p := range t.preparers {
		for term := range p.frequencies {
			if strings.Contains(term, text) {
				out = append(out, "scratch "+term)
			}
		}
	}
	return out
}

func TestSnapshotIsWrittenAfterEnoughChanges(t *testing.T) {
	dir := t.TempDir()
	f := newFeed()
	f.put(f.memory(epoch, "first"), nil)
	path := saved(t, f, dir)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wrote := make(chan struct{}, 100)
	x := opened(t, f, Options{Dir: dir, SnapshotEvery: 10, onSnapshot: func() { wrote <- struct{}{} }})
	same := f.memory(epoch, "same")
	for range 9 {
		f.put(same, nil)
	}
	settle(t, x, f)
	expect(t, "due after 9 changes", x.tenantOrNil(world).snapshotDue(), false)
	for range 30 { // each is a change and a memory
		f.put(f.memory(epoch, "more"), nil)
	}
	settle(t, x, f)
	select {
	case <-wrote:
	case <-time.After(time.Minute):
		t.Fatal("no new snapshot")
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(after) <= len(before) {
		t.Errorf("the new snapshot has %d bytes, the old one had %d", len(after), len(before))
	}
}

// A snapshot of many memories is not written for a few changes.
func TestSnapshotIntervalGrowsWithMemories(t *testing.T) {
	dir, f := t.TempDir(), newFeed()
	for range 40 {
		f.put(f.memory(epoch, "old"), nil)
	}
	saved(t, f, dir)
	x := opened(t, f, Options{Dir: dir, SnapshotEvery: 5})
	same := f.memory(epoch, "same")
	for range 40 {
		f.put(same, nil)
	}
	settle(t, x, f)
	expect(t, "due after 40 changes of 41 memories", x.tenantOrNil(world).snapshotDue(), false)
}
