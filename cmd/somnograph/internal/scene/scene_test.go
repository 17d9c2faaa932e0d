package scene

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/frame"
)

func get(t *testing.T, h http.Handler, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/viz/graph", nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func head(w *enginetest.World) Head {
	scope := graph.Scope{Tenant: w.Caller.Tenant}
	return func(ctx context.Context) (graph.Cursor, error) {
		cursor, err := w.Store.Head(ctx, scope)
		if err != nil {
			return 0, err
		}
		return cursor, w.Index.WaitFor(ctx, scope, cursor)
	}
}

func handler(w *enginetest.World) http.Handler { return serve(w.T, w.Engine, head(w), w.Caller, "") }

func serve(t testing.TB, source Source, head Head, caller engine.Caller, dir string) *Server {
	o := Options{Source: source, Head: head, Caller: caller, Logger: slog.New(slog.DiscardHandler)}
	if dir != "" {
		o.Saved = NewSaved(dir)
	}
	s := New(o)
	t.Cleanup(s.Close)
	return s
}

func decode(t *testing.T, resp *http.Response) *frame.Frame {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	f, err := frame.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheFrameShowsWhatTheEngineKnows(t *testing.T) {
	w := enginetest.New(t)
	old := w.Remember("The ferry leaves at seven.", func(in *engine.RememberInput) {
		in.Session, in.Namespace, in.Project, in.User, in.Important = "monday", "ferry", "pilot", "ines", true
	})
	w.Remember("Never step into the bight of the line.", func(in *engine.RememberInput) { in.SafetyCritical = true })
	w.Clock.Advance(time.Hour)
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old.Memory.ID, Content: "The ferry leaves at eight.", Reason: "new timetable"}); err != nil {
		t.Fatal(err)
	}
	h := handler(w)
	resp := get(t, h)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != frame.MediaType {
		t.Fatalf("%d %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	f := decode(t, resp)
	if len(f.Nodes) != 3 || f.Total != 3 || !f.At.Equal(w.Clock.Now()) {
		t.Fatalf("%d nodes of %d at %s", len(f.Nodes), f.Total, f.At)
	}
	superseded := 0
	for _, e := range f.Edges {
		if e.Kind == "SUPERSEDES" {
			superseded++
			if f.Nodes[e.To].ID != old.Memory.ID {
				t.Error("the edge does not lead to the older version")
			}
		}
	}
	if superseded != 1 {
		t.Errorf("%d SUPERSEDES edges, want 1", superseded)
	}
	for _, n := range f.Nodes {
		switch {
		case n.ID == old.Memory.ID:
			if n.Namespace != "ferry" || n.Project != "pilot" || n.User != "ines" || n.Session != "monday" || !n.Important || n.Label != "The ferry leaves at seven." {
				t.Errorf("node = %+v", n)
			}
			if last := n.History[len(n.History)-1]; last.Status != graph.Superseded {
				t.Errorf("history = %+v", n.History)
			}
			if n.K <= 0 {
				t.Errorf("k = %v, want it to fade", n.K)
			}
		case n.SafetyCritical && n.K != 0:
			t.Errorf("k = %v for a memory that never fades", n.K)
		}
	}
}

// The explorer computes retention itself, with the same result as the engine.
func TestRetentionOfTheFrameIsThatOfTheEngine(t *testing.T) {
	w := enginetest.New(t)
	r := w.Remember("We measured nine metres per second.")
	w.Search("metres per second", func(in *engine.SearchInput) { in.Track = true })
	w.Clock.Advance(10 * 24 * time.Hour)
	f := decode(t, get(t, handler(w)))
	n := f.Nodes[0]
	anchor := n.CreatedAt
	if n.LastUse.After(anchor) {
		anchor = n.LastUse
	}
	drawn := math.Exp(-n.K * f.At.Sub(anchor).Hours() / 24)
	v, err := w.Memory(t.Context(), w.Caller, r.Memory.ID, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(drawn-v.Retention) > 1e-4 {
		t.Errorf("the frame draws %v, the engine says %v", drawn, v.Retention)
	}
}

func TestAnUnchangedSceneIsNotSentAgain(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("one")
	h := handler(w)
	tag := get(t, h).Header.Get("ETag")
	w.Clock.Advance(time.Minute)
	again := get(t, h, "If-None-Match", tag)
	if again.StatusCode != http.StatusNotModified || again.Header.Get(frame.NowHeader) == "" {
		t.Errorf("%d, clock %q", again.StatusCode, again.Header.Get(frame.NowHeader))
	}
	w.Remember("two, which says something else entirely")
	if resp := get(t, h, "If-None-Match", tag); resp.StatusCode != 200 {
		t.Errorf("a changed scene: %d", resp.StatusCode)
	}
}

// counted counts the drawings of the scene.
type counted struct {
	*engine.Engine
	scenes int
}

func (c *counted) SceneAfter(ctx context.Context, caller engine.Caller, namespaces []string, before *engine.Scene) (*engine.Scene, error) {
	c.scenes++
	return c.Engine.SceneAfter(ctx, caller, namespaces, before)
}

func TestAnUnchangedSceneIsNotDrawnAgain(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("one")
	source := &counted{Engine: w.Engine}
	h := serve(t, source, head(w), w.Caller, "")
	first := decode(t, get(t, h))
	w.Clock.Advance(time.Hour)
	answer := get(t, h)
	now, again := answer.Header.Get(frame.NowHeader), decode(t, answer)
	if source.scenes != 1 || !again.At.Equal(first.At) || len(again.Nodes) != 1 {
		t.Errorf("drawn %d times, at %s and %s", source.scenes, first.At, again.At)
	}
	if want := strconv.FormatInt(first.At.Add(time.Hour).UnixMilli(), 10); now != want {
		t.Errorf("an hour later the clock says %s, not %s", now, want)
	}
	w.Remember("two, which says something else entirely")
	if f := decode(t, get(t, h)); source.scenes != 2 || len(f.Nodes) != 2 {
		t.Errorf("behind a change: drawn %d times, %d nodes", source.scenes, len(f.Nodes))
	}
}

// broken is an engine whose store is unavailable.
type broken struct{ err error }

func (b broken) Now() time.Time { return time.Time{} }

func noChange(context.Context) (graph.Cursor, error) { return 0, nil }

func (b broken) SceneAfter(context.Context, engine.Caller, []string, *engine.Scene) (*engine.Scene, error) {
	return nil, b.err
}

func (b broken) MorningReports(context.Context, engine.Caller, graph.ID) (<-chan engine.SleepReport, error) {
	return nil, nil
}

func (b broken) ClustersOf(_ context.Context, _ engine.Caller, ids []graph.ID) (engine.SceneClusters, error) {
	return noClusters(ids), nil
}

func newBroken(t *testing.T, err error, log io.Writer) *Server {
	s := New(Options{Source: broken{err}, Head: noChange, Caller: engine.Loopback(), Logger: slog.New(slog.NewTextHandler(log, nil))})
	t.Cleanup(s.Close)
	return s
}

func TestErrorsTellNothing(t *testing.T) {
	var log strings.Builder
	for _, x := range []struct {
		err  error
		want int
	}{{graph.ErrUnavailable, 503}, {errors.New("row 7 is odd"), 500}} {
		resp := get(t, newBroken(t, x.err, &log))
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != x.want || strings.Contains(string(b), "row 7") {
			t.Errorf("%v: %d %q, %v", x.err, resp.StatusCode, b, err)
		}
	}
	if !strings.Contains(log.String(), "row 7") {
		t.Error("the unexpected error was not logged")
	}
	w := httptest.NewRecorder()
	newBroken(t, nil, &log).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/viz/graph", nil))
	if w.Code != 405 {
		t.Errorf("POST: %d, want 405", w.Code)
	}
}

// ServeHTTP serves a request as the route does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { _ = s.Serve(w, r) }
