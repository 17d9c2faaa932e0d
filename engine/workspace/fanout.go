package workspace

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/somnograph/somnograph/graph"
)

const (
	maxLag     = 4096 // changes that a live stream may be late
	eventPage  = 256  // changes per read of the feed
	eventBatch = 32   // changes that a stream takes at once
	maxLoaded  = 512  // memories that are kept
	// roundPerStream is the pause of the reader per open stream after each read of the feed, at
	// most maxRound: the more streams a read wakes, the more changes it collects.
	roundPerStream = 50 * time.Microsecond
	maxRound       = 100 * time.Millisecond
	// eventsPerProcessor is the number of events per second and processor that all streams of a
	// tenant get together. An event costs about 25 µs of a processor, so that streams leave more
	// than nine tenths of it to others even under constant writes.
	eventsPerProcessor = 2000
)

// fanout reads the feed of a tenant once for all streams. It keeps the last changes of memories
// and the memories that were read for them. The reader runs while there are streams.
type fanout struct {
	ws     *Space
	t      *Tenant
	budget *rate.Limiter // events of all streams

	mu      sync.Mutex
	streams int
	stop    context.CancelFunc
	failed  error          // why the reader ended
	recent  []graph.Change // the last changes of memories, at most maxLag
	from    graph.Cursor   // recent has every change after it
	at      graph.Cursor   // recent has every change up to it
	more    chan struct{}  // closed when at advances or the reader ends
	loaded  map[graph.ID]*graph.Memory
	epoch   int // counts removals from loaded

	loading sync.Mutex // held while memories are read, so that each is read once
}

func newFanout(ws *Space, t *Tenant) *fanout {
	perSecond := eventsPerProcessor * runtime.GOMAXPROCS(0)
	return &fanout{ws: ws, t: t, budget: rate.NewLimiter(rate.Limit(perSecond), perSecond)}
}

// join adds a stream. The first one, or the first after a failure, starts the reader at head.
func (f *fanout) join(head graph.Cursor) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streams == 0 || f.failed != nil {
		ctx, stop := context.WithCancel(f.ws.Ctx)
		more := make(chan struct{})
		f.recent, f.from, f.at, f.more, f.failed, f.stop = nil, head, head, more, nil, stop
		f.loaded = map[graph.ID]*graph.Memory{}
		if err := f.ws.Spawn(func() { f.read(ctx, head, more) }); err != nil {
			stop()
			return err
		}
	}
	f.streams++
	return nil
}

// count is the number of streams.
func (f *fanout) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.streams
}

// leave removes a stream. The last one ends the reader.
func (f *fanout) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streams--; f.streams == 0 {
		f.stop()
		f.recent, f.loaded, f.epoch = nil, nil, f.epoch+1
	}
}

// read publishes the changes after the cursor until ctx ends or the feed fails. more identifies
// this reader: after the last stream has left, a new reader may start before this one ends.
func (f *fanout) read(ctx context.Context, at graph.Cursor, more chan struct{}) {
	for {
		err := f.ws.Store.Wait(ctx, f.t.Scope, at)
		var changes []graph.Change
		if err == nil {
			changes, err = f.ws.Store.Changes(ctx, f.t.Scope, at, eventPage)
		}
		if err == nil && len(changes) > 0 {
			at = changes[len(changes)-1].Cursor
		}
		var pause time.Duration
		if more, pause = f.publish(more, changes, err); more == nil {
			return
		}
		// A full page means that more changes are waiting.
		if len(changes) < eventPage && !wait(ctx, pause) {
			return
		}
	}
}

// publish adds the changes, or the error that ends the reader, and wakes the streams. It returns
// the next channel of the reader, nil if it has to end, and how long it should pause.
func (f *fanout) publish(mine chan struct{}, changes []graph.Change, err error) (chan struct{}, time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.more != mine || f.streams == 0 {
		return nil, 0
	}
	if err != nil {
		f.failed = err
		close(f.more)
		return nil, 0
	}
	if len(changes) == 0 {
		return mine, 0
	}
	f.at = changes[len(changes)-1].Cursor
	for _, ch := range changes {
		if ch.Node == graph.NodeMemory {
			f.recent = append(f.recent, ch)
			delete(f.loaded, ch.ID)
		}
	}
	f.epoch++
	if over := len(f.recent) - maxLag; over > 0 {
		f.from = f.recent[over-1].Cursor
		f.recent = append(f.recent[:0], f.recent[over:]...)
	}
	// A later search waits for a delivered change, so that a subscriber finds what it was told.
	f.t.acknowledge(f.at)
	close(f.more)
	f.more = make(chan struct{})
	return f.more, min(time.Duration(f.streams)*roundPerStream, maxRound)
}

// next returns at most eventBatch changes after the cursor in the namespaces (none: all), and the
// cursor up to which these are all. If there are none, more is closed when there may be some.
// Within is false if changes after the cursor are not kept any more.
func (f *fanout) next(after graph.Cursor, namespaces []string) (batch []graph.Change, upto graph.Cursor, more <-chan struct{}, within bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed != nil {
		return nil, 0, nil, false, f.failed
	}
	if after < f.from {
		return nil, f.at, nil, false, nil
	}
	first, _ := slices.BinarySearchFunc(f.recent, after+1, func(ch graph.Change, c graph.Cursor) int {
		if ch.Cursor < c {
			return -1
		}
		return 1
	})
	for _, ch := range f.recent[first:] {
		if len(namespaces) > 0 && !slices.Contains(namespaces, ch.Namespace) {
			continue
		}
		if batch = append(batch, ch); len(batch) == eventBatch {
			return batch, ch.Cursor, f.more, true, nil
		}
	}
	return batch, max(after, f.at), f.more, true, nil
}

// memories reads the memories of changes as they are now, in the order of the changes. Each
// memory is read once for all streams until it changes again. They are read-only.
func (f *fanout) memories(ctx context.Context, changes []graph.Change) ([]*graph.Memory, error) {
	if found, missing, _ := f.lookUp(changes); len(missing) == 0 {
		return found, nil
	}
	f.loading.Lock()
	defer f.loading.Unlock()
	found, missing, epoch := f.lookUp(changes) // another stream may have read them
	if len(missing) == 0 {
		return found, nil
	}
	err := f.t.View(ctx, func(r graph.Reader) error {
		for _, i := range missing {
			m, err := r.Memory(changes[i].ID)
			known, err := graph.Found(err) // an older copy has removed what was erased since
			if err != nil {
				return err
			}
			if known {
				found[i] = m
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.epoch != epoch || f.loaded == nil { // they may have changed or been erased since
		return found, nil
	}
	if len(f.loaded)+len(missing) > maxLoaded {
		clear(f.loaded)
	}
	for _, i := range missing {
		if found[i] != nil {
			f.loaded[changes[i].ID] = found[i]
		}
	}
	return found, nil
}

// lookUp returns the loaded memories of changes, the positions of those that are missing, and
// the epoch.
func (f *fanout) lookUp(changes []graph.Change) (found []*graph.Memory, missing []int, epoch int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found = make([]*graph.Memory, len(changes))
	for i, ch := range changes {
		if found[i] = f.loaded[ch.ID]; found[i] == nil {
			missing = append(missing, i)
		}
	}
	return found, missing, f.epoch
}

// forget removes all memories. Streams read them again.
func (f *fanout) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.loaded)
	f.epoch++
}

// wait waits for d and reports whether ctx is still valid.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
