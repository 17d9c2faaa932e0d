package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/nettest"
	"github.com/somnograph/somnograph/resolvers"
)

// manyTexts selects the text of a memory 28 times.
func manyTexts() string {
	var fields strings.Builder
	for i := range 28 {
		fmt.Fprintf(&fields, " c%d:content", i)
	}
	return fields.String()
}

// aliased selects the texts of all memories many times: 2.4 MB if they have 90 KB.
func aliased() string { return `{"query":"{memories(first:100){nodes{` + manyTexts() + `}}}"}` }

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

// An answer of many small fields is refused while it is read: they take more memory than bytes of the answer.
func TestFieldsOfAnAnswerAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) { c.Limits.Answer = 6_000 })
	ask := func(fields int) *answer {
		query := "{ memories(first: 100) { nodes { document { id }" // a field with a resolver: the others are not encoded at once
		for i := range fields {
			query += fmt.Sprintf(" v%d:version", i)
		}
		return s.ask(query+" } } }", nil)
	}
	if a := ask(9); a.code() != "" {
		t.Errorf("27 fields: %.300s", a.Body)
	}
	if a := ask(28); a.code() != string(graph.CodeLimitExceeded) || !strings.Contains(string(a.Body), "too many fields") {
		t.Errorf("84 fields: %.300s", a.Body)
	}
}

// An answer over a stream that is too large is refused once, and the stream ends as others do.
func TestAnswersOfStreamsAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) { c.Limits.Answer = 2 << 20 })
	if a := s.post([]byte(aliased()), "Accept", "text/event-stream"); strings.Count(string(a.Body), "event: next") != 1 || !strings.Contains(string(a.Body), "larger than 2 MiB") {
		t.Errorf("an event stream: %.600s", a.Body)
	}
	conn, _ := s.socketOf(t, "ana")
	if err := conn.WriteJSON(vars{"type": "subscribe", "id": "1", "payload": json.RawMessage(aliased())}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"larger than 2 MiB", `"complete"`} {
		if _, m, err := conn.ReadMessage(); err != nil || !strings.Contains(string(m), want) {
			t.Errorf("a socket: %.300s %v, want %s", m, err, want)
		}
	}
	if log := s.log.String(); strings.Contains(log, "panic") {
		t.Errorf("%.300s", log)
	}
}

// The answer of a mutation that is too large says that the mutation was carried out.
func TestAnswersOfMutationsAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) { c.Limits.Answer, c.Limits.Bulk = 1<<18, 1<<18 })
	a := s.ask(`mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT}) { memory {`+manyTexts()+` } } }`, vars{"c": strings.Repeat("The ferry of seven is late. ", 1000)})
	if a.code() != string(graph.CodeLimitExceeded) || !strings.Contains(string(a.Body), "the mutation was carried out") {
		t.Errorf("%.300s", a.Body)
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
	large := func() string { return s.post([]byte(aliased()), "Authorization", "Bearer ana").code() }
	for name, end := range map[string]func(net.Conn){
		"read":  func(c net.Conn) { go func() { _, _ = io.Copy(io.Discard, c) }() },
		"close": func(c net.Conn) { _ = c.Close() },
	} {
		var conns []net.Conn // one that comes while another large answer is made is refused
		deadline := time.Now().Add(20 * time.Second)
		for large() != string(graph.CodeRateLimited) {
			if conns = append(conns, ask()); time.Now().After(deadline) {
				t.Fatalf("%s: large answers that nobody reads leave room for others", name)
			}
		}
		if a := s.post([]byte(`{"query":"{memories(first:100){nodes{content}}}"}`), "Authorization", "Bearer ana"); a.code() != "" {
			t.Errorf("%s: a small answer: %.300s", name, a.Body)
		}
		for _, c := range conns {
			end(c)
		}
		for deadline = time.Now().Add(20 * time.Second); large() != ""; {
			if time.Now().After(deadline) {
				t.Fatalf("%s: answers that have ended leave no room", name)
			}
		}
	}
}

