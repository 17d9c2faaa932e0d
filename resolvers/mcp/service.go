package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	web "github.com/somnograph/somnograph/internal/origin"
	"github.com/somnograph/somnograph/internal/places"
)

// GraphQL serves operations that reach only a part of what their credentials grant: a namespace, a user, and what an agent keeps private
// about the user. Empty: no limit.
type GraphQL interface {
	ServePart(w http.ResponseWriter, r *http.Request, namespace, user, agent string)
}

// Config configures the endpoint. Verbs, Authenticate, GraphQL and Schema are required.
type Config struct {
	Verbs Verbs
	// Authenticate returns the caller of a request. An error is answered with 401. So is UNAUTHENTICATED of a read of the body, whose
	// credential ended then.
	Authenticate func(*http.Request) (engine.Caller, error)
	// Admit returns an error if the caller may not call a tool, or with [Resources] read or follow
	// resources, now: it lacks a permission, or has
	// used up its budget. Nil: every caller may.
	Admit func(ctx context.Context, c engine.Caller, call Call) error
	// MayRead reports whether Admit lets a caller read resources at all. It notes and charges nothing. Nil: every caller may.
	MayRead func(c engine.Caller) bool
	// EnterQuery waits until the caller runs fewer queries than its limit, and counts one until leave is
	// called with the size of its answer: a tool that only reads, a read of a resource, or a hook that searches. The graphql tool is
	// counted by GraphQL. Nil: there is no limit.
	EnterQuery func(ctx context.Context, c engine.Caller) (leave func(answer int), err error)
	// BeginAnswer returns a context in which EnterQuery counts a query with a large answer until sent is called. Nil: until leave is.
	BeginAnswer func(ctx context.Context) (_ context.Context, sent func())
	// EnterSubscription counts a subscription of the caller until ctx ends. Nil: there is no limit.
	EnterSubscription func(ctx context.Context, c engine.Caller) error
	// Hold calls end once, within a second after the credential of the caller has ended, unless stop
	// was called. Nil: credentials do not end.
	Hold func(c engine.Caller, end func()) (stop func())
	// Expired reports whether the credential of a caller has ended by its own time. A subscription then tells nothing more. Nil: it
	// goes on until Hold ends it.
	Expired func(c engine.Caller) bool
	// GraphQL serves the operations of the graphql tool.
	GraphQL GraphQL
	// Schema is the GraphQL schema in its own language.
	Schema string
	// AuthorizationServers are the issuers of tokens that Authenticate accepts. If there are any, the
	// endpoint publishes OAuth protected-resource metadata (RFC 9728).
	AuthorizationServers []string
	// AllowedOrigins are the foreign origins whose pages may call the endpoint.
	AllowedOrigins []string
	Version        string // of the server
	// Tracer makes a span for each message. Nil: there are no traces.
	Tracer trace.Tracer
	Logger *slog.Logger // default: no logging
	// Transport answers the messages that were let through; nil: the tools and resources of this
	// package.
	Transport http.Handler
	// Streams is the largest number of concurrent subscriptions; 0: 1,024.
	Streams int64
}

// Call is what a caller asks for.
type Call struct {
	Tool     string
	Question int // bytes of the question that is searched for; 0: there is none
	Bytes    int // of everything that was sent
}

// Resources is the name under which Admit is asked about resources.
const Resources = "resources"

// Service serves /mcp, /hooks/claude-code, both with an optional namespace, and the OAuth metadata. It is safe for concurrent use.
type Service struct {
	config      Config
	definitions map[string]string // of the schema, by name
	full, small *sdk.Server       // of the two profiles
	transport   http.Handler
	injected    *lru.Cache[conversation, map[graph.ID]bool] // what hooks gave to a conversation
	injecting   sync.Mutex                                  // guards the maps in injected
	streams     atomic.Int64
	tenants     *places.Places // of streams
	stopping    context.Context
	stop        context.CancelFunc
}

// metadataPath is the well-known path of the OAuth metadata; the path of the resource follows.
const metadataPath = "/.well-known/oauth-protected-resource"

// maxBody is the largest request in bytes.
const maxBody = 1 << 20

// New makes a Service.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Streams == 0 {
		c.Streams = 1024
	}
	s := &Service{config: c, definitions: definitions(c.Schema), tenants: places.New(places.Shared(c.Streams))}
	s.injected, _ = lru.New[conversation, map[graph.ID]bool](maxConversations) // the size is above 0
	s.stopping, s.stop = context.WithCancel(context.Background())
	refuse := func(context.Context, *sdk.SubscribeRequest) error {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this transport has no sessions: use subscriptions/listen of protocol 2026-07-28"}
	}
	s.full, s.small = s.newServer(false, refuse), s.newServer(true, refuse)
	if s.transport = c.Transport; s.transport == nil {
		s.transport = sdk.NewStreamableHTTPHandler(serverOf, &sdk.StreamableHTTPOptions{
			Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		})
	}
	return s
}

