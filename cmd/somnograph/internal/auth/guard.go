package auth

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// Gate says who calls, and holds what must end with a credential.
type Gate struct {
	Authenticate func(*http.Request) (engine.Caller, error)
	Hold         func(c engine.Caller, end func()) (stop func()) // nil: credentials do not end
	Expired      func(engine.Caller) bool                        // with Hold: whether a credential has ended by its own time
	Address      func(*http.Request) string                      // of the client; nil: that of the connection
	Stands       func(context.Context, engine.Caller) error      // the error of a new request, of a credential that has ended; nil: credentials do not end
	Refused      Note                                            // callers whose rights do not cover a route; nil: nobody is told
}

// Note notes for the audit what became of the request of a caller.
type Note func(ctx context.Context, c engine.Caller, verb string, err error)

// Require serves the route of a verb to callers that have a scope and, with whole, whose credentials cover
// the whole tenant. Others get 401, 403 or 429. The context of the request ends with the credential.
func (g Gate) Require(verb string, scope access.Scope, whole bool, serve func(c engine.Caller, w http.ResponseWriter, r *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := g.Authenticate(r)
		if err == nil {
			err = g.permit(r.Context(), c, verb, scope, whole)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		if g.Hold != nil {
			ctx, cancel := context.WithCancelCause(r.Context())
			defer cancel(nil)
			defer g.Hold(c, func() { cancel(refused()) })()
			r = r.WithContext(ctx)
		}
		serve(c, w, r)
	})
}

// permit returns FORBIDDEN unless the rights of a caller cover a route.
func (g Gate) permit(ctx context.Context, c engine.Caller, verb string, scope access.Scope, whole bool) error {
	err := c.Require(scope, "", "this route")
	if err == nil && whole {
		err = c.WholeTenant()
	}
	if err != nil && g.Refused != nil {
		g.Refused(ctx, c, verb, err)
	}
	return err
}

// Challenge is the header WWW-Authenticate of a response with status 401.
const Challenge = `Bearer realm="somnograph"`

// refuse responds with the error of a caller in one line.
func refuse(w http.ResponseWriter, err error) {
	status, text := statusText(err)
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", Challenge)
	case http.StatusTooManyRequests:
		seconds := 3
		if later, ok := err.(interface{ RetryAfter() int }); ok {
			seconds = later.RetryAfter()
		}
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, text, status)
}

// RefuseEnded responds like to a new request if a request failed with err because its credential has ended.
func RefuseEnded(w http.ResponseWriter, r *http.Request, err error) bool {
	ended := Ended(r, err)
	if ended != nil {
		refuse(w, ended)
	}
	return ended != nil
}

// Ended returns the error of a credential that has ended, if a request failed with err because of it; nil otherwise.
func Ended(r *http.Request, err error) error {
	for _, err := range []error{err, context.Cause(r.Context())} {
		if err != nil && graph.CodeOf(err) == graph.CodeUnauthenticated {
			return err
		}
	}
	return nil
}

// statusText is the status and the text of a response to a caller that was refused.
func statusText(err error) (int, string) {
	var e *graph.Error
	if !errors.As(err, &e) {
		e = &graph.Error{Message: "unavailable"}
	}
	switch graph.CodeOf(err) {
	case graph.CodeUnauthenticated:
		return http.StatusUnauthorized, e.Sentence()
	case graph.CodeForbidden:
		return http.StatusForbidden, e.Sentence()
	case graph.CodeRateLimited:
		return http.StatusTooManyRequests, e.Sentence()
	case graph.CodeLimitExceeded:
		return http.StatusRequestEntityTooLarge, e.Sentence()
	case graph.CodeUnavailable:
		return http.StatusServiceUnavailable, "unavailable"
	}
	return http.StatusInternalServerError, "internal error"
}
