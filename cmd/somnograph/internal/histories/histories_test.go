package histories

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// record is a sink that keeps everything.
type record struct {
	items []Item
	bad   []string
	bytes int64
	stop  error
}

func (r *record) Put(i Item) error {
	r.items = append(r.items, i)
	return r.stop
}
func (r *record) Bad(where string, err error) { r.bad = append(r.bad, where+": "+err.Error()) }
func (r *record) At(bytes int64)              { r.bytes = bytes }

// text is everything as JSON lines. Paths and times of change of this machine are replaced.
func (r *record) text(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	for _, i := range r.items {
		if i.Memory != nil && i.Memory.Format == "rules" {
			i.Memory.At, i.Memory.ID = time.Time{}, "…"
		}
		for _, v := range []any{i.Turn, i.Memory} {
			raw, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if string(raw) != "null" {
				fmt.Fprintf(&b, "%s\t%s\n", i.Where, raw)
			}
		}
	}
	for _, bad := range r.bad {
		fmt.Fprintf(&b, "refused\t%s\n", bad)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), abs, "ROOT")
}

func open(t testing.TB, path string) *Source {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func read(t testing.TB, format string, s *Source, o Options) *record {
	t.Helper()
	r := &record{}
	if err := Read(t.Context(), format, s, o, r); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return r
}

// Each format is recognised, and read as its golden file says: as a folder and as a zip file.
func TestFormats(t *testing.T) {
	for _, name := range Formats() {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", name)
			s := open(t, dir)
			if got := Detect(s); got != name {
				t.Errorf("is taken for %q", got)
			}
			r := read(t, name, s, Options{Me: "ines@harbour.example"})
			got := r.text(t, dir)
			golden := filepath.Join("testdata", name+".golden")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if r.bytes != s.Size() && name != "slack" && name != "rules" {
				t.Errorf("%d bytes were read of %d", r.bytes, s.Size())
			}
			for _, secret := range []string{"not said", "what memory served", "generated again", "First wording"} {
				if strings.Contains(got, secret) {
					t.Errorf("%q was read", secret)
				}
			}
			zipped := open(t, zipOf(t, dir))
			if got := Detect(zipped); got != name {
				t.Errorf("the zip file is taken for %q", got)
			}
			if name == "rules" {
				return // the source of a rule is a path
			}
			if z := read(t, name, zipped, Options{Me: "ines@harbour.example"}).text(t, dir); z != got {
				t.Errorf("the zip file is read as\n%s", z)
			}
		})
	}
}

// zipOf makes a zip file of a folder.
func zipOf(t testing.TB, dir string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "export.ZIP")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Ids are unique in a format, so that nothing is taken for something else.
func TestIDsAreUnique(t *testing.T) {
	for _, name := range Formats() {
		seen := map[string]bool{}
		for _, i := range read(t, name, open(t, filepath.Join("testdata", name)), Options{}).items {
			id := ""
			if i.Turn != nil {
				id = i.Turn.ID
			} else {
				id = i.Memory.ID
			}
			if id == "" || seen[id] {
				t.Errorf("%s: %s has the id %q", name, i.Where, id)
			}
			seen[id] = true
		}
	}
}

// What was said has the time of the export, whatever the format; only the owner is without a name.
func TestTimesAndSpeakers(t *testing.T) {
	for _, name := range []string{"chatgpt", "claude", "slack", "claude-code", "codex", "zep"} {
		for _, i := range read(t, name, open(t, filepath.Join("testdata", name)), Options{Me: "Ines Holm"}).items {
			if i.Turn == nil {
				continue
			}
			if at := i.Turn.At; at.Year() < 2023 || at.After(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)) {
				t.Errorf("%s: %s at %v", name, i.Where, at)
			}
			if name == "slack" && strings.Contains(i.Turn.Text, "crane") != (i.Turn.Speaker == "" && strings.Contains(i.Turn.Text, "crane")) {
				t.Errorf("%s is said by %q", i.Where, i.Turn.Speaker)
			}
		}
	}
	for _, i := range read(t, "slack", open(t, "testdata/slack"), Options{}).items {
		if i.Turn.Role == "user" && i.Turn.Speaker == "" {
			t.Errorf("without --me %s is said by the owner", i.Where)
		}
	}
}

