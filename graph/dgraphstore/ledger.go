package dgraphstore

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	keptCommits    = 1024        // commits of a tenant whose writes are kept
	keptChanges    = 4096        // changes of a tenant that are kept
	headTTL        = time.Second // how long the last commit of this process counts as the newest
	foreignBackoff = time.Second // how long it does not, after another process committed
)

// commitLedger knows the latest commits of a tenant. One request of this process at a time
// holds the send slot: two that are sent at once would only abort each other.
type commitLedger struct {
	sendSlot       chan struct{}
	head           tenantHead
	headFresh      bool                 // head was the newest when this process last read it
	writesByCommit map[uint64][]keyHash // by number of the commit
	ownUntil       uint64               // number of the last commit that is known to be of this process, or that was there when it began

	mu              sync.Mutex // guards what follows
	waiting         []*waitingDraft
	lastCommit      knownCommit
	foreignCommitAt time.Time // when this process last saw a commit of another one
	recentCommits   []commitChanges
	recentChanges   int    // in recent
	lastRead        uint64 // number of the newest commit at the last read
}

func newCommitLedger() *commitLedger {
	return &commitLedger{sendSlot: make(chan struct{}, 1), writesByCommit: map[uint64][]keyHash{}}
}

// waitingDraft is a draft that waits for its commit.
type waitingDraft struct {
	baseHead tenantHead // a head that its snapshot shows
	draft    *draft
	cursor   graph.Cursor
	err      error
	done     chan struct{} // closed after cursor and err are set
}

// knownCommit is a head that this process has seen.
type knownCommit struct {
	head   tenantHead
	readTs uint64 // Dgraph's timestamp of a snapshot that shows it; 0: not known
	seenAt time.Time
}

// commitChanges are the changes of a commit.
type commitChanges struct {
	number  uint64
	changes []graph.Change
}

// enqueue adds a draft to the queue.
func (ledger *commitLedger) enqueue(waiting *waitingDraft) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.waiting = append(ledger.waiting, waiting)
}

// withdraw removes a draft and reports whether it was still waiting.
func (ledger *commitLedger) withdraw(waiting *waitingDraft) bool {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	at := slices.Index(ledger.waiting, waiting)
	if at >= 0 {
		ledger.waiting = slices.Delete(ledger.waiting, at, at+1)
	}
	return at >= 0
}

// dequeue takes the drafts that fit into one request: the first, and the following ones that
// stay within the limits of one transaction together with it.
func (ledger *commitLedger) dequeue() []*waitingDraft {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	n, items, bytes := 0, 0, 0
	for _, waiting := range ledger.waiting {
		items, bytes = items+waiting.draft.itemCount, bytes+waiting.draft.byteCount
		if n > 0 && (items > maxTxRows || bytes > maxTxBytes) {
			break
		}
		n++
	}
	group := slices.Clone(ledger.waiting[:n])
	ledger.waiting = slices.Delete(ledger.waiting, 0, n)
	return group
}

// setLastCommit records the last commit of this process.
func (ledger *commitLedger) setLastCommit(at knownCommit) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.lastCommit = at
}

// noteForeignCommit records that another process has committed.
func (ledger *commitLedger) noteForeignCommit(now time.Time) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.lastCommit, ledger.foreignCommitAt = knownCommit{}, now
}

// catchUp records the head that other processes left, after they handed over the write lease.
func (ledger *commitLedger) catchUp(at knownCommit) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.lastCommit, ledger.foreignCommitAt = at, time.Time{}
}

// freshLastCommit returns the last known commit, if it is recent and no other process has
// committed lately.
func (ledger *commitLedger) freshLastCommit(now time.Time) (knownCommit, bool) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	age := now.Sub(ledger.lastCommit.seenAt)
	return ledger.lastCommit, ledger.lastCommit.readTs != 0 && age >= 0 && age < headTTL && now.Sub(ledger.foreignCommitAt) >= foreignBackoff
}

// addOwnChanges keeps the changes of a commit of this process. It keeps none if the previous
// commit is not known.
func (ledger *commitLedger) addOwnChanges(n uint64, changes []graph.Change) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	if ledger.newestKept() < n { // else it was read before its answer came
		ledger.appendRecent(commitChanges{n, changes})
	}
}

// newestKept is the number of the newest commit whose changes are kept, 0 if there is none.
// The caller holds the lock.
func (ledger *commitLedger) newestKept() uint64 {
	if len(ledger.recentCommits) == 0 {
		return 0
	}
	return ledger.recentCommits[len(ledger.recentCommits)-1].number
}

