package auth

import (
	"sync"
	"time"
)

// Limits of failed tries from one address.
const (
	maxTries      = 20                    // failed ones at once
	tryInterval   = 3 * time.Second       // to regain one
	maxChecks     = 100                   // of credentials at once by an address without a try left
	checkInterval = 20 * time.Millisecond // to regain one
	maxAddresses  = 10_000                // that are remembered
)

// tries limits failed tries. Other clients may share an address that has no try left, so that its credentials are still checked,
// at a limited rate.
type tries struct {
	now func() time.Time

	mu     sync.Mutex
	tried  buckets
	checks buckets
}

// buckets are a bucket for each address, as the instant at which it would be full again (GCRA, see peers.Bucket).
type buckets map[string]time.Time

func newTries(now func() time.Time) *tries {
	return &tries{now: now, tried: buckets{}, checks: buckets{}}
}

// allowed reports whether the address has a try left.
func (t *tries) allowed(address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tried.has(address, t.now(), maxTries, tryInterval)
}

// failed counts a failed try.
func (t *tries) failed(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tried.take(address, t.now(), tryInterval)
}

// checked reports whether a credential of an address without a try left may be checked all the same, and counts it.
func (t *tries) checked(address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if !t.checks.has(address, now, maxChecks, checkInterval) {
		return false
	}
	t.checks.take(address, now, checkInterval)
	return true
}

// has reports whether the bucket of an address is not empty; a full one has size, and regains one each interval.
func (b buckets) has(address string, now time.Time, size int, interval time.Duration) bool {
	return !b[address].After(now.Add(time.Duration(size-1) * interval))
}

// take takes one from the bucket of an address.
func (b buckets) take(address string, now time.Time, interval time.Duration) {
	at := b[address]
	if at.Before(now) {
		at = now
	}
	if _, known := b[address]; !known && len(b) >= maxAddresses {
		b.makeRoom(now)
	}
	b[address] = at.Add(interval)
}

// makeRoom forgets the addresses with a full bucket, or else the one that is full soonest.
func (b buckets) makeRoom(now time.Time) {
	soonest := ""
	for address, at := range b {
		if !at.After(now) {
			delete(b, address)
		} else if soonest == "" || at.Before(b[soonest]) {
			soonest = address
		}
	}
	if len(b) >= maxAddresses {
		delete(b, soonest)
	}
}
