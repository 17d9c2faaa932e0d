package auth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/engine"
)

// bodyKey is the key of the body of a request in its context.
type bodyKey struct{}

// Bodies makes the body of a request end with the credential that Authenticate accepts for the request. A read then returns the error
// that a new request gets. The credential is checked again when the body was read to its end, so that a handler that reads it before it
// begins does nothing for a credential that ended while the body was sent.
func (a *Authenticator) Bodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &heldBody{ReadCloser: r.Body, a: a, w: w, ctx: r.Context(), stop: func() {}}
		defer b.release()
		r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, b))
		r.Body = b
		next.ServeHTTP(w, r)
	})
}

// heldBody is a body that ends with the credential of its caller.
type heldBody struct {
	io.ReadCloser
	a   *Authenticator
	w   http.ResponseWriter
	ctx context.Context //nolint:containedctx // of the request, which has the body

	mu     sync.Mutex
	caller *engine.Caller // nil: none was accepted yet
	stop   func()         // ends the hold of its credential
	over   bool           // it was read to its end, or the request has ended
	err    error          // the credential has ended
}

// begin makes the body end with the credential of the caller.
func (b *heldBody) begin(c engine.Caller) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	b.stop()
	b.caller, b.stop = &c, b.a.hold(c, b.end)
}

// end ends the body. A read that waits for data returns.
func (b *heldBody) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.over {
		b.err = refused()
		httpd.EndReads(b.w)
	}
}

// Read implements io.Reader.
func (b *heldBody) Read(p []byte) (int, error) {
	if err := b.failed(); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		if err := b.check(); err != nil {
			return 0, err
		}
		return n, err
	}
	if ended := b.failed(); ended != nil {
		return 0, ended
	}
	return n, err
}

// failed returns the error of a credential that has ended, and lets the answer go out without the rest of the body.
func (b *heldBody) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil && !b.over {
		httpd.Abandon(b.w)
	}
	return b.err
}

// check checks the credential at the end of the body. The store may be slow, so b.mu is free meanwhile: end, which the watch over all
// credentials calls, takes it.
func (b *heldBody) check() error {
	b.release()
	b.mu.Lock()
	err, caller := b.err, b.caller
	b.mu.Unlock()
	if err == nil && caller != nil {
		err = b.a.Stands(b.ctx, *caller)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
	return err
}

// release ends the hold of the credential.
func (b *heldBody) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.stop()
}
