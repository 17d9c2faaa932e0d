package dgraphstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/somnograph/somnograph/graph"
)

// gate lets the requests that commit a tenant pass one by one.
type gate struct {
	came   chan struct{} // one per request
	pass   chan struct{} // one lets one request pass; closed: all
	refuse string        // a value that no request may contain
}

func newGate(refuse string) *gate {
	return &gate{came: make(chan struct{}, 100), pass: make(chan struct{}), refuse: refuse}
}

func (g *gate) dial() grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if r, ok := req.(*api.Request); ok && len(r.Mutations) > 0 && strings.Contains(r.Query, "tenant.") {
			g.came <- struct{}{}
			<-g.pass
			if g.refuse != "" && strings.Contains(fmt.Sprint(r.Mutations), g.refuse) {
				return status.Error(codes.Unknown, "this is refused")
			}
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	})
}

// wait waits until a request came.
func (g *gate) wait(t *testing.T) {
	t.Helper()
	select {
	case <-g.came:
	case <-time.After(waitLimit):
		t.Fatal("no request came")
	}
}

// waitForDrafts waits until so many drafts of a tenant wait.
func waitForDrafts(t *testing.T, s *Store, sc graph.Scope, n int) {
	t.Helper()
	ledger := s.ledgers.get(sc.Tenant)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for late := time.After(waitLimit); ; {
		ledger.mu.Lock()
		waiting := len(ledger.waiting)
		ledger.mu.Unlock()
		if waiting == n {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%d drafts wait, want %d", waiting, n)
		}
	}
}

// Drafts that wait while one commits are committed together; those that read what another one
// of them writes run again.
func TestWaitingDraftsCommitTogether(t *testing.T) {
	g := newGate("")
	s, sc := open(t, Options{Dial: []grpc.DialOption{g.dial()}}), scope(t)
	const writers = 8
	var wg sync.WaitGroup
	cursors := make([]graph.Cursor, writers)
	write := func(i int) {
		m := memory(t, time.Duration(i)*time.Second)
		var err error
		cursors[i], err = s.Update(t.Context(), sc, func(tx graph.Tx) error {
			if i%4 == 0 {
				if err := add(tx); err != nil {
					return err
				}
			}
			return put(m)(tx)
		})
		if err != nil {
			t.Error(err)
		}
	}
	wg.Go(func() { write(1) })
	g.wait(t)
	for i := range writers {
		if i != 1 {
			wg.Go(func() { write(i) })
		}
	}
	waitForDrafts(t, s, sc, writers-1)
	close(g.pass)
	wg.Wait()
	if n := len(g.came); n != 2 { // all that waited, and the one that lost against another of them
		t.Errorf("%d requests for the waiting drafts, want 2", n)
	}
	if n := counter(t, s, sc); n != 2 {
		t.Errorf("the counter is %d, want 2", n)
	}
	seen := map[graph.Cursor]bool{}
	for _, c := range must[[]graph.Change](t)(open(t, Options{}).Changes(t.Context(), sc, 0, 0)) {
		seen[c.Cursor] = true
	}
	for i, c := range cursors {
		if !seen[c] {
			t.Errorf("write %d was answered cursor %d, which the feed does not have", i, c)
		}
		delete(seen, c)
	}
	if len(seen) > 0 {
		t.Errorf("changes %v belong to no write", seen)
	}
}

