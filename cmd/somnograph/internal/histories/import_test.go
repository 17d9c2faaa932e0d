package histories

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

// store is a writer that keeps what it is given, once per key.
type store struct {
	turns    map[string]Observation
	memories map[string]importer.Memory
	sent     int
	failAt   int // the request from which on all fail; 0: none
	requests int
}

func newStore() *store {
	return &store{turns: map[string]Observation{}, memories: map[string]importer.Memory{}}
}

var errDown = errors.New("down")

// keep stores one value under its key.
func keep[T any](s *store, all map[string]T, key string, v T, same bool) importer.Outcome {
	s.sent++
	if _, known := all[key]; known {
		return importer.Outcome{ID: key, Replayed: same, Reused: !same}
	}
	all[key] = v
	return importer.Outcome{ID: key}
}

func (s *store) ObservePast(_ context.Context, batch []Observation) (out []importer.Outcome, err error) {
	if s.requests++; s.failAt > 0 && s.requests >= s.failAt {
		return nil, errDown
	}
	for _, o := range batch {
		out = append(out, keep(s, s.turns, o.IdempotencyKey, o, s.turns[o.IdempotencyKey].Text == o.Text))
	}
	return out, nil
}

func (s *store) RememberMany(_ context.Context, batch []importer.Memory) (out []importer.Outcome, err error) {
	for _, m := range batch {
		if strings.Contains(m.Content, "refuse") {
			out = append(out, importer.Outcome{Err: errors.New("no")})
			continue
		}
		out = append(out, keep(s, s.memories, m.IdempotencyKey, m, true))
	}
	return out, nil
}

// quiet is a progress that counts.
type quiet struct{ failed []string }

func (*quiet) At(Summary, int64)                {}
func (q *quiet) Failed(where string, err error) { q.failed = append(q.failed, where+": "+err.Error()) }

var target = Target{User: "ines", Consent: "IMPLICIT", MaxContent: 1000}

