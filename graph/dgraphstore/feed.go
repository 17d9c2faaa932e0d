package dgraphstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// placeBits is how many bits of a cursor say the place of a change in its commit; the
// others are the number of the commit. A commit holds far fewer than 2¹⁶ changes
// (maxItems, and what an erasure takes along).
const placeBits = 16

func cursorOf(commit uint64, place int) graph.Cursor {
	return graph.Cursor(commit<<placeBits | uint64(place))
}

// sealChanges is the text of the changes of a commit. A change without an instant
// happened at the latest recorded one.
func (d *draft) sealChanges(key string, recorded wire.Stamp) (string, error) {
	if len(d.changes) == 0 {
		return "", nil
	}
	if len(d.changes) >= 1<<placeBits {
		return "", graph.ErrTooLarge
	}
	rows := make([]wire.Change, len(d.changes))
	for i, c := range d.changes {
		id, err := wire.UUID("id", c.ID)
		if err != nil {
			return "", err
		}
		rows[i] = wire.Change{At: stampOf(c, recorded), Node: string(c.Node), Kind: string(c.Kind), ID: id[:], Namespace: c.Namespace}
	}
	return encode(sealed("changes", key), rows)
}

// stampOf is when a change happened.
func stampOf(c graph.Change, recorded wire.Stamp) wire.Stamp {
	if at := wire.StampOf(c.At); at != 0 {
		return at
	}
	return recorded
}

// numbered are the changes of the draft as the n-th commit, as they will be read.
func (d *draft) numbered(n uint64, recorded wire.Stamp) []graph.Change {
	all := make([]graph.Change, len(d.changes))
	for i, c := range d.changes {
		c.Cursor, c.At = cursorOf(n, i), stampOf(c, recorded).Time()
		all[i] = c
	}
	return all
}

// commitRow is a stored commit.
type commitRow struct {
	number  uint64
	Key     string
	Token   string
	Changes string
	Wrote   string
}

const (
	commitFields = `{ key: commit.key token: commit.token changes: commit.changes wrote: commit.wrote }`
	commitsQuery = `query q($a: string, $b: string) { q(func: between(commit.key, $a, $b)) ` + commitFields + ` }`
	newsQuery    = `query q($t: string, $a: string, $b: string) { q(func: eq(tenant.name, $t)) ` + headFields + ` c(func: between(commit.key, $a, $b)) ` + commitFields + ` }`
)

// commits reads the commits with the numbers, both ends included, in order.
func (v *snapshot) commits(ctx context.Context, ks keyspace, from, to uint64) ([]commitRow, error) {
	var answer struct{ Q []commitRow }
	if err := v.ask(ctx, commitsQuery, map[string]string{"$a": ks.commit(from), "$b": ks.commit(to)}, &answer); err != nil {
		return nil, err
	}
	return answer.Q, numberCommits(ks, answer.Q)
}

// numberCommits brings commits in order and says their numbers.
func numberCommits(ks keyspace, cs []commitRow) error {
	slices.SortFunc(cs, func(a, b commitRow) int { return strings.Compare(a.Key, b.Key) })
	for i := range cs {
		n, err := strconv.ParseUint(strings.TrimPrefix(cs[i].Key, string(ks)), 16, 64)
		if err != nil {
			return broken(cs[i].Key, "not the key of a commit")
		}
		cs[i].number = n
	}
	return nil
}

// newsSize is how many commits are read with the head.
const newsSize = 64