// newServer makes a server with the tools of a profile.
func (s *Service) newServer(minimal bool, subscribe func(context.Context, *sdk.SubscribeRequest) error) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "somnograph", Title: "Somnograph memory", Version: s.config.Version}, &sdk.ServerOptions{
		Instructions:       instructions,
		Capabilities:       &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{Subscribe: true}},
		SubscribeHandler:   subscribe,
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		SetCacheable:       cacheable,
	})
	server.AddReceivingMiddleware(withoutSessions, s.readable, s.withCodes)
	if s.config.Tracer != nil {
		server.AddReceivingMiddleware(s.traced)
	}
	server.AddReceivingMiddleware(s.recovered)
	for i := range tools {
		if t := &tools[i]; t.minimal || !minimal {
			server.AddTool(t.declaration(), s.handler(t))
		}
	}
	if !minimal {
		s.addResources(server)
	}
	return server
}

// withCodes gives errors of the engine a code of the protocol: the SDK sends 0 for an error that it does not know. Errors of tools
// are results, and not seen here.
func (s *Service) withCodes(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		var known *graph.Error
		if !errors.As(err, &known) {
			return result, err
		}
		public := s.publicError(ctx, method, err)
		code := int64(jsonrpc.CodeInvalidParams)
		switch public.Code {
		case graph.CodeInternal, graph.CodeUnavailable, graph.CodeIntegrityFailure:
			code = jsonrpc.CodeInternalError
		}
		return nil, &jsonrpc.Error{Code: code, Message: public.Error()}
	}
}

// withoutSessions tells clients of revisions with sessions that they can't subscribe: there are none here.
func withoutSessions(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if hello, ok := result.(*sdk.InitializeResult); ok && method == "initialize" && hello.Capabilities != nil && hello.Capabilities.Resources != nil {
			said, capabilities, resources := *hello, *hello.Capabilities, *hello.Capabilities.Resources
			resources.Subscribe = false
			capabilities.Resources, said.Capabilities = &resources, &capabilities
			return &said, err
		}
		return result, err
	}
}

// listTime is how long clients may keep a list of tools or resources.
const listTime = time.Hour

// cacheable says how long clients may keep a result. The list of the tools is the same for everybody, those of the resources are not.
func cacheable(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	c.TTLMs, c.CacheScope = int(listTime.Milliseconds()), "public"
	switch req.GetParams().(type) {
	case *sdk.ReadResourceParams:
		c.TTLMs, c.CacheScope = 0, "private"
	case *sdk.ListResourcesParams, *sdk.ListResourceTemplatesParams:
		c.CacheScope = "private"
	}
}

type serverKey struct{}

// serverOf returns the server that ServeHTTP chose for a request.
func serverOf(r *http.Request) *sdk.Server { return r.Context().Value(serverKey{}).(*sdk.Server) }

// Routes adds the routes of the service to a mux.
func (s *Service) Routes(mux *http.ServeMux, wrap func(http.Handler) http.Handler) {
	for _, path := range []string{"/mcp", "/mcp/{namespace...}"} {
		mux.Handle(path, wrap(s))
	}
	for _, path := range []string{"/hooks/claude-code", "/hooks/claude-code/{namespace...}"} {
		mux.Handle("POST "+path, wrap(http.HandlerFunc(s.claudeCode)))
	}
	if len(s.config.AuthorizationServers) > 0 {
		metadata := wrap(http.HandlerFunc(s.metadata))
		for _, path := range []string{metadataPath, metadataPath + "/mcp", metadataPath + "/mcp/{namespace...}"} {
			mux.Handle("GET "+path, metadata)
		}
	}
}

// Close ends all subscriptions. New ones end at once.
func (s *Service) Close() { s.stop() }