// If Dgraph refuses a group because of one draft, only that draft fails.
func TestRefusedDraftFailsAlone(t *testing.T) {
	g := newGate("poison")
	s, sc := open(t, Options{Dial: []grpc.DialOption{g.dial()}, RetryFor: time.Second}), scope(t)
	var wg sync.WaitGroup
	write := func(name string) {
		_, err := s.Update(t.Context(), sc, put(memory(t, 0, func(m *graph.Memory) { m.Namespace = name })))
		if bad := name == "poison"; bad != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wg.Go(func() { write("first") })
	g.wait(t)
	for _, name := range []string{"ann", "poison", "bob"} {
		wg.Go(func() { write(name) })
	}
	waitForDrafts(t, s, sc, 3)
	close(g.pass)
	wg.Wait()
}

// Writers whose answers are lost in groups find out the outcome of each.
func TestLostAnswersOfGroupsAreResolved(t *testing.T) {
	dial, faults := faulty(func(n int) fault { return []fault{lostAfter, passes, lostBefore, passes, passes}[n%5] })
	s, sc := open(t, Options{Dial: []grpc.DialOption{dial}}), scope(t)
	const writers, each = 6, 6
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				m := memory(t, time.Duration(w*each+i)*time.Second)
				if _, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { return errors.Join(put(m)(tx), add(tx)) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	other := open(t, Options{})
	if n := counter(t, other, sc); n != writers*each || faults.Load() == 0 {
		t.Errorf("the counter is %d, want %d; %d faults", n, writers*each, faults.Load())
	}
	seen := map[graph.ID]int{}
	for _, c := range must[[]graph.Change](t)(other.Changes(t.Context(), sc, 0, 0)) {
		seen[c.ID]++
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was changed %d times", id, n)
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d memories are in the feed, want %d", len(seen), writers*each)
	}
}

// A process that assumes that its last commit is the newest finds out that another process
// has written: when it commits, when it fails, and when it has nothing to write.
func TestForeignCommitIsNoticed(t *testing.T) {
	s, other, sc := open(t, Options{}), open(t, Options{}), scope(t)
	for round := range 3 {
		if _, err := s.Update(t.Context(), sc, add); err != nil { // from now on it assumes
			t.Fatal(err)
		}
		name := fmt.Sprint("of the other ", round)
		m := memory(t, time.Duration(round)*time.Second, func(m *graph.Memory) { m.Session = name })
		_, err := other.Update(t.Context(), sc, func(tx graph.Tx) error {
			return errors.Join(add(tx), put(m)(tx), tx.PutSetting(name, []byte("v")))
		})
		if err != nil {
			t.Fatal(err)
		}
		switch round {
		case 0: // it commits
			_, err = s.Update(t.Context(), sc, add)
		case 1: // it fails where the setting is missing
			_, err = s.Update(t.Context(), sc, func(tx graph.Tx) error { _, err := tx.Setting(name); return err })
		case 2: // it reads a list, and writes nothing if that is empty
			found := 0
			_, err = s.Update(t.Context(), sc, func(tx graph.Tx) error {
				all, err := tx.ListMemories(graph.MemoryQuery{Session: name})
				found = len(all)
				return err
			})
			if found == 0 {
				t.Error("the list lacks the write of the other process")
			}
		}
		if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	if n := counter(t, other, sc); n != 7 {
		t.Errorf("the counter is %d, want 7", n)
	}
}

// An id that is newer than all others is assumed to be unused. If its node exists, the commit
// finds it.
func TestUnusedIDMayHaveANode(t *testing.T) {
	s, other, sc := open(t, Options{}), open(t, Options{}), scope(t)
	if _, err := s.Update(t.Context(), sc, put(memory(t, 0))); err != nil {
		t.Fatal(err)
	}
	for i, hang := range []func(tx graph.Tx, m *graph.Memory) error{
		func(tx graph.Tx, m *graph.Memory) error { // only its node
			return tx.PutRequest(graph.Request{Key: "k", Digest: "d", Result: m.ID, At: start})
		},
		func(tx graph.Tx, m *graph.Memory) error { return put(m)(tx) },
	} {
		m := memory(t, time.Duration(i+1)*time.Hour)
		if _, err := other.Update(t.Context(), sc, func(tx graph.Tx) error { return hang(tx, m) }); err != nil {
			t.Fatal(err)
		}
		runs := 0
		_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
			runs++
			m.Content = "as this one writes it"
			return tx.PutMemory(m, graph.EventCreated)
		})
		if err != nil || runs < 2 {
			t.Errorf("%d: ran %d times: %v", i, runs, err)
		}
		err = other.View(t.Context(), sc, func(r graph.Reader) error {
			got, err := r.Memory(m.ID) // fails if it has two nodes
			if err == nil && got.Content != m.Content {
				t.Errorf("%d: it says %q", i, got.Content)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The feed that a process knows without a query equals that of the cluster.
func TestFeedFromMemoryEqualsCluster(t *testing.T) {
	var asked atomic.Int64
	count := grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		asked.Add(1)
		return invoke(ctx, method, req, reply, conn, opts...)
	})
	s, other, sc := open(t, Options{Dial: []grpc.DialOption{count}}), open(t, Options{}), scope(t)
	for i := range 12 {
		by := s
		if i == 3 || i == 4 {
			by = other
		}
		_, err := by.Update(t.Context(), sc, func(tx graph.Tx) error {
			for j := range i % 4 {
				if err := put(memory(t, time.Duration(i*10+j)*time.Second))(tx); err != nil {
					return err
				}
			}
			return add(tx)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all := must[[]graph.Change](t)(open(t, Options{}).Changes(t.Context(), sc, 0, 0))
	for i := range all {
		got := must[[]graph.Change](t)(s.Changes(t.Context(), sc, all[i].Cursor, 2))
		want := all[i+1 : min(len(all), i+3)]
		if len(got) > 0 && !reflect.DeepEqual(got, want[:len(got)]) || len(got) == 0 && len(want) > 0 {
			t.Errorf("after %d it has %v, want %v", all[i].Cursor, got, want)
		}
	}
	asked.Store(0)
	if got := must[[]graph.Change](t)(s.Changes(t.Context(), sc, all[len(all)-3].Cursor, 0)); len(got) != 2 || asked.Load() != 0 {
		t.Errorf("the last changes are %v, asked for %d times", got, asked.Load())
	}
}

// However short Options.RetryFor is, a write is acknowledged only after it was sent.
func TestWriteIsSentBeforeItIsAcknowledged(t *testing.T) {
	s, sc := open(t, Options{RetryFor: time.Nanosecond}), scope(t)
	if _, err := s.Update(t.Context(), sc, add); err != nil {
		t.Fatal(err)
	}
	if n := counter(t, s, sc); n != 1 {
		t.Errorf("the counter is %d", n)
	}
}

// A note whose id is newer than all others is assumed to be new as well.
func TestNewNoteMayExist(t *testing.T) {
	s, other, sc := open(t, Options{}), open(t, Options{}), scope(t)
	for i := range 2 { // after the first commit of a tenant its node is not known
		if _, err := s.Update(t.Context(), sc, put(memory(t, time.Duration(i)*time.Second))); err != nil {
			t.Fatal(err)
		}
	}
	n := graph.Note{Kind: graph.NoteDecision, ID: memory(t, time.Hour).ID, At: start, Data: []byte(`1`)}
	if _, err := other.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.PutNote(n) }); err != nil {
		t.Fatal(err)
	}
	runs := 0
	n.Data = []byte(`2`)
	if _, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { runs++; return tx.PutNote(n) }); err != nil {
		t.Error(err)
	}
	t.Logf("ran %d times", runs) // twice, unless the last commit was older than a second
	err := other.View(t.Context(), sc, func(r graph.Reader) error {
		got, err := r.Note(n.Kind, n.ID) // fails if there are two
		if err == nil && string(got.Data) != `2` {
			t.Errorf("it says %s", got.Data)
		}
		all, err2 := r.Notes(n.Kind, "", false, 10)
		if len(all) != 1 {
			t.Errorf("%d notes", len(all))
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Error(err)
	}
}

// A transaction makes no query for expected names and new ids: for relations between them,
// how many there are, and notes.
func TestKnownRowsAreNotQueried(t *testing.T) {
	var queries atomic.Int64
	dial := grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		queries.Add(1)
		return invoke(ctx, method, req, reply, conn, opts...)
	})
	s, sc := open(t, Options{Dial: []grpc.DialOption{dial}}), scope(t)
	entity := func(after time.Duration, name string) *graph.Entity {
		return &graph.Entity{ID: memory(t, after).ID, Namespace: "default", Name: name, Canonical: name, Type: graph.Concept, FirstSeen: start}
	}
	relation := func(after time.Duration, from, to *graph.Entity) *graph.Relation {
		return &graph.Relation{
			ID: memory(t, after).ID, Namespace: "default", Source: from.ID, Predicate: "opens with", Target: to.ID, Strength: .5, Confidence: .5,
			StrengthAt: start, ValidFrom: start, RecordedAt: start, EventTime: start,
		}
	}
	door, old := entity(0, "door"), entity(time.Second, "0001")
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(tx.PutEntity(door), tx.PutEntity(old), tx.PutRelation(relation(2*time.Second, door, old)))
	})
	if err != nil {
		t.Fatal(err)
	}
	code := entity(time.Hour, "0002")
	_, err = s.Update(t.Context(), sc, func(tx graph.Tx) error {
		names := []graph.EntityName{{Namespace: "default", Canonical: "door"}, {Namespace: "default", Canonical: "0002"}}
		if err := tx.(graph.Expecter).Expect(graph.Expected{Names: names}); err != nil {
			return err
		}
		if _, err := tx.ListMemories(graph.MemoryQuery{Subject: "none"}); err != nil { // checks that the snapshot is the newest
			return err
		}
		before := queries.Load()
		if e, err := tx.EntityByName("default", "", "door"); err != nil || e.ID != door.ID {
			t.Errorf("the door is %v: %v", e, err)
		}
		if _, err := tx.EntityByName("default", "", "0002"); !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("a new name: %v", err)
		}
		if err := tx.PutEntity(code); err != nil {
			return err
		}
		if _, err := tx.Relation(door.ID, "opens with", code.ID); !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("a relation to a new entity: %v", err)
		}
		if most, err := tx.MostRelations(door.ID, code.ID); err != nil || most != 1 {
			t.Errorf("%d relations: %v", most, err)
		}
		err := errors.Join(
			tx.PutRelation(relation(2*time.Hour, door, code)),
			tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: memory(t, 3*time.Hour).ID, At: start, Data: []byte(`1`)}),
		)
		if n := queries.Load() - before; n != 0 {
			t.Errorf("%d queries", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), sc, func(r graph.Reader) error {
		all, err := r.Relations(door.ID, graph.Both, "", 10)
		if len(all) != 2 {
			t.Errorf("%d relations are stored", len(all))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
