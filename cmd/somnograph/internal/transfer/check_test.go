package transfer_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// changed changes the line of a memory in an export and computes the digest anew, as somebody
// would who edits the file.
func changed(t *testing.T, lines string, which func(map[string]any) bool, change func(map[string]any)) string {
	t.Helper()
	return edited(t, lines, "memory", which, change)
}

// edited is changed for lines of a kind.
func edited(t *testing.T, lines, kind string, which func(map[string]any) bool, change func(map[string]any)) string {
	t.Helper()
	all := strings.SplitAfter(strings.TrimSuffix(lines, "\n"), "\n")
	sum, found := sha256.New(), false
	for i, text := range all[1 : len(all)-1] {
		var l map[string]map[string]any
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if m := l[kind]; m != nil && which(m) {
			change(m)
			raw, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			all[i+1], found = string(raw)+"\n", true
		}
		_, _ = sum.Write([]byte(all[i+1]))
	}
	if !found {
		t.Fatalf("no %s was changed", kind)
	}
	last := regexp.MustCompile(`"sha256":"[0-9a-f]*"`).ReplaceAllString(all[len(all)-1], `"sha256":"`+hex.EncodeToString(sum.Sum(nil))+`"`)
	return strings.Join(all[:len(all)-1], "") + last + "\n"
}

// An export whose lines contradict each other is refused with the field, and a check finds it
// before anything is sent.
func TestInconsistentExport(t *testing.T) {
	store := storetest.NewModel()
	world(t, store)
	lines := exported(t, store)
	second := func(m map[string]any) bool { return m["Version"] == 2.0 }
	set := func(field string, value any) func(map[string]any) {
		return func(m map[string]any) { m[field] = value }
	}
	if sum, err := transfer.Check(strings.NewReader(changed(t, lines, second, set("Reason", "came back")))); err != nil || sum.Memories != 3 {
		t.Fatalf("a consistent one: %s, %v", sum, err)
	}
	uses := func(count any) func(map[string]any) {
		return func(m map[string]any) { m["Usage"].(map[string]any)["Count"] = count }
	}
	for _, x := range []struct {
		field  string
		change func(map[string]any)
	}{
		{"Usage", uses(json.Number("4611686018427387904"))},
		{"Usage", uses(-1)},
		{"Usage", uses(0)},
		{"UpdatedAt", set("UpdatedAt", "2999-01-01T00:00:00Z")},
		{"RecordedAt", set("RecordedAt", "2999-01-01T00:00:00Z")},
		{"History.From", func(m map[string]any) {
			m["History"].([]any)[0].(map[string]any)["From"] = "2999-01-01T00:00:00Z"
		}},
		{"Checksum", set("Checksum", strings.Repeat("a", 64))},
		{"supersedes", func(m map[string]any) { m["Supersedes"] = m["ID"] }},
		{"supersedes", set("Version", 1)},
		{"SupersededBy", set("SupersededBy", string(id(t, 77*time.Second)))},
		{"Entities", set("Entities", []string{string(id(t, 77*time.Second))})},
		{"Edges", func(m map[string]any) {
			m["Edges"].([]any)[0].(map[string]any)["To"] = string(id(t, 77*time.Second))
		}},
		{"Edges", func(m map[string]any) {
			m["Edges"].([]any)[0].(map[string]any)["From"] = string(id(t, 77*time.Second))
		}},
		{"Vector", set("Vector", "AAA=")},
		{"History", set("History", []any{})},
	} {
		text := changed(t, lines, second, x.change)
		if _, err := transfer.Check(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), x.field) {
			t.Errorf("%s: the check says %v", x.field, err)
		}
		into := storetest.NewModel()
		if _, err := transfer.Import(t.Context(), into, scope, now, nil, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), x.field) {
			t.Errorf("%s: the import says %v", x.field, err)
		}
		wantUntouched(t, x.field, into)
	}
	for what, text := range map[string]string{
		"policy": edited(t, lines, "setting", func(map[string]any) bool { return true }, set("Value", "eyJ2ZXJzaW9uIjo5OX0=")), // {"version":99}
		"digest": changedDigest(lines),
	} {
		into := storetest.NewModel()
		if _, err := transfer.Import(t.Context(), into, scope, now, nil, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: the import says %v", what, err)
		}
		wantUntouched(t, what, into)
	}
}

// changedDigest is an export whose last line has another digest.
func changedDigest(lines string) string {
	return regexp.MustCompile(`"sha256":"[0-9a-f]*"`).ReplaceAllString(lines, `"sha256":"`+strings.Repeat("0", 64)+`"`)
}

// wantUntouched fails if anything was written to the store.
func wantUntouched(t *testing.T, what string, store graph.Store) {
	t.Helper()
	err := store.View(t.Context(), scope, func(r graph.Reader) error {
		at, err := r.LastRecorded()
		if err == nil && !at.IsZero() {
			t.Errorf("%s: the import wrote something", what)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Vectors of another model than the server's are refused before anything is written, and no copy
// of the body stays.
func TestImportOfAnotherModel(t *testing.T) {
	from := storetest.NewModel()
	world(t, from)
	lines, dir := exported(t, from), t.TempDir()
	for model, want := range map[string]int{"other": http.StatusBadRequest, "test": http.StatusOK} {
		into := storetest.NewModel()
		h := &transfer.Handler{
			Store: into, Scope: scope, Dir: dir, Model: model, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
			Head: func(ctx context.Context) (graph.Cursor, error) { return into.Head(ctx, scope) },
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/import", strings.NewReader(lines))
		r.Header.Set("Content-Type", transfer.MediaType)
		w := httptest.NewRecorder()
		h.Import(1, w, r)
		if w.Code != want || want != http.StatusOK && !strings.Contains(w.Body.String(), "EmbeddingModel") {
			t.Errorf("model %s: %d %s", model, w.Code, w.Body)
		}
		if want != http.StatusOK {
			wantUntouched(t, model, into)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("model %s: %d files are left, %v", model, len(left), err)
		}
	}
}

// endedReader is an export whose end fails, as a body does whose credential has ended.
type endedReader struct{ *strings.Reader }

func (r endedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = graph.Errorf(graph.CodeUnauthenticated, "the credential has ended")
	}
	return n, err
}

// The body of an import is read to its end, where its credential is checked again, before anything is written.
func TestAnImportWhoseEndFailsWritesNothing(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	into := storetest.NewModel()
	_, err := transfer.Import(t.Context(), into, scope, now, nil, endedReader{strings.NewReader(exported(t, full))})
	if graph.CodeOf(err) != graph.CodeUnauthenticated || err == nil {
		t.Errorf("the import says %v", err)
	}
	wantUntouched(t, "an ended credential", into)
}