// appendRecent keeps the changes of a commit. The caller holds the lock.
func (ledger *commitLedger) appendRecent(c commitChanges) {
	if ledger.newestKept()+1 != c.number {
		ledger.recentCommits, ledger.recentChanges = nil, 0
	}
	ledger.recentCommits = append(ledger.recentCommits, c)
	for ledger.recentChanges += len(c.changes); ledger.recentChanges > keptChanges && len(ledger.recentCommits) > 1; {
		ledger.recentChanges -= len(ledger.recentCommits[0].changes)
		ledger.recentCommits = slices.Delete(ledger.recentCommits, 0, 1)
	}
}

// nextUnread is the number of the first commit whose changes are not known; 0 if nothing
// was read yet.
func (ledger *commitLedger) nextUnread() uint64 {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	if newest := ledger.newestKept(); newest > 0 {
		return newest + 1
	}
	return ledger.lastRead
}

// addRead keeps commits that were read, in order, up to the last one of a tenant. If there
// are more than were read, the kept ones are of no use.
func (ledger *commitLedger) addRead(last uint64, fresh []commitChanges) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.lastRead = max(ledger.lastRead, last)
	for _, c := range fresh {
		if c.number > ledger.newestKept() {
			ledger.appendRecent(c)
		}
	}
	if ledger.newestKept() < last {
		ledger.recentCommits, ledger.recentChanges = nil, 0
	}
}

// forgetChanges drops the kept changes.
func (ledger *commitLedger) forgetChanges() {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	ledger.recentCommits, ledger.recentChanges = nil, 0
}

// changesAfter returns kept changes after a cursor, at most limit. It returns none if some
// in between are not kept.
func (ledger *commitLedger) changesAfter(after graph.Cursor, limit int) (found []graph.Change) {
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	from := uint64(after) >> changeIndexBits // the rest of that commit must be kept too
	if len(ledger.recentCommits) == 0 || from < ledger.recentCommits[0].number {
		return nil
	}
	for _, c := range ledger.recentCommits[min(uint64(len(ledger.recentCommits)), from-ledger.recentCommits[0].number):] {
		for _, change := range c.changes {
			if change.Cursor > after && len(found) < limit {
				found = append(found, change)
			}
		}
	}
	return found
}

// addWrites keeps the writes of a commit.
func (ledger *commitLedger) addWrites(n uint64, wrote []keyHash) {
	ledger.writesByCommit[n] = wrote
	if len(ledger.writesByCommit) <= 2*keptCommits {
		return
	}
	for k := range ledger.writesByCommit {
		if k+keptCommits < n {
			delete(ledger.writesByCommit, k)
		}
	}
}

// conflicts reports whether a commit after base, up to head, wrote something in reads.
func (s *Store) conflicts(ctx context.Context, ledger *commitLedger, ks keyspace, base, head uint64, reads map[keyHash]struct{}) (bool, error) {
	for n := base + 1; n <= head; n++ {
		wrote, ok := ledger.writesByCommit[n]
		if !ok {
			if err := s.loadWrites(ctx, ledger, ks, n, min(head, n+queryChunk-1)); err != nil {
				return false, err
			}
			if wrote, ok = ledger.writesByCommit[n]; !ok {
				return false, integrityError(ks.commitKey(n), "a commit is missing")
			}
		}
		for _, m := range wrote {
			if _, ok := reads[m]; ok {
				return true, nil
			}
		}
	}
	return false, nil
}

// loadWrites reads the writes of commits that the ledger does not hold.
func (s *Store) loadWrites(ctx context.Context, ledger *commitLedger, ks keyspace, from, to uint64) error {
	cs, err := s.newSnapshot().readCommits(ctx, ks, from, to)
	for _, c := range cs {
		wrote, err := decodeKeyHashes(ks.commitKey(c.number), c.Wrote)
		if err != nil {
			return err
		}
		ledger.addWrites(c.number, wrote)
	}
	return err
}

// encodeKeyHashes is the stored form of the writes of a commit.
func encodeKeyHashes(wrote map[keyHash]struct{}) (string, []keyHash) {
	list := make([]keyHash, 0, len(wrote))
	b := make([]byte, 0, 8*len(wrote))
	for m := range wrote {
		list = append(list, m)
		b = binary.BigEndian.AppendUint64(b, uint64(m))
	}
	return base64.StdEncoding.EncodeToString(b), list
}

func decodeKeyHashes(key, text string) ([]keyHash, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil, integrityError(key, "not a list of key hashes")
	}
	list := make([]keyHash, 0, len(b)/8)
	for ; len(b) > 0; b = b[8:] {
		list = append(list, keyHash(binary.BigEndian.Uint64(b)))
	}
	return list, nil
}
