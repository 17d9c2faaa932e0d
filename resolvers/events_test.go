package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// events reads one event stream line by line.
type events struct {
	t    testing.TB
	body *bufio.Scanner
	stop context.CancelFunc
}

type event struct {
	Cursor, Kind, ID string
	Memory           map[string]any
}

// follow subscribes to memoryEvents after a cursor; "" means from now.
func (s *server) follow(after string) *events {
	s.t.Helper()
	variables := vars{}
	if after != "" {
		variables["after"] = after
	}
	body, err := json.Marshal(vars{"query": `subscription($after: String) { memoryEvents(after: $after) { cursor kind id memory { id content } } }`, "variables": variables})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { stop(); resp.Body.Close() })
	e := &events{t: s.t, body: bufio.NewScanner(resp.Body), stop: stop}
	e.body.Scan() // the comment that opens the stream, before the subscription starts
	return e
}

// next returns the next event; ok is false at the end of the stream.
func (e *events) next() (ev event, ok bool) {
	e.t.Helper()
	for e.body.Scan() {
		data, is := strings.CutPrefix(e.body.Text(), "data: ")
		if !is || data == "" {
			continue
		}
		var a struct {
			Data   struct{ MemoryEvents event }
			Errors []fault
		}
		if err := json.Unmarshal([]byte(data), &a); err != nil || len(a.Errors) > 0 {
			e.t.Fatalf("event %s: %v", data, err)
		}
		return a.Data.MemoryEvents, true
	}
	return event{}, false
}

// A client that reconnects with the cursor of its last event gets each later event once and in
// order, wherever the stream was cut.
func TestEventsResumeWithoutLossOrRepeat(t *testing.T) {
	s := start(t)
	s.remember("the beginning", nil)
	// From the first change: a cursor of position 0.
	all := s.follow("AXYAAAAAAAAAAA")
	first, _ := all.next()
	var wanted []string
	for i := range 10 {
		wanted = append(wanted, s.remember(fmt.Sprintf("event number %d", i), nil))
	}
	cursors := []string{first.Cursor}
	for i, id := range wanted {
		ev, ok := all.next()
		if !ok || ev.ID != id || ev.Kind != "CREATED" || ev.Memory["content"] != fmt.Sprintf("event number %d", i) {
			t.Fatalf("event %d is %+v, want the creation of %s", i, ev, id)
		}
		cursors = append(cursors, ev.Cursor)
	}
	all.stop()
	for cut, cursor := range cursors {
		again := s.follow(cursor)
		var got []string
		for range wanted[cut:] {
			ev, _ := again.next()
			got = append(got, ev.ID)
		}
		again.stop()
		if !slices.Equal(got, wanted[cut:]) {
			t.Errorf("cut after %d: got %v, want %v", cut, got, wanted[cut:])
		}
	}
}

// A stream after eventCursor delivers what was written between the two requests.
func TestEventCursor(t *testing.T) {
	s := start(t)
	s.remember("before", nil)
	cursor := s.must(`{ eventCursor }`, nil).at(t, "eventCursor").(string)
	id := s.remember("between", nil)
	stream := s.follow(cursor)
	if ev, ok := stream.next(); !ok || ev.ID != id || ev.Kind != "CREATED" {
		t.Errorf("the first event after the cursor is %+v, %v; want the creation of %s", ev, ok, id)
	}
}

func TestForeignCursorsAreRefused(t *testing.T) {
	s := start(t)
	s.remember("one", nil)
	list := s.must(`{ memories { pageInfo { endCursor } } }`, nil).at(t, "memories.pageInfo.endCursor").(string)
	for _, bad := range []string{"", "x", "AXYAAAAAAAAA", list, "AnYAAAAAAAAAAA", "AXYAAAAAAAAAAA==", "AXb__________w"} {
		body, err := json.Marshal(vars{"query": `subscription($after: String) { memoryEvents(after: $after) { id } }`, "variables": vars{"after": bad}})
		if err != nil {
			t.Fatal(err)
		}
		a := s.post(body, "Accept", "text/event-stream")
		if body := string(a.Body); !strings.Contains(body, `"code":"INVALID_REQUEST"`) || !strings.Contains(body, `"field":"after"`) {
			t.Errorf("after %q answers %s", bad, body)
		}
	}
	event := "AXYAAAAAAAAAAA"
	for _, field := range []string{"memories", "entities", "sleepReports"} {
		if a := s.ask(fmt.Sprintf(`{ %s(after: %q) { pageInfo { hasNextPage } } }`, field, event), nil); a.code() != "INVALID_REQUEST" || a.field() != "after" {
			t.Errorf("%s after a cursor of events answers %s", field, a.Body)
		}
	}
}

// LAGGED arrives with the cursor from which to resume.
func TestLagged(t *testing.T) {
	feed := make(chan engine.Event, 3)
	v := &verbs{events: func(_ context.Context, after graph.Cursor, fromNow bool) (<-chan engine.Event, error) {
		if !fromNow || after != 0 {
			t.Errorf("without a cursor the engine was asked for events after %d, from now %v", after, fromNow)
		}
		return feed, nil
	}}
	s := start(t, between(v))
	feed <- engine.Event{Cursor: 7, Kind: graph.EventCreated, ID: "0198f0a0-0000-7000-8000-000000000000"}
	feed <- engine.Event{Cursor: 7, Kind: graph.EventLagged}
	close(feed)
	stream := s.follow("")
	seen, _ := stream.next()
	lagged, _ := stream.next()
	if lagged.Kind != "LAGGED" || lagged.ID != "" || lagged.Memory != nil || lagged.Cursor != seen.Cursor {
		t.Errorf("after %+v came %+v", seen, lagged)
	}
	if ev, ok := stream.next(); ok {
		t.Errorf("after the end came %+v", ev)
	}
	v.events = func(_ context.Context, after graph.Cursor, fromNow bool) (<-chan engine.Event, error) {
		if fromNow || after != 7 {
			t.Errorf("resumed after %d, from now %v; want after 7", after, fromNow)
		}
		done := make(chan engine.Event)
		close(done)
		return done, nil
	}
	s.follow(lagged.Cursor).next()
}