// news asks where a tenant stands and what was committed since this process asked last,
// so that who reads the feed need not ask again.
func (s *Store) news(ctx context.Context, t graph.Tenant, l *ledger) (*snapshot, head, error) {
	ks, v, from := newKeyspace(t), s.snapshot(), l.unheard()
	if from == 0 {
		h, err := v.head(ctx, t)
		if err == nil {
			l.heard(h.Commit, nil)
		}
		return v, h, err
	}
	var answer struct {
		Q []head
		C []commitRow
	}
	if err := v.ask(ctx, newsQuery, map[string]string{"$t": string(t), "$a": ks.commit(from), "$b": ks.commit(from + newsSize - 1)}, &answer); err != nil {
		return v, head{}, err
	}
	h, err := headOf(t, answer.Q)
	if err != nil {
		return v, head{}, err
	}
	if err := numberCommits(ks, answer.C); err != nil {
		return v, head{}, err
	}
	var fresh []commitChanges
	for i, c := range answer.C {
		if c.number != from+uint64(i) {
			return v, head{}, broken(ks.commit(from+uint64(i)), "a commit is missing")
		}
		changes, err := c.changes()
		if err != nil {
			return v, head{}, err
		}
		fresh = append(fresh, commitChanges{c.number, changes})
	}
	l.heard(h.Commit, fresh)
	return v, h, nil
}

// changes are those of a commit, in order.
func (c commitRow) changes() ([]graph.Change, error) {
	if c.Changes == "" {
		return nil, nil
	}
	var rows []wire.Change
	if err := decode(sealed("changes", c.Key), c.Changes, &rows); err != nil {
		return nil, err
	}
	all := make([]graph.Change, len(rows))
	for i, r := range rows {
		all[i] = graph.Change{
			Cursor: cursorOf(c.number, i), At: r.At.Time(), Node: graph.NodeKind(r.Node), Kind: graph.EventKind(r.Kind),
			ID: wire.ID(r.ID), Namespace: r.Namespace,
		}
	}
	return all, nil
}

// Changes lists what was committed behind after, in order, at most limit.
func (s *Store) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	if err := s.admit(ctx, scope); err != nil {
		return nil, err
	}
	defer s.leave()
	limit = page(limit)
	if known := s.ledgers.of(scope.Tenant).behind(after, limit); len(known) > 0 {
		return known, nil
	}
	ks, v := newKeyspace(scope.Tenant), s.snapshot()
	var found []graph.Change
	for from := max(1, uint64(after)>>placeBits); ; {
		to := from + uint64(min(limit, chunk)) - 1
		cs, err := v.commits(ctx, ks, from, to)
		if err != nil {
			return nil, err
		}
		for _, c := range cs {
			changes, err := c.changes()
			if err != nil {
				return nil, err
			}
			for _, change := range changes {
				if change.Cursor > after && len(found) < limit {
					found = append(found, change)
				}
			}
		}
		// Numbers have no gaps, so a short answer is the end.
		if len(found) == limit || uint64(len(cs)) <= to-from {
			return found, nil
		}
		from = to + 1
	}
}

// Head is the cursor of the last committed change, zero if there is none.
func (s *Store) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	if err := s.admit(ctx, scope); err != nil {
		return 0, err
	}
	defer s.leave()
	h, err := s.snapshot().head(ctx, scope.Tenant)
	if err == nil && h.Cursor > 0 { // who waits for it need not look again
		s.feeds.committed(scope.Tenant, h.Cursor)
	}
	return h.Cursor, err
}

// Look lets those who wait for a tenant's feed look now, as another process may have
// committed something. It doesn't wait, and believes nothing: what there is stands in the
// cluster.
func (s *Store) Look(tenant graph.Tenant) { s.feeds.look(tenant) }

// Wait returns nil as soon as something is committed behind after, or the error of ctx.
// A commit of this process wakes at once, one of another within Options.PollEvery, or as
// soon as Look is called.
func (s *Store) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	f := s.feeds.watch(s, scope.Tenant)
	s.leave() // a Close need not wait for who waits
	defer s.feeds.leave(scope.Tenant)
	for {
		head, more := f.look()
		if head > after {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.background.Done():
			return graph.ErrClosed
		}
	}
}

// feeds are the feeds that somebody waits for, or that this process wrote to.
type feeds struct {
	mu  sync.Mutex
	all map[graph.Tenant]*feed
}

