package wire

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/graph"
)

// Subprotocol is the only supported subprotocol.
const Subprotocol = "graphql-transport-ws"

// The close codes of graphql-transport-ws.
const (
	CloseInvalidMessage  = 4400
	CloseUnauthorized    = 4401 // subscribe before connection_ack, or the credential has ended
	CloseForbidden       = 4403 // the connection was refused
	CloseSubprotocol     = 4406
	CloseInitTimeout     = 4408
	CloseSubscriberTaken = 4409 // the id of a subscribe is already in use
	CloseTooMany         = 4429 // a second connection_init, or too many concurrent operations, streams or failed tries
)

// ErrUnauthorized is the cause of the end of a context whose credential has ended.
var ErrUnauthorized = errors.New("the credential has ended")

type untilKey struct{}

// Until returns a context of operations whose responses are delivered until over reports true, which then has ended the context.
func Until(ctx context.Context, over func() bool) context.Context {
	return context.WithValue(ctx, untilKey{}, over)
}

// isOver reports whether nothing of the operations of a context is delivered any more.
func isOver(ctx context.Context) bool {
	over, ok := ctx.Value(untilKey{}).(func() bool)
	return ok && over()
}

// Sockets is GraphQL over WebSocket with graphql-transport-ws only.
type Sockets struct {
	// Init accepts or refuses a connection by the payload of its connection_init. It returns
	// the context of all operations of the connection.
	Init func(ctx context.Context, r *http.Request, payload map[string]any) (context.Context, error)
	// InitTimeout is the maximum wait for connection_init.
	InitTimeout time.Duration
	// Ping is the interval of pings; a client that misses two is disconnected.
	Ping time.Duration
	// Write is the maximum time for the client to accept one message.
	Write time.Duration
	// Operations is the maximum number of concurrent operations of one socket.
	Operations int
	// Message is the maximum size of one message in bytes.
	Message int64
	// Linger is the maximum wait for the client's close frame.
	Linger time.Duration
}

// writeBuffers are shared by all sockets, so that an idle socket holds none.
var writeBuffers sync.Pool

// upgrader accepts every origin, because Handler has checked it.
var upgrader = websocket.Upgrader{
	ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, WriteBufferPool: &writeBuffers,
	Subprotocols: []string{Subprotocol},
	CheckOrigin:  func(*http.Request) bool { return true },
}

// Supports reports whether the request asks for a WebSocket.
func (t Sockets) Supports(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do serves one socket until it closes.
func (t Sockets) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	conn, err := upgrader.Upgrade(hijacker{w}, r, nil)
	if err != nil {
		return // the upgrader has written a response
	}
	s := newSocket(conn, t)
	if !slices.Contains(websocket.Subprotocols(r), Subprotocol) {
		_ = s.WriteClose(CloseSubprotocol, "Subprotocol not acceptable")
		_ = s.Close()
		return
	}
	defer context.AfterFunc(r.Context(), func() { s.endSilent(context.Cause(r.Context())) })()
	transport.Websocket{
		Implementation: acceptedConn{s},
		InitFunc: func(ctx context.Context, payload transport.InitPayload) (context.Context, *transport.InitPayload, error) {
			ctx, err := t.Init(ctx, r, payload)
			if err == nil {
				s.setContext(ctx)
			}
			if err != nil {
				code, reason := closeCode(err)
				return transport.WithWebsocketCloseCode(transport.AppendCloseReason(r.Context(), reason), code), nil, err
			}
			return ctx, nil, nil
		},
		InitTimeout:      t.InitTimeout,
		PingPongInterval: t.Ping,
		PayloadReadLimit: &t.Message,
	}.Do(w, r, exec)
}

// closeCode is the close code of a connection that Init refused, and its reason.
func closeCode(err error) (code int, reason string) {
	switch graph.CodeOf(err) {
	case graph.CodeRateLimited:
		return CloseTooMany, "Too many connections or tries"
	case graph.CodeUnavailable:
		return websocket.CloseTryAgainLater, "Try again later"
	}
	return CloseForbidden, "Forbidden"
}

// hijacker hijacks the connection through wrapped response writers.
type hijacker struct{ http.ResponseWriter }

func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(h.ResponseWriter).Hijack()
}

// acceptedConn gives gqlgen a connection that is already accepted.
type acceptedConn struct{ s *socket }

func (a acceptedConn) Accept(http.ResponseWriter, *http.Request, transport.WebsocketAcceptOptions) (transport.WebsocketConn, error) {
	return a.s, nil
}
