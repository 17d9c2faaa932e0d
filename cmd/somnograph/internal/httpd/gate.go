// Package httpd is the HTTP server around the API and the explorer: the checks of every
// request, the headers of every response, readiness, metrics and shutdown.
package httpd

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Gate answers the health routes at any time. It passes other requests to the routes once the
// server is open.
//
//	/livez    200 while the process can answer
//	/readyz   200 if the store takes reads and writes now, else 503 with the reason; also 200 while
//	          an alarm halts writes, because reads, erasures and resetAlarm go on
//	/healthz  the same for people, as JSON, with "writes": "halted" while an alarm halts them
type Gate struct {
	version string
	since   time.Time
	now     func() time.Time
	inner   atomic.Pointer[opened]
	drained atomic.Bool
}

// opened holds the routes of an open gate.
type opened struct {
	routes http.Handler
	ready  func(context.Context) error
	halted func() bool
}

// NewGate makes a closed gate.
func NewGate(version string, now func() time.Time) *Gate {
	return &Gate{version: version, since: now(), now: now}
}

// Open passes requests to the routes. ready returns nil if the store takes reads and writes now;
// halted reports whether an alarm has halted writes.
func (g *Gate) Open(routes http.Handler, ready func(context.Context) error, halted func() bool) {
	g.inner.Store(&opened{routes, ready, halted})
}

// Drain makes the server unready. It still serves requests, because a load balancer needs
// time to notice.
func (g *Gate) Drain() { g.drained.Store(true) }

// ServeHTTP implements http.Handler.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/livez":
		plain(w, http.StatusOK, "ok")
		return
	case "/readyz":
		state, reason := g.state(r.Context())
		if reason != "" {
			plain(w, http.StatusServiceUnavailable, state+": "+reason)
			return
		}
		status := http.StatusOK
		if state != "ready" {
			status = http.StatusServiceUnavailable
		}
		plain(w, status, state)
		return
	case "/healthz":
		g.health(w, r)
		return
	}
	in := g.inner.Load()
	if in == nil {
		w.Header().Set("Retry-After", "1")
		plain(w, http.StatusServiceUnavailable, "starting")
		return
	}
	in.routes.ServeHTTP(w, r)
}

// state is "ready", "starting", "ending" or "unavailable". The reason of the last is what the store
// says to callers, such as that the disk is full. It is empty for other errors, because anyone who can
// connect may ask, and these can name paths and addresses.
func (g *Gate) state(ctx context.Context) (state, reason string) {
	in := g.inner.Load()
	switch {
	case g.drained.Load():
		return "ending", ""
	case in == nil:
		return "starting", ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	err := in.ready(ctx)
	if err == nil {
		return "ready", ""
	}
	var public *graph.Error
	if errors.As(err, &public) && public.Code == graph.CodeUnavailable {
		reason = public.Message
	}
	return "unavailable", reason
}

func (g *Gate) health(w http.ResponseWriter, r *http.Request) {
	state, reason := g.state(r.Context())
	writes := "allowed"
	if in := g.inner.Load(); state != "ready" {
		writes = "refused"
	} else if in.halted() {
		writes = "halted"
	}
	answer := map[string]any{
		"status": state, "writes": writes, "version": g.version, "uptimeSeconds": int64(g.now().Sub(g.since).Seconds()),
	}
	if reason != "" {
		answer["reason"] = reason
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if state != "ready" {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	write(w, append(raw, '\n'))
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	write(w, []byte(text+"\n"))
}

// write sends a small response. It ignores the error of a client that has gone.
func write(w http.ResponseWriter, b []byte) {
	if _, err := w.Write(b); err != nil {
		return
	}
}
