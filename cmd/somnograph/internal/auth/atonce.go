package auth

import (
	"net/http"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
)

// AtOnce limits a route to n concurrent requests of each principal; further ones get 429. Callers
// without authentication are not limited.
func AtOnce(n int64, serve func(c engine.Caller, w http.ResponseWriter, r *http.Request)) func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
	running := places.New(places.Limits{Principal: n})
	return func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
		leave, ok := running.TryEnter(places.Of(c), 1)
		if !ok {
			refuse(w, graph.Errorf(graph.CodeRateLimited, "%d requests of this kind run for you already; retry when one has ended", n))
			return
		}
		defer leave()
		serve(c, w, r)
	}
}
