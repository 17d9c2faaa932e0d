package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// memoryServer is a fake server: idempotent, and able to fail.
type memoryServer struct {
	byKey   map[string]string // idempotency key to content
	calls   int
	sent    int
	failing int // the call that fails, from 1; 0: none
}

func (s *memoryServer) remember(_ context.Context, batch []Memory) ([]Outcome, error) {
	s.calls++
	if s.calls == s.failing {
		return nil, errors.New("the line is cut")
	}
	s.sent += len(batch)
	out := make([]Outcome, len(batch))
	for i, m := range batch {
		old, seen := s.byKey[m.IdempotencyKey]
		switch {
		case m.Consent == "":
			out[i].Err = errors.New("CONSENT_REQUIRED")
			continue
		case seen && old != m.Content:
			out[i].Err = errors.New("INVALID_REQUEST: idempotencyKey")
			continue
		}
		s.byKey[m.IdempotencyKey] = m.Content
		out[i] = Outcome{ID: "id-" + m.IdempotencyKey, Replayed: seen}
	}
	return out, nil
}

type notes struct {
	failed  []string
	offsets []int64
}

func (n *notes) At(_ Summary, offset int64)     { n.offsets = append(n.offsets, offset) }
func (n *notes) Failed(where string, err error) { n.failed = append(n.failed, where+": "+err.Error()) }
func newServer() *memoryServer                  { return &memoryServer{byKey: map[string]string{}} }
func memoryLine(i int) string {
	return fmt.Sprintf(`{"content":"number %d","consent":"EXPLICIT"}`+"\n", i)
}
func reader(file string) *Reader {
	return NewReader(strings.NewReader(file), Options{MaxContent: 1 << 10})
}
func linesUpTo(n int) (b strings.Builder) {
	for i := range n {
		b.WriteString(memoryLine(i))
	}
	return b
}

func TestImportTwiceWritesOnce(t *testing.T) {
	b := linesUpTo(1234)
	s, n := newServer(), &notes{}
	sum, err := Import(t.Context(), reader(b.String()), s.remember, n, nil)
	if err != nil || sum != (Summary{Read: 1234, Written: 1234}) {
		t.Fatalf("first: %+v, %v", sum, err)
	}
	if s.calls != 3 || n.offsets[2] != int64(b.Len()) {
		t.Errorf("%d calls, offsets %v, want 3 batches up to %d", s.calls, n.offsets, b.Len())
	}
	sum, err = Import(t.Context(), reader(b.String()), s.remember, n, nil)
	if err != nil || sum != (Summary{Read: 1234, Replayed: 1234}) || len(s.byKey) != 1234 {
		t.Errorf("second: %+v, %v, %d remembered", sum, err, len(s.byKey))
	}
}

func TestRefusedMemoriesAndBadLinesAreCountedAndNamed(t *testing.T) {
	n := &notes{}
	sum, err := Import(t.Context(), reader(memoryLine(1)+"oops\n"+`{"content":"no consent"}`+"\n"+memoryLine(2)), newServer().remember, n, nil)
	if err != nil || sum != (Summary{Read: 3, Written: 2, Failed: 2}) {
		t.Fatalf("%+v, %v", sum, err)
	}
	if len(n.failed) != 2 || !strings.HasPrefix(n.failed[0], "line 2: is not JSON") || n.failed[1] != "line 3: CONSENT_REQUIRED" {
		t.Errorf("failed = %q", n.failed)
	}
}

func TestAnInterruptedImportContinuesFromItsCheckpoint(t *testing.T) {
	b := linesUpTo(1600)
	path := filepath.Join(t.TempDir(), "memories.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cp, err := NewCheckpoint(filepath.Join(t.TempDir(), "state"), path, "http://server")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	again, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()

	s := newServer()
	s.failing = 3
	_, err = Import(t.Context(), NewReader(f, Options{MaxContent: 1 << 10}), s.remember, &notes{}, func(m Mark) error { return cp.Save(again, m) })
	if err == nil || len(s.byKey) != 1000 {
		t.Fatalf("error = %v with %d remembered, want the third batch to fail", err, len(s.byKey))
	}
	mark, err := cp.Load(again)
	if err != nil || mark.Line != 1000 || mark.LastID == "" {
		t.Fatalf("mark = %+v, %v", mark, err)
	}
	if _, err := f.Seek(mark.Offset, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	s.failing, s.sent = 0, 0
	sum, err := Import(t.Context(), NewReader(f, Options{MaxContent: 1 << 10}), s.remember, &notes{}, nil)
	if err != nil || sum.Written != 600 || s.sent != 600 || len(s.byKey) != 1600 {
		t.Errorf("%+v, %v: sent %d, remembered %d", sum, err, s.sent, len(s.byKey))
	}
	if err := cp.Clear(); err != nil {
		t.Fatal(err)
	}
	if mark, err := cp.Load(again); err != nil || mark != (Mark{}) {
		t.Errorf("after Clear: %+v, %v", mark, err)
	}
}

// A conversation is one line: all its turns are sent again unless all are acknowledged.
func TestMarkIsBetweenLines(t *testing.T) {
	var turns []string
	for i := range 700 {
		turns = append(turns, fmt.Sprintf(`{"key":"%d","text":"turn %d"}`, i, i))
	}
	long := `{"id":"c","turns":[` + strings.Join(turns, ",") + "]}\n"
	first := memoryLine(1)
	var marks []Mark
	_, err := Import(t.Context(), reader(first+long), newServer().remember, &notes{}, func(m Mark) error { marks = append(marks, m); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(marks) != 2 || marks[0].Offset != int64(len(first)) || marks[0].Line != 1 || marks[1].Offset != int64(len(first)+len(long)) {
		t.Errorf("marks = %+v", marks)
	}
}

func TestCheckpointOfAnotherFileIsIgnored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memories.jsonl")
	cp, err := NewCheckpoint(t.TempDir(), path, "http://server")
	if err != nil {
		t.Fatal(err)
	}
	if err := cp.Save(strings.NewReader("line one\nline two\n"), Mark{Offset: 9, Line: 1, LastID: "x"}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file string
		want int64
	}{
		"as it was":        {"line one\nline two\n", 9},
		"grown":            {"line one\nline two\nline three\n", 9},
		"changed before":   {"line 0ne\nline two\n", 0},
		"shorter than was": {"line", 0},
		"empty":            {"", 0},
	} {
		if m, err := cp.Load(strings.NewReader(c.file)); err != nil || m.Offset != c.want {
			t.Errorf("%s: mark %+v, %v, want offset %d", name, m, err, c.want)
		}
	}
}

func TestCancelEndsAnImport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newServer()
	b := linesUpTo(1200)
	_, err := Import(ctx, reader(b.String()), func(ctx context.Context, batch []Memory) ([]Outcome, error) {
		cancel()
		return s.remember(ctx, batch)
	}, &notes{}, nil)
	if !errors.Is(err, context.Canceled) || s.calls != 1 {
		t.Errorf("error = %v after %d calls, want an end after the first", err, s.calls)
	}
}