func TestWhatIsNoHistory(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lines.jsonl": `{"content":"x","consent":"EXPLICIT","meta":{"sessionId":"s","type":"t"}}` + "\n", "empty.json": "", "text.txt": "hello", "list.json": `[1,2]`, "half.json": `[{"mapp`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Detect(open(t, path)); got != "" {
			t.Errorf("%s is taken for %s", name, got)
		}
	}
	if got := Detect(open(t, t.TempDir())); got != "" {
		t.Errorf("an empty folder is taken for %s", got)
	}
	if _, err := Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	bad := filepath.Join(dir, "bad.zip")
	if err := os.WriteFile(bad, []byte("PK no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(bad); err == nil {
		t.Error("a broken zip file is opened")
	}
	if err := Read(t.Context(), "myspace", open(t, dir), Options{}, &record{}); !errors.Is(err, ErrUnknownFormat) {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestSinkEndsTheReading(t *testing.T) {
	stop := errors.New("stop")
	for _, name := range Formats() {
		r := &record{stop: stop}
		if err := Read(t.Context(), name, open(t, filepath.Join("testdata", name)), Options{}, r); !errors.Is(err, stop) || len(r.items) != 1 {
			t.Errorf("%s: %v after %d items", name, err, len(r.items))
		}
	}
}

// A conversation, a message or a line above the limit is left out; the others go through.
func TestHugePiecesAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	huge := strings.Repeat("x", MaxPiece)
	message := func(id, text string) string {
		return fmt.Sprintf(`{"uuid":%q,"created_at":"2025-01-01T00:00:00Z","chat_messages":[{"uuid":"m","sender":"human","text":%q}]}`, id, text)
	}
	row := func(id, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","timestamp":"2025-01-01T00:00:00Z","message":{"content":%q}}`, id, text)
	}
	for name, text := range map[string]string{
		"conversations.json": "[" + message("a", "first") + "," + message("b", huge) + "," + message("c", "last") + "]",
		"session.jsonl":      row("a", "first") + "\n" + row("b", huge) + "\n" + row("c", "last"),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, path)
		r := read(t, Detect(s), s, Options{})
		if len(r.items) != 2 || r.items[0].Turn.Text != "first" || r.items[1].Turn.Text != "last" || len(r.bad) != 1 || !strings.Contains(r.bad[0], "2: is longer than") {
			t.Errorf("%s: %d items, %.200q", name, len(r.items), r.bad)
		}
	}
}

// What a person or a model wrote down to be kept is no event, and would fade like one.
func TestRulesAndDistilledFactsAreNoEvents(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rules/AGENTS.md":  "- Use spaces in Makefiles\n- The depot opens at seven.\n\nKurz antworten.\n",
		"mem0/m.json":      `{"results":[{"id":"1","memory":"Sailing at dawn with Ola","created_at":"2025-01-02T03:04:05Z"},{"id":"2","memory":"Prefers short answers","created_at":"2025-01-02T03:04:05Z"}]}`,
		"binary/AGENTS.md": "- Use spaces\n\x00\xff\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for format, want := range map[string][]string{"rules": {`"Type":"PROCEDURAL"`, `"Type":""`, `"Type":"PROCEDURAL"`}, "mem0": {`"Type":"SEMANTIC"`, ``}} {
		s := open(t, filepath.Join(dir, format))
		lines := strings.Split(strings.TrimSpace(read(t, format, s, Options{}).text(t, dir)), "\n")
		for i, line := range lines {
			if i >= len(want) || !strings.Contains(line, want[i]) || strings.Contains(line, "EPISODIC") {
				t.Errorf("%s: %s", format, line)
			}
		}
		if len(lines) != len(want) {
			t.Errorf("%s: %d memories, want %d", format, len(lines), len(want))
		}
	}
	if got := read(t, "rules", open(t, filepath.Join(dir, "binary")), Options{}).text(t, dir); !strings.Contains(got, "no text in UTF-8") || strings.Contains(got, "Use spaces") {
		t.Errorf("a binary file is read as %s", got)
	}
}
