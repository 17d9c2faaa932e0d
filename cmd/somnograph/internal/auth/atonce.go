package auth

import (
	"net/http"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// AtOnce limits a route to n concurrent requests of each principal; further ones get 429. Callers
// without authentication are not limited.
func AtOnce(n int, serve func(c engine.Caller, w http.ResponseWriter, r *http.Request)) func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
	type principal struct {
		tenant graph.Tenant
		name   string
	}
	var mu sync.Mutex
	running := map[principal]int{}
	// change counts a request that begins or ends; false: there are too many.
	change := func(p principal, by int) bool {
		mu.Lock()
		defer mu.Unlock()
		if by > 0 && running[p] >= n {
			return false
		}
		if running[p] += by; running[p] == 0 {
			delete(running, p)
		}
		return true
	}
	return func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
		if c.Sources {
			serve(c, w, r)
			return
		}
		p := principal{c.Tenant, c.Name}
		if !change(p, 1) {
			refuse(w, graph.Errorf(graph.CodeRateLimited, "%d requests of this kind run for you already; retry when one has ended", n))
			return
		}
		defer change(p, -1)
		serve(c, w, r)
	}
}