// listing counts the pages of memories that are read.
type listing struct {
	resolvers.Verbs
	pages atomic.Int32
}

func (v *listing) Memories(ctx context.Context, c engine.Caller, in engine.ListInput) (*engine.ListResult, error) {
	v.pages.Add(1)
	return v.Verbs.Memories(ctx, c, in)
}

// An expensive query reads one root field after the other, also those of a fragment, and none once its answer is refused.
func TestARefusedAnswerIsReadNoFurther(t *testing.T) {
	v := &listing{}
	s := remembered(t, func(c *resolvers.Config) {
		v.Verbs, c.Verbs, c.Limits.Answer = c.Verbs, v, 200_000
	})
	var fields strings.Builder
	for i := range 12 {
		fmt.Fprintf(&fields, " m%d: memories(first: 100) { nodes { content } }", i) // 90 KB
	}
	for _, query := range []string{"{" + fields.String() + "}", "{ ... {" + fields.String() + "} }", "{ ...Pages } fragment Pages on Query {" + fields.String() + "}"} {
		v.pages.Store(0)
		a := s.ask(query, nil)
		if a.code() != string(graph.CodeLimitExceeded) || v.pages.Load() != 3 {
			t.Errorf("%.30s: %.300s, %d pages", query, a.Body, v.pages.Load())
		}
	}
}

// An event that is too large is left out with an error, over both kinds of streams, and the next one comes.
func TestEventsAreBounded(t *testing.T) {
	s := remembered(t, func(c *resolvers.Config) { c.Authenticate, c.Limits.Event = named, 1<<19 })
	all := `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { id at: cursor memory {` + manyTexts() + ` } } }`
	s.remember("Pier 9 is open.", nil)
	stream := s.stream("ana", all)
	for i, want := range []string{"an event is left out", "an event is left out", "an event is left out", "Pier 9"} {
		if m := <-stream; !strings.Contains(m, want) || len(m) > 20_000 || i < 3 && (!strings.Contains(m, string(graph.CodeLimitExceeded)) || !strings.Contains(m, `"cursor":"`) || !strings.Contains(m, `"id":"`)) {
			t.Errorf("event %d of an event stream: %.300s, %d bytes", i+1, m, len(m))
		}
	}
	conn, _ := s.socketOf(t, "ana")
	if err := conn.WriteJSON(vars{"type": "subscribe", "id": "1", "payload": vars{"query": all}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"an event is left out", "an event is left out", "an event is left out", "Pier 9"} {
		if _, m, err := conn.ReadMessage(); err != nil || !strings.Contains(string(m), want) || strings.Count(string(m), `"message"`) > 1 {
			t.Errorf("a socket: %.300s %v, want %s", m, err, want)
		}
	}
	if log := s.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "ERROR") {
		t.Errorf("%.300s", log)
	}
}

// The names of types count in an event, under any alias and also in fragments.
func TestNamesOfTypesCountInEvents(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate, c.Limits.Event = named, 1<<14 })
	s.remember("Pier 9 is open.", nil)
	for _, alias := range []string{"kind", strings.Repeat("z", 20_000)} {
		for _, selection := range []string{"%s:__typename", "... { %s:__typename }", "...Kind"} {
			query := `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { memory { ` + strings.Replace(selection, "%s", alias, 1) + ` } } }`
			if selection == "...Kind" {
				query += ` fragment Kind on Memory { ` + alias + `:__typename }`
			}
			m := <-s.stream("ana", query)
			if strings.Contains(m, "an event is left out") != (len(alias) > 100) || strings.Contains(m, "Memory") != (len(alias) < 100) || len(m) > 10_000 {
				t.Errorf("%.20s under %.10s: %.300s, %d bytes", selection, alias, m, len(m))
			}
		}
	}
}
