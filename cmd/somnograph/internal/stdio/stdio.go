// Package stdio serves MCP on standard input and output, and passes every request on to the
// endpoint of a server over HTTP. It has no tools of its own: it offers what the server offers.
package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options configure Run. All but Version are required.
type Options struct {
	Endpoint  string            // URL of the endpoint
	HTTP      http.RoundTripper // sends requests to the server
	Transport sdk.Transport     // to the client
	// Explain says why a request to the server failed, if HTTP knows better than the error; nil: it does not.
	Explain func(error) error
	Version string
}

// Run serves a client until it disconnects or ctx ends.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bridge{options: o, ctx: ctx}
	catalog, err := b.connect(ctx, &sdk.Implementation{Name: "somnograph mcp", Version: o.Version}, &sdk.ClientCapabilities{})
	if err != nil {
		return b.public(err)
	}
	if err := b.offer(ctx, catalog); err != nil {
		return b.public(err)
	}
	return b.server.Run(ctx, o.Transport)
}

// public is an error as the client should see it: what the server said, or why it could not be asked, without
// the steps in between.
func (b *bridge) public(err error) error {
	var said *jsonrpc.Error
	if errors.As(err, &said) && said.Code != rejected {
		return said
	}
	if b.options.Explain != nil {
		return b.options.Explain(err)
	}
	return err
}

// rejected is the code of the SDK for a request that the transport did not send.
const rejected = -32005

// bridge is a server on one side and a client on the other.
type bridge struct {
	options Options
	ctx     context.Context // of Run; sessions with the server live as long
	server  *sdk.Server

	mu       sync.Mutex
	upstream *sdk.ClientSession // with the capabilities of the client; nil: none yet
}

// connect connects to the server as a client with the given capabilities. What the client can do
// decides, for example, whether the server asks its user.
func (b *bridge) connect(ctx context.Context, info *sdk.Implementation, c *sdk.ClientCapabilities) (*sdk.ClientSession, error) {
	client := sdk.NewClient(info, &sdk.ClientOptions{
		Capabilities:   c,
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true}, // the client on the other side answers
		ResourceUpdatedHandler: func(ctx context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			_ = b.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: r.Params.URI}) // the client may have gone
		},
	})
	return client.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: b.options.Endpoint, HTTPClient: &http.Client{Transport: b.options.HTTP}, DisableStandaloneSSE: true, MaxRetries: -1,
	}, nil)
}

// session returns the connection to the server, which is made at the first request, when the
// client has said who it is and what it can do.
func (b *bridge) session(info *sdk.Implementation, c *sdk.ClientCapabilities) (*sdk.ClientSession, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.upstream != nil {
		return b.upstream, nil
	}
	if info == nil {
		info = &sdk.Implementation{Name: "somnograph mcp", Version: b.options.Version}
	}
	asks := &sdk.ClientCapabilities{}
	if c != nil {
		asks.Elicitation = c.Elicitation
	}
	s, err := b.connect(b.ctx, info, asks)
	if err != nil {
		return nil, b.public(err)
	}
	b.upstream = s
	return s, nil
}

// offer makes the server of this side with the tools and resources of the other.
func (b *bridge) offer(ctx context.Context, s *sdk.ClientSession) error {
	hello := s.InitializeResult()
	b.server = sdk.NewServer(hello.ServerInfo, &sdk.ServerOptions{
		Instructions: hello.Instructions, Capabilities: hello.Capabilities,
		SubscribeHandler: func(ctx context.Context, r *sdk.SubscribeRequest) error {
			up, err := b.session(r.ClientInfo(), r.ClientCapabilities())
			if err != nil {
				return err
			}
			if err := up.Subscribe(b.ctx, &sdk.SubscribeParams{URI: r.Params.URI}); err != nil {
				return b.public(err)
			}
			return nil
		},
		UnsubscribeHandler: func(ctx context.Context, r *sdk.UnsubscribeRequest) error {
			up, err := b.session(r.ClientInfo(), r.ClientCapabilities())
			if err != nil {
				return err
			}
			return up.Unsubscribe(ctx, &sdk.UnsubscribeParams{URI: r.Params.URI})
		},
	})
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		b.server.AddTool(t, b.call)
	}
	if hello.Capabilities.Resources == nil {
		return nil
	}
	for r, err := range s.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		b.server.AddResource(r, b.read)
	}
	for t, err := range s.ResourceTemplates(ctx, nil) {
		if err != nil {
			return err
		}
		b.server.AddResourceTemplate(t, b.read)
	}
	return nil
}

func (b *bridge) call(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	up, err := b.session(r.ClientInfo(), r.ClientCapabilities())
	if err != nil {
		return nil, err
	}
	args := r.Params.Arguments
	if args == nil {
		args = json.RawMessage("{}")
	}
	result, err := up.CallTool(ctx, &sdk.CallToolParams{Name: r.Params.Name, Arguments: args, InputResponses: r.Params.InputResponses, RequestState: r.Params.RequestState})
	if err != nil {
		return nil, b.public(err)
	}
	return result, nil
}

func (b *bridge) read(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	up, err := b.session(r.ClientInfo(), r.ClientCapabilities())
	if err != nil {
		return nil, err
	}
	result, err := up.ReadResource(ctx, &sdk.ReadResourceParams{URI: r.Params.URI})
	if err != nil {
		return nil, b.public(err)
	}
	return result, nil
}
