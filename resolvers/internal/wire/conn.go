package wire

import (
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
)

// socket is a gorilla connection as gqlgen's transport wants it. It keeps the protocol
// that the transport leaves open: which messages may come when, under which id, and
// with which code a connection closes.
//
// Inside, each operation goes under an id of its own, so that a client may use an id
// again the moment its operation ended; outside it has the client's.
type socket struct {
	conn *websocket.Conn
	t    Sockets

	readMu sync.Mutex // held while a message is awaited

	mu           sync.Mutex
	initReceived bool // connection_init came
	acked        bool
	closing      bool
	started      int               // operations so far
	internalIDs  map[string]string // the client's id to ours, of what is going on
	clientIDs    map[string]string // and back
}

func newSocket(conn *websocket.Conn, t Sockets) *socket {
	return &socket{conn: conn, t: t, internalIDs: map[string]string{}, clientIDs: map[string]string{}}
}

// message is one message of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// NextReader is the next message that the protocol allows. One that it does not closes
// the connection with its code.
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

// checkMessage judges a message by what came before it and puts our id into it.
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
		m.ID = ours // an id that is not going on is empty, and unknown to gqlgen too
	default:
		return CloseInvalidMessage, "Unknown message type"
	}
	return 0, ""
}

// isOperation reports whether the payload of a subscribe has the form of a request.
func isOperation(payload []byte) bool {
	var e struct {
		Query                 *string
		OperationName         *string
		Variables, Extensions map[string]json.RawMessage
	}
	return len(payload) > 0 && json.Unmarshal(payload, &e) == nil && e.Query != nil
}

// refuse closes the connection and waits for the client to have seen why.
func (s *socket) refuse(code int, reason string) (int, io.Reader, error) {
	if err := s.WriteClose(code, reason); err != nil {
		return 0, nil, err
	}
	return 0, nil, errors.Join(transport.ErrWebsocketClosed, s.Close())
}

// WriteJSON sends a message of gqlgen's under the client's id. What belongs to no
// operation any more is dropped.
func (s *socket) WriteJSON(v any) error {
	m := messageOf(v)
	s.mu.Lock()
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
		// The client takes nothing any more: end the reading too, and with it all.
		_ = s.conn.Close()
		return err
	}
	return nil
}

// messageOf reads the message that gqlgen wants to send; its type is not exported.
func messageOf(v any) message {
	m := reflect.Indirect(reflect.ValueOf(v))
	return message{ID: m.FieldByName("ID").String(), Type: m.FieldByName("Type").String(), Payload: m.FieldByName("Payload").Bytes()}
}

// text is the message as JSON; the payload is JSON already.
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

// WriteClose sends the close frame, once. gqlgen's codes are put right: its time-out is
// 4408, and its normal end, which only comes when the server ends, is "going away".
func (s *socket) WriteClose(code int, reason string) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	s.closing = true
	s.mu.Unlock()
	switch {
	case code == transport.WebsocketCloseProtocolError && strings.Contains(reason, "timeout"):
		code, reason = CloseInitTimeout, "Connection initialisation timeout"
	case code == transport.WebsocketCloseNormalClosure:
		code, reason = websocket.CloseGoingAway, "Going away"
	}
	return s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(s.t.Linger))
}

// Close ends the connection when the client has answered the close frame, at the
// latest after Linger: cutting it at once could take the frame with it.
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

// Subprotocol is the one that was agreed on.
func (s *socket) Subprotocol() string { return Subprotocol }

// SetReadLimit bounds the bytes of a message; a longer one closes with 1009.
func (s *socket) SetReadLimit(limit int64) { s.conn.SetReadLimit(limit) }

// SetReadDeadline drops a client that does not answer pings. It has no say while the
// connection is closing.
func (s *socket) SetReadDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil
	}
	return s.conn.SetReadDeadline(t)
}

// closeError tells the end of a connection from a fault of it.
func closeError(err error) error {
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived) {
		return transport.ErrWebsocketClosed
	}
	return err
}

// truncateID keeps a reason within the 123 bytes of a close frame.
func truncateID(id string) string {
	if len(id) > 64 {
		return id[:64] + "…"
	}
	return id
}