// feed knows how far the feed of a tenant is.
type feed struct {
	mu      sync.Mutex
	head    graph.Cursor
	more    chan struct{} // closed when the head moves
	now     chan struct{} // asks for a look
	asked   time.Time     // when the head was asked for last
	seen    time.Time     // when the last look that was answered began
	waiting int           // guarded by feeds.mu
	stop    context.CancelFunc
}

func (f *feeds) init() { f.all = map[graph.Tenant]*feed{} }

func (f *feeds) of(t graph.Tenant) *feed {
	one := f.all[t]
	if one == nil {
		one = &feed{more: make(chan struct{}), now: make(chan struct{}, 1)}
		f.all[t] = one
	}
	return one
}

// committed moves the head forward and wakes who waits.
func (f *feeds) committed(t graph.Tenant, c graph.Cursor) {
	f.mu.Lock()
	one := f.of(t)
	f.mu.Unlock()
	one.advance(c)
}

// confirmed is committed, for what was asked for at an instant.
func (f *feeds) confirmed(t graph.Tenant, c graph.Cursor, at time.Time) {
	f.mu.Lock()
	one := f.of(t)
	f.mu.Unlock()
	one.confirm(c, at)
}

// look wakes who asks for the head of a tenant, if anybody does.
func (f *feeds) look(t graph.Tenant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.all[t]; one != nil {
		select {
		case one.now <- struct{}{}:
		default: // it is about to look
		}
	}
}

// confirm takes note of where the feed stood at an instant.
func (f *feed) confirm(c graph.Cursor, at time.Time) {
	f.advance(c)
	f.mu.Lock()
	defer f.mu.Unlock()
	if at.After(f.seen) {
		f.seen = at
	}
}

// KnownHead returns the head of the scope's feed when it was last read, or a cursor after it,
// and how long ago that read began; an hour if it was never read.
func (s *Store) KnownHead(scope graph.Scope) (graph.Cursor, time.Duration) {
	s.feeds.mu.Lock()
	f := s.feeds.of(scope.Tenant)
	s.feeds.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen.IsZero() {
		return f.head, time.Hour
	}
	return f.head, time.Since(f.seen)
}

func (f *feed) advance(c graph.Cursor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c > f.head {
		f.head = c
		close(f.more)
		f.more = make(chan struct{})
	}
}

// look answers the head, and what is closed when it moves.
func (f *feed) look() (graph.Cursor, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head, f.more
}

// watch begins to ask for the head of a tenant, as long as somebody waits for it.
func (f *feeds) watch(s *Store, t graph.Tenant) *feed {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.of(t)
	if one.waiting++; one.waiting == 1 {
		ctx, stop := context.WithCancel(s.background)
		one.stop = stop
		s.tasks.Go(func() { one.poll(ctx, s, t) })
	}
	return one
}

func (f *feeds) leave(t graph.Tenant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.all[t]
	if one.waiting--; one.waiting == 0 {
		one.stop()
	}
}

// poll asks for the head until ctx ends. What can't be asked now is asked again. Who comes
// and goes does not make it ask more often.
func (f *feed) poll(ctx context.Context, s *Store, t graph.Tenant) {
	timer := time.NewTimer(f.due(s.opts.PollEvery))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-f.now:
		}
		began := time.Now()
		_, h, err := s.news(ctx, t, s.ledgers.of(t))
		switch {
		case err == nil:
			f.confirm(h.Cursor, began)
		case ctx.Err() == nil:
			s.opts.Logger.Warn("the feed can't be followed now", "tenant", t, "error", err)
		}
		f.mu.Lock()
		f.asked = time.Now()
		f.mu.Unlock()
		timer.Reset(s.opts.PollEvery)
	}
}

// due is how long it is until the head must be asked for again.
func (f *feed) due(every time.Duration) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return every - time.Since(f.asked)
}
