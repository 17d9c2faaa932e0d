package resolvers_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers"
)

// stuck blocks every remember until it is released.
type stuck struct {
	resolvers.Verbs
	came, free chan struct{}
}

func (s *stuck) Remember(ctx context.Context, c engine.Caller, in engine.RememberInput) (*engine.RememberResult, error) {
	s.came <- struct{}{}
	<-s.free
	return s.Verbs.Remember(ctx, c, in)
}

// An operation that would wait too long is refused at once with 429 and Retry-After. Operations
// of other lanes are served meanwhile. Afterwards everything works as before.
func TestOverloadIsRefusedAtOnce(t *testing.T) {
	const many = 16
	v := &stuck{came: make(chan struct{}, 2*many), free: make(chan struct{})}
	s := start(t, func(c *resolvers.Config) {
		v.Verbs, c.Verbs = c.Verbs, v
		c.Times.Wait = 20 * time.Millisecond
	})
	write := `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`
	input := func(n int) map[string]any {
		return map[string]any{"i": map[string]any{"content": "Pier " + strconv.Itoa(n) + " is open.", "consent": "EXPLICIT"}}
	}
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			if a := s.ask(write, input(i)); a.code() != "" {
				t.Errorf("one that was admitted: %s", a.Body)
			}
		})
	}
	for range many {
		<-v.came
	}
	late := time.After(time.Minute)
	for { // operations are refused once nothing has completed for a while
		refused := make(chan *answer, 1)
		wg.Go(func() { refused <- s.ask(write, input(many)) })
		select {
		case a := <-refused:
			after, err := strconv.Atoi(a.Header.Get("Retry-After"))
			if a.code() != "RATE_LIMITED" || a.Status != http.StatusTooManyRequests || err != nil || after < 1 || a.Errors[0].Extensions["retryAfter"] != float64(after) {
				t.Fatalf("status %d, %s, Retry-After %q", a.Status, a.Body, a.Header.Get("Retry-After"))
			}
		case <-v.came:
			continue // it was admitted
		case <-late:
			t.Fatal("nothing was refused")
		}
		break
	}
	if a := s.ask(`{ memories(first: 1) { nodes { id } } }`, nil); a.code() != "" {
		t.Errorf("a query waits for no write: %s", a.Body)
	}
	if a := s.ask(`mutation { advanceClock(seconds: 1) }`, nil); a.code() == "RATE_LIMITED" {
		t.Errorf("a mutation waits for those that do the same: %s", a.Body)
	}
	close(v.free)
	wg.Wait()
	if a := s.ask(write, input(many+1)); a.code() != "" {
		t.Errorf("after the overload: %s", a.Body)
	}
}
