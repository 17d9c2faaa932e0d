package auth_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/engine/access"
)

// A connection on which a credential was accepted keeps its place, also if it brought nothing but pages, their files or a sign-in.
func TestConnectionsOfPagesKeepTheirPlaces(t *testing.T) {
	d := newDoor(t)
	_, text := d.key(t, access.MemoryRead)
	if _, err := d.Authenticate(&http.Request{Header: http.Header{"Authorization": {"Bearer " + text}}}); err != nil {
		t.Fatal(err)
	}
	routes := http.NewServeMux()
	routes.Handle("/", d.Pages("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("explorer")) })))
	routes.HandleFunc("/signin", d.SignIn)
	form, now := url.Values{"key": {text}}.Encode(), time.Now()
	for name, request := range map[string]string{
		"the page":     "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + auth.CookieName + "=" + text + "\r\n\r\n",
		"a file":       "GET /main.js HTTP/1.1\r\nHost: localhost\r\nCookie: " + auth.CookieName + "=" + text + "\r\n\r\n",
		"the sign-in":  fmt.Sprintf("POST /signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(form), form),
		"the sign-out": "GET /signin?out HTTP/1.1\r\nHost: localhost\r\nCookie: " + auth.CookieName + "=" + text + "\r\n\r\n",
	} {
		l, err := httpd.Listen(t.Context(), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		gate := httpd.NewGate("test", time.Now)
		gate.Open(routes, func(context.Context) error { return nil }, func() bool { return false })
		// The clock stands still: no connection has been idle for long.
		s := httpd.Start(l, httpd.Options{Gate: gate, AnyHost: true, MaxConnections: 1, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
		ask := func(c net.Conn, request string) int {
			t.Helper()
			if _, err := io.WriteString(c, request); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return 0
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			return resp.StatusCode
		}
		dial := func() net.Conn {
			t.Helper()
			c, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			return c
		}
		first := dial()
		if code := ask(first, request); code != http.StatusOK && code != http.StatusSeeOther {
			t.Errorf("%s: %d", name, code)
		}
		refused, _ := io.ReadAll(dial())
		if !strings.Contains(string(refused), "too many connections") {
			t.Errorf("%s: another connection took the place: %q", name, refused)
		}
		if code := ask(first, request); code != http.StatusOK && code != http.StatusSeeOther {
			t.Errorf("%s, again: %d", name, code)
		}
		_ = first.Close()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
