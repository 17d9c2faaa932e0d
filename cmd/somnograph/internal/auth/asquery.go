package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/engine"
)

// longest is the time for one request. With a deadline, however late, a request fails at once while the store is away; one without waits for it.
const longest = 5 * time.Minute

// AsQuery limits the requests of a route as queries are limited. charge takes the price of a request, and enter waits until the caller runs
// fewer queries than its limit, and counts one until leave is called. A request that either refuses gets the status of its error.
func AsQuery(charge func(context.Context, engine.Caller, *http.Request) error, enter func(context.Context, engine.Caller) (leave func(answer int), err error),
	serve func(engine.Caller, http.ResponseWriter, *http.Request) error) func(engine.Caller, http.ResponseWriter, *http.Request) error {
	return func(c engine.Caller, w http.ResponseWriter, r *http.Request) error {
		err := charge(r.Context(), c, r)
		var leave func(int)
		if err == nil {
			leave, err = enter(r.Context(), c)
		}
		if err != nil {
			refuse(w, err)
			return err
		}
		defer leave(0)
		ctx, cancel := context.WithTimeout(r.Context(), longest)
		defer cancel()
		return serve(c, w, r.WithContext(ctx))
	}
}
