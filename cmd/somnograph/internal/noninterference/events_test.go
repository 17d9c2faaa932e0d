package noninterference_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

const (
	changes   = 12               // visible changes while subscriptions are open
	beginning = "AXYAAAAAAAAAAA" // cursor of position 0
)

// compareEvents changes visible memories in both worlds, and memories that the caller may not see in
// its own only, and compares what subscriptions get: those that are open meanwhile, and those that
// resume from the beginning. It returns the number of events and of changes that are not visible.
func compareEvents(t *testing.T, c engine.Caller, mine, theirs *endpoint, g *generator) (events, hidden int) {
	t.Helper()
	a, b := serve(t, mine), serve(t, theirs)
	selection := g.selection("MemoryEvent", 2)
	next := func(x, y *subscription) string {
		t.Helper()
		p, q := x.next(), y.next()
		if p != q {
			t.Fatalf("caller %s: memoryEvents %s\n%s", c.Name, selection, difference(p, q))
		}
		events++
		return p
	}
	shown, not := memoriesOf(t, theirs.Store), memoriesOf(t, mine.Store)
	not = slices.DeleteFunc(not, func(id graph.ID) bool { return slices.Contains(shown, id) })
	openA, openB := a.subscribe(a.cursor(), selection), b.subscribe(b.cursor(), selection)
	last := ""
	// The last change is one that was possible: at a later instant other values fade.
	for i, done := 0, false; i < changes || !done && last != ""; i++ {
		for range g.IntN(3) {
			if len(not) > 0 && mine.change(pick(g.Rand, not), i) {
				hidden++
			}
		}
		mine.Clock.Advance(time.Second)
		theirs.Clock.Advance(time.Second)
		id := pick(g.Rand, shown)
		done = mine.change(id, i)
		if theirs.change(id, i) != done {
			t.Fatalf("caller %s: only one world could change %s", c.Name, id)
		} else if done {
			last = next(openA, openB)
		}
	}
	allA, allB := a.subscribe(beginning, selection), b.subscribe(beginning, selection)
	for last != "" && next(allA, allB) != last {
	}
	return events, hidden
}

// memoriesOf are the ids of the memories in a store, ascending.
func memoriesOf(t *testing.T, s graph.Store) (ids []graph.ID) {
	t.Helper()
	err := s.View(t.Context(), whole, func(r graph.Reader) error {
		ids = nil
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			ids = append(ids, m.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// change changes the tags of an ACTIVE memory and reports whether there was one.
func (e *endpoint) change(id graph.ID, i int) bool {
	e.t.Helper()
	v, err := e.Memory(e.t.Context(), engine.Loopback(), id, engine.Access{})
	if err != nil || v.State.Status != graph.Active {
		return false
	}
	if _, err := e.Update(e.t.Context(), engine.Loopback(), engine.UpdateInput{ID: id, SetTags: true, Tags: []string{fmt.Sprintf("change%d", i)}}); err != nil {
		e.t.Fatal(err)
	}
	return true
}

// listener is a server of an endpoint.
type listener struct {
	*endpoint
	http *httptest.Server
}

func serve(t *testing.T, e *endpoint) *listener {
	t.Helper()
	s := httptest.NewServer(e.handler)
	t.Cleanup(s.Close)
	return &listener{e, s}
}

// cursor is the position after the last change.
func (s *listener) cursor() string {
	s.t.Helper()
	_, rest, found := strings.Cut(s.ask(`{ eventCursor }`), `"eventCursor":"`)
	cursor, _, _ := strings.Cut(rest, `"`)
	if !found {
		s.t.Fatal("there is no cursor")
	}
	return cursor
}

// subscription is an open subscription.
type subscription struct {
	t    *testing.T
	body *bufio.Scanner
}

// subscribe subscribes to memoryEvents after a cursor.
func (s *listener) subscribe(after, selection string) *subscription {
	s.t.Helper()
	return s.stream(fmt.Sprintf("memoryEvents(after: %q)%s", after, selection))
}

// stream subscribes to a field.
func (s *listener) stream(field string) *subscription {
	s.t.Helper()
	body := fmt.Sprintf(`{"query":%q}`, "subscription { "+field+" }")
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/graphql", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 4<<20)
	lines.Scan() // the comment that opens the stream, before the subscription starts
	return &subscription{s.t, lines}
}

// next is the next event, masked.
func (s *subscription) next() string {
	s.t.Helper()
	for s.body.Scan() {
		if data, is := strings.CutPrefix(s.body.Text(), "data: "); is && data != "" {
			if strings.Contains(data, `"errors"`) {
				s.t.Fatal(data)
			}
			return mask(data)
		}
	}
	s.t.Fatal("the stream has ended: ", s.body.Err())
	return ""
}
