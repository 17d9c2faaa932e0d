package mcp

import (
	"context"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// maxWatched is the largest number of resources of one subscription.
const maxWatched = 100

// watch tells one client when the resources that it subscribed to change. It has a server of its
// own, because the SDK notifies every subscriber of a server, whoever may see the resource.
type watch struct {
	service *Service
	server  *sdk.Server
	end     context.CancelFunc // ends the request

	events, reports sync.Once

	mu       sync.Mutex
	memories map[graph.ID]string // watched memory: address
	chains   map[graph.ID]string // watched chain: address
}

// newWatch makes the server of one subscription.
func (s *Service) newWatch(p *place, end context.CancelFunc) *watch {
	w := &watch{service: s, end: end, memories: map[graph.ID]string{}, chains: map[graph.ID]string{}}
	w.server = s.newServer(p.minimal, w.subscribe)
	return w
}

// subscribe checks that the caller may see a resource, and follows its changes until ctx ends.
func (w *watch) subscribe(ctx context.Context, req *sdk.SubscribeRequest) error {
	uri := req.Params.URI
	p := placeOf(ctx)
	switch {
	case uri == schemaURI:
		return nil // it changes with the server only
	case uri == reportURI:
		return w.followReports(ctx, p)
	}
	id, chain := strings.CutPrefix(uri, lineagePrefix)
	if !chain {
		var memory bool
		if id, memory = strings.CutPrefix(uri, memoryPrefix); !memory {
			return sdk.ResourceNotFoundError(shortened(uri))
		}
	}
	m, err := w.service.visible(ctx, p, graph.ID(id))
	if err != nil {
		return sdk.ResourceNotFoundError(shortened(uri))
	}
	w.mu.Lock()
	full := len(w.memories)+len(w.chains) >= maxWatched
	if !full && chain {
		w.chains[m.Chain] = uri
	} else if !full {
		w.memories[m.ID] = uri
	}
	w.mu.Unlock()
	if full {
		return graph.FieldError(graph.CodeLimitExceeded, "resourceSubscriptions", "has more than %d items", maxWatched)
	}
	return w.followEvents(ctx, p)
}

// followEvents starts the follower of memories, once.
func (w *watch) followEvents(ctx context.Context, p *place) (err error) {
	w.events.Do(func() {
		var events <-chan engine.Event
		if events, err = w.service.config.Verbs.Events(ctx, p.caller, 0, true, p.namespaces()); err != nil {
			return
		}
		go func() {
			defer w.end() // the client subscribes again
			for e := range events {
				if w.expired(p) {
					return
				}
				for _, uri := range w.changed(e) {
					w.notify(ctx, uri)
				}
			}
		}()
	})
	return err
}

// changed lists the watched resources that an event changed. After LAGGED any may have changed.
func (w *watch) changed(e engine.Event) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	if e.Kind == graph.EventLagged {
		for _, uri := range w.memories {
			out = append(out, uri)
		}
		for _, uri := range w.chains {
			out = append(out, uri)
		}
		return out
	}
	if uri, there := w.memories[e.ID]; there {
		out = append(out, uri)
	}
	if e.Memory != nil {
		if uri, there := w.chains[e.Memory.Chain]; there {
			out = append(out, uri)
		}
	}
	return out
}

// followReports starts the follower of morning reports, once.
func (w *watch) followReports(ctx context.Context, p *place) (err error) {
	w.reports.Do(func() {
		var reports <-chan engine.SleepReport
		if reports, err = w.service.config.Verbs.MorningReports(ctx, p.caller, ""); err != nil {
			return
		}
		go func() {
			defer w.end()
			for range reports {
				if w.expired(p) {
					return
				}
				w.notify(ctx, reportURI)
			}
		}()
	})
	return err
}

// expired reports whether the credential of the client has ended, so that it is told nothing more.
func (w *watch) expired(p *place) bool {
	return w.service.config.Expired != nil && w.service.config.Expired(p.caller)
}

func (w *watch) notify(ctx context.Context, uri string) {
	if err := w.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		w.service.config.Logger.DebugContext(ctx, "an MCP client was not notified", "error", err)
	}
}
