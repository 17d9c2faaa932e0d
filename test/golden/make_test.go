// Package golden holds the golden data: a data directory, an export of it, and the answers
// that the build of a known commit gives to a list of queries over both. Later builds must
// open the directory, import the export, and give the same answers; the test is
// cmd/somnograph/golden_test.go. README.md says how the data was made.
package golden

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// commit is the build that the golden data belongs to.
const commit = "3b47fa4"

var (
	binary = flag.String("binary", "", "path of somnograph, built from commit "+commit)
	out    = flag.String("out", ".", "directory to write to")
)

// TestMakeGoldenData writes the golden data with an old build. It runs only by hand.
func TestMakeGoldenData(t *testing.T) {
	if *binary == "" {
		t.Skip("runs only with -binary, the path of an old build")
	}
	if err := run(t.Context(), *binary, *out, t.TempDir()); err != nil {
		t.Fatal(err)
	}
}

// golden is what golden.json holds.
type golden struct {
	Commit string `json:"commit"`
	// Now is the instant to which the clock of a server must be set before it is asked.
	Now     time.Time         `json:"now"`
	IDs     map[string]string `json:"ids"`
	Queries []query           `json:"queries"`
}

// query is a question and the answers to it, data and errors.
type query struct {
	Name      string         `json:"name"`
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
	// Directory is the answer over the data directory. Import is the answer after an import of
	// the export; empty: the same.
	Directory json.RawMessage `json:"directory"`
	Import    json.RawMessage `json:"import,omitempty"`
}

func run(ctx context.Context, binary, out, work string) error {
	version, err := exec.CommandContext(ctx, binary, "version").Output()
	if err != nil {
		return fmt.Errorf("%s version: %w", binary, err)
	}
	if !strings.Contains(string(version), commit) {
		return fmt.Errorf("needs the build of %s, but %s is %s", commit, binary, version)
	}
	g := &golden{Commit: commit}
	dir, export := filepath.Join(work, "data"), filepath.Join(out, "export.jsonl")
	if err := g.make(ctx, binary, dir, export); err != nil {
		return err
	}
	if err := pack(dir, filepath.Join(out, "data.tar.gz")); err != nil {
		return err
	}
	if err := g.ask(ctx, binary, dir, "", func(q *query, answer json.RawMessage) { q.Directory = answer }); err != nil {
		return err
	}
	fresh := filepath.Join(work, "imported")
	// An export leaves the sealed files of the recess where they are.
	if err := os.CopyFS(filepath.Join(fresh, "recess"), os.DirFS(filepath.Join(dir, "recess"))); err != nil {
		return err
	}
	err = g.ask(ctx, binary, fresh, export, func(q *query, answer json.RawMessage) {
		if !bytes.Equal(answer, q.Directory) {
			q.Import = answer
		}
	})
	if err != nil {
		return err
	}
	if err := compress(export); err != nil {
		return err
	}
	return g.write(filepath.Join(out, "golden.json"))
}

// write writes the answers, a query a line.
func (g *golden) write(path string) error {
	var b bytes.Buffer
	ids, err := json.Marshal(g.IDs)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "{\"commit\":%q,\n\"now\":%q,\n\"ids\":%s,\n\"queries\":[", g.Commit, g.Now.Format(time.RFC3339Nano), ids)
	for i, q := range g.Queries {
		line, err := json.Marshal(q)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// rounded rounds the numbers of an answer to five decimals. The later decimals of scores depend
// on the clock and differ between runs.
func rounded(answer json.RawMessage) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		return nil, err
	}
	var walk func(any) any
	walk = func(v any) any {
		switch x := v.(type) {
		case float64:
			return math.Round(x*1e5) / 1e5
		case []any:
			for i := range x {
				x[i] = walk(x[i])
			}
		case map[string]any:
			for k := range x {
				x[k] = walk(x[k])
			}
		}
		return v
	}
	return json.Marshal(walk(v))
}

// make fills a data directory and exports it.
func (g *golden) make(ctx context.Context, binary, dir, export string) error {
	s, err := start(ctx, binary, dir)
	if err != nil {
		return err
	}
	w := &world{server: s, ctx: ctx, ids: map[string]string{}}
	err = w.live()
	if err == nil {
		g.IDs, g.Queries = w.ids, w.queries()
		g.Now, err = w.now().Add(time.Second), w.err
	}
	if err == nil {
		err = os.Remove(export)
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		var text []byte
		if text, err = exec.CommandContext(ctx, binary, "export", "--addr", s.url, export).CombinedOutput(); err != nil {
			err = fmt.Errorf("export: %w: %s", err, text)
		}
	}
	return errors.Join(err, s.stop())
}

// ask serves a directory, imports a file if one is named, and records the answers.
func (g *golden) ask(ctx context.Context, binary, dir, file string, keep func(*query, json.RawMessage)) error {
	offset, err := json.Marshal(map[string]string{"offset": time.Until(g.Now).String()})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "clock.json"), offset, 0o600); err != nil {
		return err
	}
	s, err := start(ctx, binary, dir)
	if err != nil {
		return err
	}
	if file != "" {
		var text []byte
		if text, err = exec.CommandContext(ctx, binary, "import", "--addr", s.url, file).CombinedOutput(); err != nil {
			err = fmt.Errorf("import: %w: %s", err, text)
		}
	}
	for i := range g.Queries {
		if err != nil {
			break
		}
		var answer json.RawMessage
		if answer, err = s.post(ctx, g.Queries[i].Query, g.Queries[i].Variables); err == nil {
			answer, err = rounded(answer)
		}
		keep(&g.Queries[i], answer)
	}
	return errors.Join(err, s.stop())
}