// A reader that reads nothing blocks no writer, and memory does not grow.
func TestSlowReaderBlocksNoWriter(t *testing.T) {
	s := start(t)
	s.remember("the beginning", nil)
	sleeping := s.follow("AXYAAAAAAAAAAA")
	notes := make([]vars, 200)
	for i := range notes {
		notes[i] = vars{"content": fmt.Sprintf("note %d %s", i, strings.Repeat("-", 1200)), "consent": "EXPLICIT", "onDuplicate": "INSERT"}
	}
	s.must(`mutation($i: [RememberInput!]!) { rememberMany(input: $i) { promoted } }`, vars{"i": notes})
	for i := range 1 + len(notes) {
		if ev, ok := sleeping.next(); !ok || ev.Kind == "LAGGED" {
			t.Fatalf("event %d is %+v, %v: a reader that resumes loses nothing", i, ev, ok)
		}
	}
}

// No goroutine remains after clients disconnect or the server closes.
func TestNoGoroutineRemains(t *testing.T) {
	s := start(t)
	s.remember("warm", nil)
	s.http.Client().CloseIdleConnections()
	before := goleak.IgnoreCurrent()

	var streams []*events
	for range 5 {
		e := s.follow("AXYAAAAAAAAAAA")
		e.next()
		streams = append(streams, e)
	}
	var sockets []*websocket.Conn
	for range 5 {
		sockets = append(sockets, s.socket(t, 3))
	}
	// Half of the clients disconnect; the server closes the others.
	for _, e := range streams[:2] {
		e.stop()
	}
	for _, c := range sockets[:2] {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s.handler.Close()
	for _, c := range sockets[2:] {
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
					t.Errorf("the server ended a socket with %v, want 1001", err)
				}
				break
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range streams[2:] {
		for _, ok := e.next(); ok; _, ok = e.next() {
			continue
		}
		e.stop()
	}
	s.http.Client().CloseIdleConnections()
	goleak.VerifyNone(t, before)
}

// socket opens a WebSocket with the given number of subscriptions.
func (s *server) socket(t *testing.T, subscriptions int) *websocket.Conn {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	c, resp, err := dialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http")+"/graphql", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	send := func(v any) {
		t.Helper()
		if err := c.WriteJSON(v); err != nil {
			t.Fatal(err)
		}
	}
	send(vars{"type": "connection_init"})
	var ack vars
	if err := c.ReadJSON(&ack); err != nil || ack["type"] != "connection_ack" {
		t.Fatalf("acknowledged with %v, %v", ack, err)
	}
	for i := range subscriptions {
		send(vars{"type": "subscribe", "id": fmt.Sprint(i), "payload": vars{"query": `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { id memory { content } } }`}})
		var next vars
		if err := c.ReadJSON(&next); err != nil || next["type"] != "next" {
			t.Fatalf("subscription %d: %v, %v", i, next, err)
		}
	}
	return c
}

// The total number of sockets and streams is limited.
func TestStreamsAreLimited(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Limits.Streams = 2 })
	s.remember("one", nil)
	first := s.follow("AXYAAAAAAAAAAA")
	first.next()
	s.socket(t, 1)
	a := s.post([]byte(`{"query": "{ health { score } }"}`), "Accept", "text/event-stream")
	if a.Status != http.StatusServiceUnavailable || a.code() != "UNAVAILABLE" || a.Header.Get("Retry-After") == "" {
		t.Errorf("the third stream answers %d %s", a.Status, a.Body)
	}
	if a := s.must(`{ health { score } }`, nil); a.Status != http.StatusOK {
		t.Errorf("a request while all streams are in use answers %d", a.Status)
	}
}

// A message above the limit closes the socket with 1009.
func TestLongMessageClosesTheSocket(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Limits.Body = 64 << 10 })
	s.remember("one", nil)
	c := s.socket(t, 1)
	if err := c.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte("x"), 65<<10)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
				t.Errorf("ended with %v, want 1009", err)
			}
			return
		}
	}
}

// A client that stops reading is disconnected. Its messages do not accumulate, and its
// subscription ends.
func TestStalledClientIsDisconnected(t *testing.T) {
	ended := make(chan struct{}, 2)
	v := &verbs{}
	s := start(t, between(v), func(c *resolvers.Config) { c.Times.Write = 50 * time.Millisecond })
	id := s.remember(strings.Repeat("long words ", 2000), nil)
	m, err := s.Memory(t.Context(), engine.Loopback(), graph.ID(id), engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	v.events = func(ctx context.Context, _ graph.Cursor, _ bool) (<-chan engine.Event, error) {
		feed := make(chan engine.Event)
		go func() {
			defer func() { close(feed); ended <- struct{}{} }()
			for c := graph.Cursor(1); ; c++ {
				select {
				case feed <- engine.Event{Cursor: c, Kind: graph.EventUpdated, ID: m.ID, Memory: m}:
				case <-ctx.Done():
					return
				}
			}
		}()
		return feed, nil
	}
	s.follow("")
	<-ended
	s.socket(t, 1)
	<-ended
}
