package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// Eight writers write, wait for their cursor, and must then find their writes, while other
// goroutines search, erase and touch.
func TestReadYourWrites(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{Dir: t.TempDir(), SnapshotEvery: 50, SnapshotDelay: time.Millisecond})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for r := range 3 {
		readers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				q := Query{Texts: []string{"marker common"}, Vector: testvectors.Unit(uint64(i), 8), Now: epoch.Add(time.Hour)}
				if r == 1 {
					q.Filter.AsOf.Recorded = epoch.Add(time.Duration(i) * time.Second)
				}
				if _, err := x.Recall(ctx, world, q); err != nil {
					t.Error(err)
					return
				}
				x.Docs(world, func(d *Doc) bool { return d.Version == 1 })
				x.Stats(world)
			}
		})
	}
	for w := range 8 {
		writers.Go(func() {
			for i := range 40 {
				marker := fmt.Sprintf("marker%dx%d", w, i)
				m := f.memory(epoch.Add(time.Duration(i)*time.Second), marker+" common", func(m *graph.Memory) {
					m.Session, m.User, m.Namespace = fmt.Sprint("s", i%3), fmt.Sprint("u", w), fmt.Sprint("n", w%2)
				})
				vector := testvectors.Unit(uint64(w*1000+i+1), 8)
				c := f.put(m, vector)
				if err := x.WaitFor(ctx, world, c); err != nil {
					t.Error(err)
					return
				}
				r, err := x.Recall(ctx, world, Query{Texts: []string{marker}, Vector: vector, Limit: 1, Now: epoch.Add(time.Hour)})
				if err != nil {
					t.Error(err)
					return
				}
				found := slices.ContainsFunc(r.Candidates, func(c Candidate) bool { return c.Doc.ID == m.ID && c.Keyword == 1 && c.Semantic > 0.999 })
				if !found {
					t.Errorf("%s is not found right after its write", marker)
					return
				}
				x.Touch(world, []graph.ID{m.ID}, graph.Use{At: epoch.Add(time.Minute)})
				if d, _ := x.Doc(world, m.ID); d == nil || !d.Usage.Last.Equal(epoch.Add(time.Minute)) {
					t.Errorf("the use of %s is not seen", marker)
				}
				if i%5 == 0 {
					if err := x.WaitFor(ctx, world, f.erase(m.ID, epoch.Add(time.Hour))); err != nil {
						t.Error(err)
					}
					if _, known := x.Doc(world, m.ID); known {
						t.Errorf("%s is there after its erasure", marker)
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	expect(t, "memories", x.Stats(world).Memories, 8*32)
}

func TestLaterVectorIsSearched(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	m := f.memory(epoch, "late")
	f.put(m, nil)
	q := Query{Vector: []float32{0, 1}, Now: epoch}
	expect(t, "before", len(recalled(t, x, f, q)), 0)
	expect(t, "pending", x.Stats(world).Pending, 1)
	f.put(m, []float32{0, 1})
	near(t, "after", recalled(t, x, f, q)[m.ID].Semantic, 1)
	f.put(m, []float32{1, 0}) // embedded anew
	near(t, "changed", recalled(t, x, f, q)[m.ID].Semantic, 0)
	f.put(m, []float32{0, 0, 1}) // by another model
	got := recalled(t, x, f, Query{Vector: []float32{0, 0, 1}, Now: epoch})
	near(t, "another dimension", got[m.ID].Semantic, 1)
	expect(t, "pending", x.Stats(world).Pending, 0)
}

func TestUseIsVisibleBeforeTheStoreCountsIt(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	m := f.memory(epoch, "used")
	f.put(m, nil)
	settle(t, x, f)
	at := epoch.Add(48 * time.Hour)
	x.Touch(world, []graph.ID{m.ID, "unknown"}, graph.Use{At: at})
	x.Touch(world, []graph.ID{m.ID}, graph.Use{At: epoch.Add(time.Hour)}) // earlier: the last use stays
	d, _ := x.Doc(world, m.ID)
	expect(t, "count", d.Usage.Count, 2)
	expect(t, "last", d.Usage.Last, at)
	expectList(t, "days", d.Usage.Days, []int32{graph.Day(epoch), graph.Day(at)})
	f.use(m.ID, at)
	settle(t, x, f)
	d, _ = x.Doc(world, m.ID)
	expect(t, "what the store says", d.Usage.Count, 1)
}

func TestFailingStoreIsRetried(t *testing.T) {
	f := newFeed()
	var log logged
	x := opened(t, f, Options{Logger: log.logger()})
	settle(t, x, f)
	f.mu.Lock()
	f.fail = errors.New("no disk")
	f.mu.Unlock()
	c := f.put(f.memory(epoch, "during the outage"), nil)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := x.WaitFor(ctx, world, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("WaitFor answers %v while the store is down", err)
	}
	if s := x.Stats(world); s.Lag != 1 {
		t.Errorf("lag %d, want 1", s.Lag)
	}
	f.mu.Lock()
	f.fail = nil
	f.mu.Unlock()
	expect(t, "found", len(recalled(t, x, f, Query{Texts: []string{"outage"}, Now: epoch})), 1)
	if strings.Contains(log.String(), "outage") {
		t.Error("the log contains the text of memories")
	}
	expect(t, "lag", x.Stats(world).Lag, 0)
}

func TestFailedLoadIsRetriedAtNextUse(t *testing.T) {
	f := newFeed()
	f.put(f.memory(epoch, "x"), nil)
	f.fail = errors.New("no disk")
	if _, err := Open(context.Background(), f, Options{}); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Fatalf("Open answers %v", err)
	}
	empty := &noTenants{f}
	x := opened(t, empty, Options{})
	if _, err := x.Recall(context.Background(), world, Query{}); err == nil {
		t.Error("a tenant that cannot be loaded answers")
	}
	expect(t, "no Doc", x.Stats(world).Memories, 0)
	f.mu.Lock()
	f.fail = nil
	f.mu.Unlock()
	expect(t, "after the outage", x.Stats(world).Memories, 1)
}

// noTenants is a feed whose tenant appears after the index was opened.
type noTenants struct{ *feed }

func (noTenants) Tenants(context.Context) ([]graph.Tenant, error) { return nil, nil }

// damaged is a feed with one record that cannot be read.
type damaged struct {
	*feed
	bad graph.ID
}

func (d *damaged) View(ctx context.Context, sc graph.Scope, fn func(graph.Reader) error) error {
	return d.feed.View(ctx, sc, func(r graph.Reader) error { return fn(damagedReader{r.(feedReader), d.bad}) })
}

type damagedReader struct {
	feedReader
	bad graph.ID
}

func (r damagedReader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	if slices.Contains(ids, r.bad) {
		return nil, graph.ErrIntegrity
	}
	return r.feedReader.Memories(ids)
}

func (r damagedReader) Memory(id graph.ID) (*graph.Memory, error) {
	if id == r.bad {
		return nil, graph.ErrIntegrity
	}
	return r.feedReader.Memory(id)
}

func TestDamagedRecordDoesNotStopFollower(t *testing.T) {
	f := newFeed()
	d := &damaged{feed: f}
	var log logged
	x := opened(t, d, Options{Logger: log.logger()})
	settle(t, x, f)
	good, bad := f.memory(epoch, "good"), f.memory(epoch, "bad")
	d.bad = bad.ID
	f.put(good, nil)
	f.put(bad, nil)
	settle(t, x, f)
	if _, known := x.Doc(world, good.ID); !known {
		t.Error("the good one is missing")
	}
	if _, known := x.Doc(world, bad.ID); known {
		t.Error("the damaged one is served")
	}
	if !strings.Contains(log.String(), string(bad.ID)) {
		t.Error("nothing was logged")
	}
}

func TestClosedIndexReturnsErrClosed(t *testing.T) {
	f := newFeed()
	x, err := Open(context.Background(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() { waiting <- x.WaitFor(context.Background(), world, 1000) }()
	for { // until it waits
		if s := x.Stats(world); s.Lag == 1000 {
			break
		}
	}
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, graph.ErrClosed) {
		t.Errorf("who waited got %v", err)
	}
	if _, err := x.Recall(context.Background(), world, Query{}); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("Recall answers %v", err)
	}
	if _, err := x.Nearest(context.Background(), world, nil, Filter{}, epoch, 1, 0); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("Nearest answers %v", err)
	}
	if _, known := x.Doc(world, "x"); known {
		t.Error("Doc answers")
	}
	if err := x.Close(context.Background()); err != nil {
		t.Errorf("a second Close answers %v", err)
	}
}

func TestNearestRefusesMixedDimensions(t *testing.T) {
	x := opened(t, newFeed(), Options{})
	_, err := x.Nearest(context.Background(), world, [][]float32{{1}, {1, 2}}, Filter{}, epoch, 1, 0)
	if graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("got %v", err)
	}
}

func TestStatsCount(t *testing.T) {
	f := furnished()
	x := opened(t, f, Options{})
	settle(t, x, f)
	s := x.Stats(world)
	expect(t, "memories", s.Memories, 700)
	expect(t, "active", s.ByStatus[graph.Active], 525)
	expect(t, "superseded", s.ByStatus[graph.Superseded], 175)
	expect(t, "episodic", s.ByType[graph.Episodic], 700)
	expect(t, "L1", s.ByTier[graph.L1], 700)
	expect(t, "entities", s.Entities, 2)
	expect(t, "relations", s.Relations, 1)
	expect(t, "pending", s.Pending, 54)
	expect(t, "cursor", s.Cursor, graph.Cursor(len(f.changes)))
}
