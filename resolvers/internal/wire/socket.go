package wire

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"
)

// Subprotocol is the only one that is spoken.
const Subprotocol = "graphql-transport-ws"

// The close codes of graphql-transport-ws.
const (
	CloseInvalidMessage  = 4400
	CloseUnauthorized    = 4401 // subscribe before the connection was acknowledged
	CloseForbidden       = 4403 // the connection was refused
	CloseSubprotocol     = 4406
	CloseInitTimeout     = 4408
	CloseSubscriberTaken = 4409 // the id of a subscribe is in use
	CloseTooMany         = 4429 // a second connection_init, or too many operations at once
)

// Sockets is GraphQL over WebSocket, graphql-transport-ws alone.
type Sockets struct {
	// Init accepts or refuses a connection by the payload of its connection_init; what
	// it answers is the context of all its operations.
	Init func(ctx context.Context, r *http.Request, payload map[string]any) (context.Context, error)
	// InitTimeout bounds the wait for connection_init.
	InitTimeout time.Duration
	// Ping is the pause between pings; a client silent for two is dropped.
	Ping time.Duration
	// Write bounds how long the client may take to accept one message.
	Write time.Duration
	// Operations is the most that one socket may have going at once.
	Operations int
	// Message is the most bytes of one message.
	Message int64
	// Linger bounds the wait for the client's answer to a close.
	Linger time.Duration
}

// writeBuffers are shared by all sockets: an idle one holds none.
var writeBuffers sync.Pool

// upgrader takes every origin: the handler in front has judged it.
var upgrader = websocket.Upgrader{
	ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10, WriteBufferPool: &writeBuffers,
	Subprotocols: []string{Subprotocol},
	CheckOrigin:  func(*http.Request) bool { return true },
}

// Supports reports whether the request wants a WebSocket.
func (t Sockets) Supports(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do serves one socket until it closes.
func (t Sockets) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	conn, err := upgrader.Upgrade(hijacker{w}, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	s := newSocket(conn, t)
	if !slices.Contains(websocket.Subprotocols(r), Subprotocol) {
		_ = s.WriteClose(CloseSubprotocol, "Subprotocol not acceptable")
		_ = s.Close()
		return
	}
	transport.Websocket{
		Implementation: acceptedConn{s},
		InitFunc: func(ctx context.Context, payload transport.InitPayload) (context.Context, *transport.InitPayload, error) {
			ctx, err := t.Init(ctx, r, payload)
			if err != nil {
				return transport.WithWebsocketCloseCode(transport.AppendCloseReason(r.Context(), "Forbidden"), CloseForbidden), nil, err
			}
			return ctx, nil, nil
		},
		InitTimeout:      t.InitTimeout,
		PingPongInterval: t.Ping,
		PayloadReadLimit: &t.Message,
	}.Do(w, r, exec)
}

// hijacker reaches the connection through the writers that others have put around it.
type hijacker struct{ http.ResponseWriter }

func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(h.ResponseWriter).Hijack()
}

// acceptedConn hands gqlgen a socket that was accepted already.
type acceptedConn struct{ s *socket }

func (a acceptedConn) Accept(http.ResponseWriter, *http.Request, transport.WebsocketAcceptOptions) (transport.WebsocketConn, error) {
	return a.s, nil
}
