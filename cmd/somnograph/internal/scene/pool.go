package scene

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// maxServers is the number of maps that a Pool keeps. Each holds a scene in memory.
const maxServers = 16

// Pool has a map for each tenant, user and set of namespaces that callers have: a map shows what
// its callers see and no more. It closes the map that was used least recently when there are too
// many; the pages that show it load it again.
type Pool struct {
	make func(engine.Caller) *Server

	mu      sync.Mutex
	servers []pooled // the most recently used first
	closed  bool
}

type pooled struct {
	sight  string
	server *Server
}

// NewPool makes a Pool. make starts the map of a caller.
func NewPool(make func(engine.Caller) *Server) *Pool { return &Pool{make: make} }

// sightOf identifies what a caller sees.
func sightOf(c engine.Caller) string { return string(c.Tenant) + "\x00" + c.Sight().Key() }

// of returns the map of a caller.
func (p *Pool) of(c engine.Caller) (*Server, error) {
	sight := sightOf(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, graph.Errorf(graph.CodeUnavailable, "the server is ending")
	}
	i := slices.IndexFunc(p.servers, func(s pooled) bool { return s.sight == sight })
	var found pooled
	if i >= 0 {
		found = p.servers[i]
		p.servers = slices.Delete(p.servers, i, i+1)
	} else {
		found = pooled{sight, p.make(c)}
	}
	p.servers = slices.Insert(p.servers, 0, found)
	if len(p.servers) > maxServers {
		last := p.servers[maxServers].server
		p.servers = p.servers[:maxServers]
		go last.Close() // it waits for its background work
	}
	return found.server, nil
}

// Draws is the number of memories that a request draws anew, as far as the last picture for its caller shows: none while nothing has changed.
func (p *Pool) Draws(ctx context.Context, c engine.Caller) int {
	sight := sightOf(c)
	p.mu.Lock()
	i := slices.IndexFunc(p.servers, func(s pooled) bool { return s.sight == sight })
	var s *Server
	if i >= 0 {
		s = p.servers[i].server
	}
	p.mu.Unlock()
	if s == nil {
		return 0
	}
	return s.draws(ctx)
}

// Picture implements [resolvers.Scenes].
func (p *Pool) Picture(ctx context.Context, c engine.Caller, namespaces []string, at graph.AsOf, first int) (*resolvers.Picture, error) {
	s, err := p.of(c)
	if err != nil {
		return nil, err
	}
	return s.Picture(ctx, c, namespaces, at, first)
}

// Changes implements [resolvers.Scenes].
func (p *Pool) Changes(ctx context.Context, c engine.Caller, from resolvers.Scene) (<-chan resolvers.SceneChange, error) {
	s, err := p.of(c)
	if err != nil {
		return nil, err
	}
	return s.Changes(ctx, c, from)
}

// Serve serves GET /viz/graph to a caller, and returns what was wrong with the request.
func (p *Pool) Serve(c engine.Caller, w http.ResponseWriter, r *http.Request) error {
	s, err := p.of(c)
	if err != nil {
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
		return err
	}
	return s.Serve(w, r)
}

// Close closes all maps.
func (p *Pool) Close() {
	p.mu.Lock()
	servers := p.servers
	p.servers, p.closed = nil, true
	p.mu.Unlock()
	for _, s := range servers {
		s.server.Close()
	}
}
