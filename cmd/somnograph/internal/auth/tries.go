package auth

import (
	"sync"
	"time"
)

// Limits of failed tries from one address.
const (
	maxTries     = 20              // at once
	tryInterval  = 3 * time.Second // to regain one
	maxAddresses = 10_000          // that are remembered
)

// tries limits failed tries: a bucket for each address, as the instant at which it would be full
// again (GCRA, see peers.Bucket).
type tries struct {
	now func() time.Time

	mu     sync.Mutex
	fullAt map[string]time.Time
}

func newTries(now func() time.Time) *tries { return &tries{now: now, fullAt: map[string]time.Time{}} }

// allowed reports whether the address may try a credential.
func (t *tries) allowed(address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.fullAt[address].After(t.now().Add((maxTries - 1) * tryInterval))
}

// failed counts a failed try.
func (t *tries) failed(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	at := t.fullAt[address]
	if at.Before(now) {
		at = now
	}
	if _, known := t.fullAt[address]; !known && len(t.fullAt) >= maxAddresses {
		t.makeRoom(now)
	}
	t.fullAt[address] = at.Add(tryInterval)
}

// makeRoom forgets the addresses with a full bucket, or else the one that is full soonest.
func (t *tries) makeRoom(now time.Time) {
	soonest := ""
	for address, at := range t.fullAt {
		if !at.After(now) {
			delete(t.fullAt, address)
		} else if soonest == "" || at.Before(t.fullAt[soonest]) {
			soonest = address
		}
	}
	if len(t.fullAt) >= maxAddresses {
		delete(t.fullAt, soonest)
	}
}
