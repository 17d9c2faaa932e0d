package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/graph"
)

// socket adapts a gorilla connection to gqlgen's transport. It enforces the parts of the
// protocol that the transport does not: the order of messages, their ids, and the close codes.
//
// gqlgen sees an internal id for each operation, so that a client can reuse an id as soon as
// its operation ends. Messages to the client have the client's id.
type socket struct {
	conn *websocket.Conn
	t    Sockets

	readMu sync.Mutex // held while waiting for a message

	mu           sync.Mutex
	initReceived bool // connection_init was received
	acked        bool
	closing      bool
	ctx          context.Context   // of the operations; nil before connection_init was accepted
	started      int               // number of operations started
	internalIDs  map[string]string // internal id by client id, of running operations
	clientIDs    map[string]string // the reverse
}

func newSocket(conn *websocket.Conn, t Sockets) *socket {
	return &socket{conn: conn, t: t, internalIDs: map[string]string{}, clientIDs: map[string]string{}}
}

// message is a message of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// NextReader returns the next valid message. An invalid one closes the connection with its
// close code.
func (s *socket) NextReader() (int, io.Reader, error) {
	s.readMu.Lock()
	kind, b, err := s.conn.ReadMessage()
	for err == nil && s.isClosing() {
		kind, b, err = s.conn.ReadMessage()
	}
	s.readMu.Unlock()
	if err != nil {
		_ = s.conn.Close()
		return 0, nil, closeError(err)
	}
	if graph.CheckUTF8("the message", b) != nil {
		return s.refuse(CloseInvalidMessage, "The message is not valid UTF-8")
	}
	if graph.CheckJSON("the message", b) != nil {
		return s.refuse(CloseInvalidMessage, "The message has half of a surrogate pair")
	}
	var m message
	if kind != websocket.TextMessage || json.Unmarshal(b, &m) != nil {
		return s.refuse(CloseInvalidMessage, "Invalid message received")
	}
	code, reason := s.checkMessage(&m)
	if code != 0 {
		return s.refuse(code, reason)
	}
	return kind, strings.NewReader(string(m.text())), nil
}

func (s *socket) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// checkMessage checks a message against the state of the connection and replaces its id with
// the internal one.
func (s *socket) checkMessage(m *message) (code int, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.Type {
	case "connection_init":
		if s.initReceived {
			return CloseTooMany, "Too many initialisation requests"
		}
		if p := strings.TrimSpace(string(m.Payload)); p != "" && p != "null" && p[0] != '{' {
			return CloseInvalidMessage, "The payload of connection_init must be an object"
		}
		s.initReceived = true
	case "ping", "pong":
	case "subscribe":
		switch {
		case !s.acked:
			return CloseUnauthorized, "Unauthorized"
		case m.ID == "" || !isOperation(m.Payload):
			return CloseInvalidMessage, "A subscribe needs an id and a payload with a query"
		case s.internalIDs[m.ID] != "":
			return CloseSubscriberTaken, "Subscriber for " + truncateID(m.ID) + " already exists"
		case len(s.internalIDs) >= s.t.Operations:
			return CloseTooMany, fmt.Sprintf("More than %d operations at once", s.t.Operations)
		}
		s.started++
		ours := strconv.Itoa(s.started)
		s.internalIDs[m.ID], s.clientIDs[ours] = ours, m.ID
		m.ID = ours
	case "complete":
		ours := s.internalIDs[m.ID]
		delete(s.internalIDs, m.ID)
		delete(s.clientIDs, ours)
		m.ID = ours // the id of an operation that is not running is empty, which gqlgen ignores
	default:
		return CloseInvalidMessage, "Unknown message type"
	}
	return 0, ""
}

// endSilent closes a connection that has not sent connection_init, at once: its client may never answer. The cause is UNAVAILABLE if another
// connection needs its place.
func (s *socket) endSilent(cause error) {
	s.mu.Lock()
	silent := !s.initReceived
	s.mu.Unlock()
	if !silent {
		return
	}
	code, reason := transport.WebsocketCloseNormalClosure, ""
	if graph.CodeOf(cause) == graph.CodeUnavailable {
		code, reason = closeCode(cause)
	}
	_ = s.WriteClose(code, reason)
	_ = s.conn.Close()
}

// isOperation reports whether the payload of a subscribe is a valid request.
func isOperation(payload []byte) bool {
	var e struct {
		Query                 *string
		OperationName         *string
		Variables, Extensions map[string]json.RawMessage
	}
	return len(payload) > 0 && json.Unmarshal(payload, &e) == nil && e.Query != nil
}

