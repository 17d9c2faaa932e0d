package resolvers_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/resolvers"
)

// From the end of a credential on, its socket and its stream deliver nothing, although the watch over credentials has not looked yet. They
// end with the next event, the socket with 4401 and the stream with UNAUTHENTICATED.
func TestNothingIsDeliveredAfterTheEndOfACredential(t *testing.T) {
	w := enginetest.New(t)
	until := w.Engine.Now().Add(time.Minute)
	s := over(t, w, func(c *resolvers.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			caller := engine.Loopback()
			caller.Until = until
			return caller, nil
		}
		c.Hold = func(engine.Caller, func()) (stop func()) { return func() {} }
		c.Expired = func(c engine.Caller) bool { return !w.Engine.Now().Before(c.Until) }
		c.Address = func(r *http.Request) string { return r.RemoteAddr }
	})
	w.Remember("The lock is green.")
	stream := s.follow("AXYAAAAAAAAAAA")
	if e, ok := stream.next(); !ok || e.Memory["content"] != "The lock is green." {
		t.Fatalf("before the end the stream brings %v", e)
	}
	conn := s.socket(t, 1) // it has read the event
	w.Clock.Advance(time.Minute)
	w.Remember("The weir is red.")

	refused := false
	for stream.body.Scan() {
		line := stream.body.Text()
		if strings.Contains(line, "weir") {
			t.Fatalf("after the end the stream brings %s", line)
		}
		refused = refused || strings.Contains(line, "UNAUTHENTICATED")
	}
	if !refused {
		t.Error("the end of the stream does not say why")
	}
	for {
		_, m, err := conn.ReadMessage()
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			if closed.Code != 4401 {
				t.Errorf("the socket closes with %d", closed.Code)
			}
			break
		}
		if err != nil || strings.Contains(string(m), `"next"`) || strings.Contains(string(m), `"complete"`) {
			t.Fatalf("after the end the socket brings %s, %v", m, err)
		}
	}
}