// talk writes a Claude export of one conversation with so many turns.
func talk(t *testing.T, turns int, text func(i int) string) string {
	t.Helper()
	var messages []string
	for i := range turns {
		messages = append(messages, fmt.Sprintf(`{"uuid":"m%d","sender":%q,"text":%q,"created_at":%q}`, i, []string{"human", "assistant"}[i%2], text(i),
			time.Date(2025, 1, 1, 0, 0, i, 0, time.UTC).Format(time.RFC3339)))
	}
	path := filepath.Join(t.TempDir(), "conversations.json")
	write(t, path, `[{"uuid":"c","chat_messages":[`+strings.Join(messages, ",")+"]}]")
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An import that fails at any request is continued after its mark: everything is written, nothing twice,
// and what the mark covers is not sent again.
func TestContinuedImport(t *testing.T) {
	path := talk(t, 1500, func(i int) string { return fmt.Sprintf("Turn %d.", i) })
	for failAt := 1; failAt <= 4; failAt++ {
		w, mark, saved := newStore(), filepath.Join(t.TempDir(), "mark", "m.json"), 0
		w.failAt = failAt
		save := func(m Mark) error {
			if m.Items > len(w.turns) {
				t.Errorf("the mark has %d items of %d written", m.Items, len(w.turns))
			}
			saved = m.Items
			return SaveMark(mark, m)
		}
		s := open(t, path)
		_, err := Import(t.Context(), "claude", s, Options{}, target, w, LoadMark(mark, s), save, &quiet{})
		if !errors.Is(err, errDown) || saved != (failAt-1)*batchItems {
			t.Fatalf("failing at request %d: %v after %d", failAt, err, saved)
		}
		w.failAt, w.sent = 0, 0
		left := 1500 - saved
		sum, err := Import(t.Context(), "claude", s, Options{}, target, w, LoadMark(mark, s), save, &quiet{})
		if err != nil || len(w.turns) != 1500 || sum.Written != left || w.sent != left {
			t.Errorf("failing at request %d: %d turns, %d sent, %+v, %v", failAt, len(w.turns), w.sent, sum, err)
		}
		if sum, err = Import(t.Context(), "claude", s, Options{}, target, w, Mark{}, nil, &quiet{}); err != nil || sum.Written != 0 || sum.Replayed != 1500 {
			t.Errorf("once more: %+v, %v", sum, err)
		}
		// A mark of other files says nothing.
		other := open(t, talk(t, 10, func(int) string { return "x" }))
		if m := LoadMark(mark, other); m != (Mark{}) {
			t.Errorf("the mark of another file: %+v", m)
		}
		write(t, mark, "{")
		if m := LoadMark(mark, s); m != (Mark{}) {
			t.Errorf("a broken mark: %+v", m)
		}
	}
}

// A later export has the same turns and further ones; a turn with another text is not written again.
func TestLaterExport(t *testing.T) {
	w := newStore()
	for _, c := range []struct {
		turns int
		text  string
		want  Summary
	}{
		{4, "a", Summary{Written: 4}},
		{6, "a", Summary{Written: 2, Replayed: 4}},
		{6, "b", Summary{Changed: 6}},
	} {
		s := open(t, talk(t, c.turns, func(int) string { return c.text }))
		sum, err := Import(t.Context(), "claude", s, Options{}, target, w, Mark{}, nil, &quiet{})
		if err != nil || sum.Written != c.want.Written || sum.Replayed != c.want.Replayed || sum.Changed != c.want.Changed {
			t.Errorf("%d turns of %s: %+v, %v", c.turns, c.text, sum, err)
		}
	}
}

func TestLongTurnsOwnTextAndRange(t *testing.T) {
	long := strings.Repeat("One sentence of words. ", 200)
	texts := []string{"served <own>", long, "<own>", "plain", "late"}
	path := talk(t, len(texts), func(i int) string { return texts[i] })
	o := target
	o.Own = func(text string) string { return strings.ReplaceAll(text, "<own>", "") }
	o.Until = time.Date(2025, 1, 1, 0, 0, 4, 0, time.UTC)
	w := newStore()
	sum, err := Import(t.Context(), "claude", open(t, path), Options{}, o, w, Mark{}, nil, &quiet{})
	if err != nil || sum.Outside != 1 || sum.Turns != 3 || sum.Conversations != 1 || !sum.Last.Equal(o.Until.Add(-time.Second)) {
		t.Errorf("%+v, %v", sum, err)
	}
	var got []string
	for _, x := range w.turns {
		if len(x.Text) > o.MaxContent || x.User != "ines" || x.Session != "c" {
			t.Errorf("%+v", x)
		}
		got = append(got, x.Text)
	}
	slices.Sort(got)
	if len(got) != 2+len(importer.Split(strings.TrimSpace(long), o.MaxContent)) || !slices.Contains(got, "served") || !slices.Contains(got, "plain") {
		t.Errorf("%q", got)
	}
}

// Without a writer an import only counts.
func TestDryRun(t *testing.T) {
	q := &quiet{}
	sum, err := Import(t.Context(), "slack", open(t, "testdata/slack"), Options{}, target, nil, Mark{}, nil, q)
	if err != nil || sum.Turns != 5 || sum.Conversations != 4 || sum.Failed != 2 || len(q.failed) != 2 || sum.Written != 0 {
		t.Errorf("%+v, %v, %q", sum, err, q.failed)
	}
}

// A refused memory is counted with its place; the others are written.
func TestRefusedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mem0.json")
	write(t, path, `{"results":[{"id":"1","memory":"likes tea"},{"id":"2","memory":"refuse this","created_at":"2025-01-01T00:00:00Z"},{"id":"3","memory":"likes rope"}]}`)
	w, q := newStore(), &quiet{}
	s := open(t, path)
	if got := Detect(s); got != "mem0" {
		t.Fatalf("is taken for %q", got)
	}
	sum, err := Import(t.Context(), "mem0", s, Options{}, target, w, Mark{}, nil, q)
	if err != nil || sum.Written != 2 || sum.Failed != 1 || len(q.failed) != 1 || !strings.HasSuffix(q.failed[0], "memory 2: no") {
		t.Errorf("%+v, %v, %q", sum, err, q.failed)
	}
}

func TestCancelledImport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Import(ctx, "claude", open(t, "testdata/claude"), Options{}, target, newStore(), Mark{}, nil, &quiet{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
