package auth

import (
	"context"
	"net/http"

	"github.com/somnograph/somnograph/engine"
)

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
		return serve(c, w, r)
	}
}
