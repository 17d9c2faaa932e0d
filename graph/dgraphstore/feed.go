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

// changeIndexBits is how many bits of a cursor hold the index of a change in its commit; the
// others hold the number of the commit. A commit has far fewer than 2¹⁶ changes (maxTxRows,
// plus the changes of erasures).
const changeIndexBits = 16

func cursorOf(commit uint64, index int) graph.Cursor {
	return graph.Cursor(commit<<changeIndexBits | uint64(index))
}

// encodeChanges is the sealed text of the changes of a commit. A change without an instant
// gets the latest recorded one.
func (d *draft) encodeChanges(key string, recorded wire.Stamp) (string, error) {
	if len(d.changes) == 0 {
		return "", nil
	}
	if len(d.changes) >= 1<<changeIndexBits {
		return "", graph.ErrTooLarge
	}
	rows := make([]wire.Change, len(d.changes))
	for i, c := range d.changes {
		row, err := wire.ChangeOf(c, changeStamp(c, recorded))
		if err != nil {
			return "", err
		}
		rows[i] = *row
	}
	return encode(sealKey("changes", key), rows)
}

// changeStamp is when a change happened.
func changeStamp(c graph.Change, recorded wire.Stamp) wire.Stamp {
	if at := wire.StampOf(c.At); at != 0 {
		return at
	}
	return recorded
}

// withCursors returns the changes of the draft as the n-th commit, as readers will see them.
func (d *draft) withCursors(n uint64, recorded wire.Stamp) []graph.Change {
	all := make([]graph.Change, len(d.changes))
	for i, c := range d.changes {
		c.Cursor, c.At = cursorOf(n, i), changeStamp(c, recorded).Time()
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
	Rows    string
}

const (
	commitFields    = `{ key: commit.key token: commit.token changes: commit.changes wrote: commit.wrote rows: commit.rows }`
	commitsQuery    = `query q($a: string, $b: string) { q(func: between(commit.key, $a, $b)) ` + commitFields + ` }`
	newCommitsQuery = `query q($t: string, $a: string, $b: string) { q(func: eq(tenant.name, $t)) ` + headFields + ` c(func: between(commit.key, $a, $b)) ` + commitFields + ` }`
)

// readCommits reads the commits with the numbers, both ends included, in order.
func (snap *snapshot) readCommits(ctx context.Context, ks keyspace, from, to uint64) ([]commitRow, error) {
	var answer struct{ Q []commitRow }
	if err := snap.runQuery(ctx, commitsQuery, map[string]string{"$a": ks.commitKey(from), "$b": ks.commitKey(to)}, &answer); err != nil {
		return nil, err
	}
	return answer.Q, sortCommits(ks, answer.Q)
}

// sortCommits sorts commits and sets their numbers.
func sortCommits(ks keyspace, cs []commitRow) error {
	slices.SortFunc(cs, func(a, b commitRow) int { return strings.Compare(a.Key, b.Key) })
	for i := range cs {
		n, err := strconv.ParseUint(strings.TrimPrefix(cs[i].Key, ks.prefix), 16, 64)
		if err != nil {
			return integrityError(cs[i].Key, "not the key of a commit")
		}
		cs[i].number = n
	}
	return nil
}

// newCommitsPage is how many commits are read together with the head.
const newCommitsPage = 64

// readNewCommits reads the head of a tenant and the commits after those that this process
// knows, so that a reader of the feed needs no request of its own.
func (s *Store) readNewCommits(ctx context.Context, t graph.Tenant, ledger *commitLedger) (*snapshot, tenantHead, error) {
	ks, snap, from := newKeyspace(t), s.newSnapshot(), ledger.nextUnread()
	if from == 0 {
		head, err := snap.readHead(ctx, t)
		if err == nil {
			ledger.addRead(head.Commit, nil)
		}
		return snap, head, err
	}
	var answer struct {
		Q []tenantHead
		C []commitRow
	}
	if err := snap.runQuery(ctx, newCommitsQuery, map[string]string{"$t": string(t), "$a": ks.commitKey(from), "$b": ks.commitKey(from + newCommitsPage - 1)}, &answer); err != nil {
		return snap, tenantHead{}, err
	}
	head, err := parseHead(t, answer.Q)
	if err != nil {
		return snap, tenantHead{}, err
	}
	if err := sortCommits(ks, answer.C); err != nil {
		return snap, tenantHead{}, err
	}
	var fresh []commitChanges
	for i, c := range answer.C {
		if c.number != from+uint64(i) {
			return snap, tenantHead{}, integrityError(ks.commitKey(from+uint64(i)), "a commit is missing")
		}
		changes, err := c.decodeChanges()
		if err != nil {
			return snap, tenantHead{}, err
		}
		fresh = append(fresh, commitChanges{c.number, changes})
	}
	ledger.addRead(head.Commit, fresh)
	return snap, head, nil
}

// decodeChanges returns the changes of a commit, in order.
func (c commitRow) decodeChanges() ([]graph.Change, error) {
	if c.Changes == "" {
		return nil, nil
	}
	var rows []wire.Change
	if err := decode(sealKey("changes", c.Key), c.Changes, &rows); err != nil {
		return nil, err
	}
	all := make([]graph.Change, len(rows))
	for i, r := range rows {
		all[i] = r.Change(cursorOf(c.number, i))
	}
	return all, nil
}

// Changes lists the changes after the cursor, in order, at most limit.
func (s *Store) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, err
	}
	defer s.calls.End()
	return graph.SeenChanges(ctx, s, scope, after, limit, func(after graph.Cursor, limit int) ([]graph.Change, error) {
		return s.allChanges(ctx, scope.Tenant, after, limit)
	})
}

