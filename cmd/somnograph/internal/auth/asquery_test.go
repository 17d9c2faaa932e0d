package auth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// later is an error with a time after which a retry may succeed.
type later struct{ error }

func (l later) Unwrap() error { return l.error }
func (later) RetryAfter() int { return 40 }

func TestRequestsAsQueries(t *testing.T) {
	limited := later{graph.Errorf(graph.CodeRateLimited, "retry in 40 s")}
	expensive := graph.Errorf(graph.CodeLimitExceeded, "the limit is 50 at once")
	for _, x := range []struct {
		name          string
		charge, enter error
		status        int
		retry         string
		served, left  int
	}{
		{"granted", nil, nil, http.StatusOK, "", 1, 1},
		{"above the rate limit", limited, nil, http.StatusTooManyRequests, "40", 0, 0},
		{"beside too many queries", nil, limited, http.StatusTooManyRequests, "40", 0, 0},
		{"above the limit at once", expensive, nil, http.StatusRequestEntityTooLarge, "", 0, 0},
	} {
		served, left := 0, 0
		serve := auth.AsQuery(
			func(context.Context, engine.Caller, *http.Request) error { return x.charge },
			func(context.Context, engine.Caller) (func(int), error) { return func(int) { left++ }, x.enter },
			func(_ engine.Caller, _ http.ResponseWriter, r *http.Request) error {
				if _, bounded := r.Context().Deadline(); !bounded { // it would wait for a store that is away
					t.Errorf("%s: the request has no deadline", x.name)
				}
				served++
				return nil
			})
		w := httptest.NewRecorder()
		if err := serve(engine.Caller{Tenant: "acme", Name: "ana"}, w, httptest.NewRequest(http.MethodGet, "/viz/graph", nil)); (err != nil) != (x.served == 0) {
			t.Errorf("%s: %v", x.name, err)
		}
		if w.Code != x.status || served != x.served || left != x.left || w.Header().Get("Retry-After") != x.retry {
			t.Errorf("%s: status %d, served %d, left %d", x.name, w.Code, served, left)
		}
	}
}
