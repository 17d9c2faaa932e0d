package resolvers_test

import (
	"net/http"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers"
)

func TestPerformance(t *testing.T) {
	s := start(t)
	s.remember("The ferry leaves at seven.", nil)
	for range 3 {
		s.must(`{ search(input: {query: "ferry"}) { hits { score } } again: search(input: {query: "seven"}) { hits { score } } }`, nil)
	}
	a := s.must(`{ performance { name count p50Ms p95Ms p99Ms maxMs } }`, nil)
	if a.at(t, "performance.0.name") != "search" || a.at(t, "performance.0.count") != 6.0 {
		t.Errorf("the most frequent operation: %s", a.Body)
	}
	if a.at(t, "performance.0.p50Ms").(float64) > a.at(t, "performance.0.maxMs").(float64) || a.at(t, "performance.0.maxMs") == 0.0 {
		t.Errorf("the times of search: %s", a.Body)
	}
	guest := start(t, func(c *resolvers.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			who := engine.Loopback()
			who.Admin = false
			return who, nil
		}
	})
	if a := guest.ask(`{ performance { name } }`, nil); a.code() != "FORBIDDEN" {
		t.Errorf("a caller without administrator rights gets %s", a.Body)
	}
}