// allChanges lists the changes of a tenant after the cursor, in order, at most limit.
func (s *Store) allChanges(ctx context.Context, t graph.Tenant, after graph.Cursor, limit int) ([]graph.Change, error) {
	limit = graph.PageSize(limit)
	if known := s.ledgers.get(t).changesAfter(after, limit); len(known) > 0 {
		return known, nil
	}
	ks, snap := newKeyspace(t), s.newSnapshot()
	var found []graph.Change
	for from := max(1, uint64(after)>>changeIndexBits); ; {
		to := from + uint64(min(limit, queryChunk)) - 1
		cs, err := snap.readCommits(ctx, ks, from, to)
		if err != nil {
			return nil, err
		}
		for _, c := range cs {
			changes, err := c.decodeChanges()
			if err != nil {
				return nil, err
			}
			for _, change := range changes {
				if change.Cursor > after && len(found) < limit {
					found = append(found, change)
				}
			}
		}
		// Numbers have no gaps, so a short page is the last one.
		if len(found) == limit || uint64(len(cs)) <= to-from {
			return found, nil
		}
		from = to + 1
	}
}

// Head is the cursor of the last committed change, zero if there is none.
func (s *Store) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return 0, err
	}
	defer s.calls.End()
	head, err := s.newSnapshot().readHead(ctx, scope.Tenant)
	if err == nil && head.Cursor > 0 { // waiting readers need not poll
		s.feeds.get(scope.Tenant).advance(head.Cursor)
	}
	return head.Cursor, err
}

// PollNow makes the readers that wait for a tenant's feed poll the cluster at once, as another
// process may have committed something. It doesn't wait.
func (s *Store) PollNow(tenant graph.Tenant) {
	select {
	case s.feeds.get(tenant).pollRequested <- struct{}{}:
	default: // it is about to
	}
}

// Wait returns nil as soon as a change after the cursor is committed, or the error of ctx.
// It sees a commit of this process at once, and one of another process within
// Options.PollEvery or after PollNow.
func (s *Store) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	feed := s.feeds.get(scope.Tenant)
	feed.addWaiter(s, scope.Tenant)
	s.calls.End() // Close does not wait for waiting readers
	defer feed.removeWaiter()
	for {
		head, more := feed.headAndSignal()
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

// tenantFeed knows the head of the feed of a tenant.
type tenantFeed struct {
	mu            sync.Mutex
	head          graph.Cursor
	headMoved     chan struct{} // closed when the head moves
	pollRequested chan struct{} // makes poll read the head
	lastPoll      time.Time     // when the head was last read
	confirmedAt   time.Time     // when the last successful read began
	waiters       int
	stopPolling   context.CancelFunc
}

func newTenantFeed() *tenantFeed {
	return &tenantFeed{headMoved: make(chan struct{}), pollRequested: make(chan struct{}, 1)}
}

// confirm records the head that was read at an instant.
func (feed *tenantFeed) confirm(c graph.Cursor, at time.Time) {
	feed.advance(c)
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if at.After(feed.confirmedAt) {
		feed.confirmedAt = at
	}
}

// KnownHead returns the head of the scope's feed when it was last read, or a cursor after it,
// and how long ago that read began; an hour if it was never read.
func (s *Store) KnownHead(scope graph.Scope) (graph.Cursor, time.Duration) {
	feed := s.feeds.get(scope.Tenant)
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if feed.confirmedAt.IsZero() {
		return feed.head, time.Hour
	}
	return feed.head, time.Since(feed.confirmedAt)
}

func (feed *tenantFeed) advance(c graph.Cursor) {
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if c > feed.head {
		feed.head = c
		close(feed.headMoved)
		feed.headMoved = make(chan struct{})
	}
}

// headAndSignal returns the head, and a channel that is closed when it moves.
func (feed *tenantFeed) headAndSignal() (graph.Cursor, <-chan struct{}) {
	feed.mu.Lock()
	defer feed.mu.Unlock()
	return feed.head, feed.headMoved
}

// addWaiter polls for the head of a tenant as long as a reader waits for it.
func (feed *tenantFeed) addWaiter(s *Store, t graph.Tenant) {
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if feed.waiters++; feed.waiters == 1 {
		ctx, stop := context.WithCancel(s.background)
		feed.stopPolling = stop
		s.goroutines.Go(func() { feed.poll(ctx, s, t) })
	}
}

func (feed *tenantFeed) removeWaiter() {
	feed.mu.Lock()
	defer feed.mu.Unlock()
	if feed.waiters--; feed.waiters == 0 {
		feed.stopPolling()
	}
}

// poll reads the head until ctx ends. It retries a read that fails. The number of waiting
// readers does not change how often it reads.
func (feed *tenantFeed) poll(ctx context.Context, s *Store, t graph.Tenant) {
	timer := time.NewTimer(feed.untilNextPoll(s.options.PollEvery))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-feed.pollRequested:
		}
		began := time.Now()
		_, head, err := s.readNewCommits(ctx, t, s.ledgers.get(t))
		switch {
		case err == nil:
			feed.confirm(head.Cursor, began)
		case ctx.Err() == nil:
			s.options.Logger.Warn("the feed can't be followed now", "tenant", t, "error", err)
		}
		feed.mu.Lock()
		feed.lastPoll = time.Now()
		feed.mu.Unlock()
		timer.Reset(s.options.PollEvery)
	}
}

// untilNextPoll is how long it is until the head must be read again.
func (feed *tenantFeed) untilNextPoll(every time.Duration) time.Duration {
	feed.mu.Lock()
	defer feed.mu.Unlock()
	return every - time.Since(feed.lastPoll)
}