// ServeHTTP serves one message.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.allowOrigin(w, r) {
		refuse(w, http.StatusForbidden, graph.Errorf(graph.CodeForbidden, "this origin is not allowed"))
		return
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	c, err := s.config.Authenticate(r)
	if err != nil {
		s.challenge(w, r, err)
		return
	}
	p, err := newPlace(c, r)
	if err != nil {
		status := http.StatusBadRequest
		if graph.CodeOf(err) == graph.CodeForbidden {
			status = http.StatusForbidden
		}
		refuse(w, status, s.publicError(r.Context(), "the URL", err))
		return
	}
	if err := checkBody(r); graph.CodeOf(err) == graph.CodeUnauthenticated && err != nil {
		s.challenge(w, r, err) // the credential ended while the body was sent
		return
	} else if err != nil {
		refuse(w, http.StatusBadRequest, s.publicError(r.Context(), "the body", err))
		return
	}
	ctx, cancel := context.WithCancel(withPlace(r.Context(), p))
	defer cancel()
	if s.config.BeginAnswer != nil {
		begun, sent := s.config.BeginAnswer(ctx)
		defer sent()
		ctx = begun
	}
	if s.config.Hold != nil {
		defer s.config.Hold(c, cancel)()
	}
	server := s.full
	if p.minimal {
		server = s.small
	}
	if r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		if err := s.admit(r.Context(), p, Call{Tool: Resources}); err != nil {
			refuse(w, http.StatusForbidden, s.publicError(r.Context(), "subscriptions/listen", err))
			return
		}
		defer s.streams.Add(-1)
		leave, ok := s.enter(c)
		defer leave()
		if !ok {
			w.Header().Set("Retry-After", "10")
			refuse(w, http.StatusServiceUnavailable, graph.Errorf(graph.CodeUnavailable, "too many concurrent subscriptions"))
			return
		}
		if s.config.EnterSubscription != nil {
			if err := s.config.EnterSubscription(ctx, c); err != nil {
				refuse(w, http.StatusTooManyRequests, s.publicError(ctx, "subscriptions/listen", err))
				return
			}
		}
		defer context.AfterFunc(s.stopping, cancel)()
		server = s.newWatch(p, cancel).server
	}
	s.transport.ServeHTTP(w, r.WithContext(context.WithValue(ctx, serverKey{}, server)))
}

// enter counts a stream, whose caller is one of a tenant if there are tenants, until leave is called; false: there is no place. The caller
// takes it from s.streams.
func (s *Service) enter(c engine.Caller) (leave func(), ok bool) {
	leave = func() {}
	if ok = s.streams.Add(1) <= s.config.Streams; ok && !c.Sources {
		if release, free := s.tenants.TryEnter(places.Of(c), 1); free {
			return release, true
		}
		return leave, false
	}
	return leave, ok
}

// checkBody refuses a body that is not UTF-8 or has half of a surrogate pair, and one whose credential has ended. It leaves the body to be read again, and one that is too large or can't be read to the
// transport.
func checkBody(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	read, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(read), r.Body), r.Body}
	if graph.CodeOf(err) == graph.CodeUnauthenticated {
		return err
	}
	if err != nil || len(read) > maxBody {
		return nil
	}
	if err := graph.CheckJSON("the body", read); err != nil {
		return err
	}
	return nil
}

// Streams is the number of open subscriptions.
func (s *Service) Streams() int { return int(s.streams.Load()) }

// refuse answers a request that no tool sees.
func refuse(w http.ResponseWriter, status int, err *graph.Error) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, err.Error(), status)
}

// challenge answers a request without accepted credentials, and says where to get some. Where the
// credentials could not be judged it only says to retry.
func (s *Service) challenge(w http.ResponseWriter, r *http.Request, err error) {
	public := &graph.Error{Code: graph.CodeUnauthenticated, Message: "the credentials are missing or not accepted"}
	var known *graph.Error
	if errors.As(err, &known) && known.Code != graph.CodeInternal {
		public = known
	}
	switch public.Code {
	case graph.CodeRateLimited:
		w.Header().Set("Retry-After", "3")
		refuse(w, http.StatusTooManyRequests, public)
		return
	case graph.CodeUnavailable:
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, public)
		return
	}
	value := `Bearer realm="somnograph"`
	if len(s.config.AuthorizationServers) > 0 {
		value += `, resource_metadata="` + origin(r) + metadataPath + r.URL.EscapedPath() + `"`
	}
	w.Header().Set("WWW-Authenticate", value)
	refuse(w, http.StatusUnauthorized, public)
}

// origin is the scheme and the host that a request was sent to.
func origin(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		u.Scheme = "https"
	}
	return u.String()
}

// corsHeaders are the request headers that pages of allowed origins may send.
const corsHeaders = "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name"

// allowOrigin reports whether a page may send the request, and sets the CORS headers for an
// allowed foreign one. Clients that are no browsers send no Origin.
func (s *Service) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	from := r.Header.Get("Origin")
	if from == "" {
		return true
	}
	if web.Own(from, r) {
		return true
	}
	if !web.Allowed(s.config.AllowedOrigins, from) {
		return false
	}
	h := w.Header()
	web.Expose(h, from)
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "POST")
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", "600")
	}
	return true
}
