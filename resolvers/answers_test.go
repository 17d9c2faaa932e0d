package resolvers_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/nettest"
	"github.com/somnograph/somnograph/resolvers"
)

// aliased selects the texts of all memories many times: 2.4 MB if they have 90 KB.
func aliased() string {
	var fields strings.Builder
	for i := range 28 {
		fmt.Fprintf(&fields, " c%d:content", i)
	}
	return `{"query":"{memories(first:100){nodes{` + fields.String() + `}}}"}`
}

// remembered has three memories of 30 KB.
func remembered(t *testing.T, set func(*resolvers.Config)) *server {
	s := start(t, set)
	for i := range 3 {
		s.remember(fmt.Sprintf("Pier %d. ", i)+strings.Repeat(fmt.Sprintf("The piers %d are open. ", i), 1300), nil)
	}
	return s
}

// An answer is bounded by its bytes, however often a text is selected.
func TestAnswersAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) { c.Limits.Answer = 2 << 20 })
	a := s.post([]byte(aliased()))
	if a.code() != string(graph.CodeLimitExceeded) || !strings.Contains(string(a.Body), "larger than 2 MiB") || len(a.Body) > 20_000 {
		t.Errorf("%.300s, %d bytes", a.Body, len(a.Body))
	}
	if a := s.post([]byte(`{"query":"{memories(first:100){nodes{content}}}"}`)); a.code() != "" || len(a.Body) < 80_000 {
		t.Errorf("once: %.300s", a.Body)
	}
}

// Large answers that are not sent leave room for no more than others, and small ones are answered.
func TestLargeAnswersAtOnceAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) {
		c.Authenticate, c.Limits.Answer, c.Limits.Answers = named, 4<<20, 4<<20
	})
	dial := nettest.Unbuffered(t, s.handler)
	ask := func() net.Conn {
		conn := dial()
		body := aliased()
		if _, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ana\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	becomes := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; {
			a := s.post([]byte(aliased()), "Authorization", "Bearer ana")
			if a.code() == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("a large answer gets %q, want %q", a.code(), want)
			}
		}
	}
	first, second := ask(), ask()
	becomes(string(graph.CodeRateLimited))
	if a := s.post([]byte(`{"query":"{memories(first:100){nodes{content}}}"}`), "Authorization", "Bearer ana"); a.code() != "" {
		t.Errorf("a small answer: %.300s", a.Body)
	}
	go func() { _, _ = io.Copy(io.Discard, first) }()
	becomes("")
	_ = second.Close()
	becomes("")
}