// refuse closes the connection and waits for the client's close frame.
func (s *socket) refuse(code int, reason string) (int, io.Reader, error) {
	if err := s.WriteClose(code, reason); err != nil {
		return 0, nil, err
	}
	return 0, nil, errors.Join(transport.ErrWebsocketClosed, s.Close())
}

// WriteJSON sends a message of gqlgen with the client's id. Messages of operations that have
// ended are dropped, and those after the end of the credential: the connection closes.
func (s *socket) WriteJSON(v any) error {
	m := messageOf(v)
	s.mu.Lock()
	if ctx := s.ctx; ctx != nil && isOver(ctx) {
		s.mu.Unlock()
		return nil
	}
	switch m.Type {
	case "connection_ack":
		s.acked = true
	case "next", "error", "complete":
		ours := m.ID
		theirs, going := s.clientIDs[ours]
		if !going {
			s.mu.Unlock()
			return nil
		}
		if m.Type != "next" {
			delete(s.clientIDs, ours)
			delete(s.internalIDs, theirs)
		}
		m.ID = theirs
	}
	s.mu.Unlock()
	if err := s.conn.SetWriteDeadline(time.Now().Add(s.t.Write)); err != nil {
		return err
	}
	if err := s.conn.WriteMessage(websocket.TextMessage, m.text()); err != nil {
		// The client no longer accepts data: close the connection, which also ends the reader.
		_ = s.conn.Close()
		return err
	}
	return nil
}

// messageOf reads the fields of gqlgen's message, whose type is not exported.
func messageOf(v any) message {
	m := reflect.Indirect(reflect.ValueOf(v))
	return message{ID: m.FieldByName("ID").String(), Type: m.FieldByName("Type").String(), Payload: m.FieldByName("Payload").Bytes()}
}

// text returns the message as JSON; the payload is JSON already.
func (m message) text() []byte {
	b := make([]byte, 0, len(m.Payload)+len(m.ID)+40)
	b = append(b, '{')
	if m.ID != "" {
		b = append(append(append(b, `"id":`...), mustMarshal(m.ID)...), ',')
	}
	b = append(append(b, `"type":`...), mustMarshal(m.Type)...)
	if len(m.Payload) > 0 {
		b = append(append(b, `,"payload":`...), m.Payload...)
	}
	return append(b, '}')
}

// WriteClose sends the close frame, once. It corrects gqlgen's codes: a time-out is 4408, and a
// normal closure, which only happens when the server stops, is "going away".
func (s *socket) WriteClose(code int, reason string) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	s.closing = true
	ctx := s.ctx
	s.mu.Unlock()
	switch {
	case ctx != nil && errors.Is(context.Cause(ctx), ErrUnauthorized):
		code, reason = CloseUnauthorized, "Unauthorized"
	case code == transport.WebsocketCloseProtocolError && strings.Contains(reason, "timeout"):
		code, reason = CloseInitTimeout, "Connection initialisation timeout"
	case code == transport.WebsocketCloseNormalClosure:
		code, reason = websocket.CloseGoingAway, "Going away"
	}
	return s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(s.t.Linger))
}

// Close closes the connection after the client's close frame, or after Linger. Closing it at
// once could lose the close frame.
func (s *socket) Close() error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	err := s.conn.SetReadDeadline(time.Now().Add(s.t.Linger))
	s.readMu.Lock()
	defer s.readMu.Unlock()
	for err == nil {
		_, _, err = s.conn.NextReader()
	}
	return s.conn.Close()
}

// Subprotocol returns the negotiated subprotocol.
func (s *socket) Subprotocol() string { return Subprotocol }

// SetReadLimit sets the maximum size of a message; a longer one closes with 1009.
func (s *socket) SetReadLimit(limit int64) { s.conn.SetReadLimit(limit) }

// SetReadDeadline disconnects a client that does not answer pings. It has no effect while the
// connection is closing.
func (s *socket) SetReadDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil
	}
	return s.conn.SetReadDeadline(t)
}

// setContext sets the context of the operations.
func (s *socket) setContext(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx = ctx
}

// closeError distinguishes a normal end of the connection from a failure.
func closeError(err error) error {
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived) {
		return transport.ErrWebsocketClosed
	}
	return err
}

// truncateID keeps a close reason within 123 bytes.
func truncateID(id string) string {
	if len(id) > 64 {
		return id[:64] + "…"
	}
	return id
}
