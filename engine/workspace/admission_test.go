package workspace

import (
	"testing"
	"time"
)

// The minimum remaining time follows the duration of writes, and the effect of one slow write
// decays.
func TestLatency(t *testing.T) {
	var p latency
	const all = 32 * time.Second
	if got := p.minBudget(all); got != 2*time.Second {
		t.Errorf("at first: %v", got)
	}
	p.Observe(3 * time.Second)
	if got := p.minBudget(all); got != 6*time.Second {
		t.Errorf("behind one of 3 s: %v", got)
	}
	p.Observe(time.Minute)
	if got := p.minBudget(all); got != 16*time.Second {
		t.Errorf("after one of a minute: %v", got)
	}
	for range 100 {
		p.Observe(time.Millisecond)
	}
	if got := p.minBudget(all); got != 2*time.Second {
		t.Errorf("after many short ones: %v", got)
	}
}
