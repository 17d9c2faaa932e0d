package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// startDgraph starts a cluster that ends with the test.
func startDgraph(t *testing.T) *dgraphtest.Cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("the full run has it")
	}
	return dgraphtest.Run(t, t.TempDir())
}

// finds fails the test unless a search over the API finds the memory.
func finds(t *testing.T, s *server, query, id string) {
	t.Helper()
	var out struct {
		Search struct {
			Hits []struct{ Memory struct{ ID string } }
		}
	}
	err := s.client().Do(t.Context(), `query($i:SearchInput!){search(input:$i){hits{memory{id}}}}`, map[string]any{"i": map[string]any{"query": query}}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Search.Hits) == 0 || out.Search.Hits[0].Memory.ID != id {
		t.Fatalf("%q finds %+v, want %s", query, out.Search.Hits, id)
	}
}

// Acknowledged memories survive a kill and the loss of the data directory: they are in the
// cluster.
func TestServeOverDgraph(t *testing.T) {
	cluster := startDgraph(t)
	dir := t.TempDir()
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr}
	s := start(t, dir, over...)
	id := remember(t, s.client(), "The winch sticks again.")
	finds(t, s, "winch", id)
	s.signal(syscall.SIGKILL)
	s.exit()
	for _, dir := range []string{dir, t.TempDir()} {
		again := start(t, dir, over...)
		finds(t, again, "winch", id)
		again.stop()
		if strings.Contains(again.log.String(), "winch sticks") {
			t.Error("the log has content")
		}
	}
}

// An export moves from the embedded store to a cluster and back and stays the same byte for
// byte: chains, versions, usage, stubs of forgotten memories, sleep reports.
func TestExportMovesBetweenStores(t *testing.T) {
	cluster := startDgraph(t)
	dir := t.TempDir()
	old := start(t, t.TempDir())
	first := remember(t, old.client(), "Ines lives in Graz with her dog Balu.")
	second := supersede(t, old.client(), first, "Ines lives in Vienna with her dog Balu.")
	gone := remember(t, old.client(), "The door opens with quagga.")
	finds(t, old, "dog", second)
	forget(t, old.client(), gone)
	if out, errs, code := output(t, "sleep", "--addr", old.url); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	one := exportFrom(t, old, filepath.Join(dir, "one"))
	old.stop()

	far := start(t, t.TempDir(), "--store", "dgraph", "--dgraph", cluster.Addr)
	moveInto(t, far, filepath.Join(dir, "one"))
	two := exportFrom(t, far, filepath.Join(dir, "two"))
	finds(t, far, "dog", second)
	if _, errs, code := output(t, "import", filepath.Join(dir, "one"), "--addr", far.url); code != exitFailed || !strings.Contains(errs, "not empty") {
		t.Errorf("imported twice: code %d: %s", code, errs)
	}
	far.stop()

	back := start(t, t.TempDir())
	moveInto(t, back, filepath.Join(dir, "two"))
	three := exportFrom(t, back, filepath.Join(dir, "three"))
	back.stop()
	for _, x := range []struct{ name, lines string }{{"in the cluster", two}, {"back again", three}} {
		if x.lines != one {
			t.Errorf("%s it reads\n%s\nwant\n%s", x.name, x.lines, one)
		}
	}
	for _, want := range []string{first, second, gone, `"Status":"SUPERSEDED"`, `"Status":"FORGOTTEN"`, `"note":{"Kind":"SLEEP"`, `"entity":{`} {
		if !strings.Contains(one, want) {
			t.Errorf("the export lacks %s", want)
		}
	}
	if strings.Contains(one, "quagga") {
		t.Error("a forgotten memory is in the export")
	}
}

// exportFrom runs somnograph export and returns the lines after the first.
func exportFrom(t *testing.T, s *server, path string) string {
	t.Helper()
	if out, errs, code := output(t, "export", path, "--addr", s.url); code != exitOK || !strings.Contains(out, " memor") {
		t.Fatalf("code %d: %s%s", code, out, errs)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(b), "\n")
	return lines
}

func moveInto(t *testing.T, s *server, path string) {
	t.Helper()
	if out, errs, code := output(t, "import", path, "--addr", s.url); code != exitOK || !strings.HasPrefix(out, "imported ") {
		t.Fatalf("code %d: %s%s", code, out, errs)
	}
}

func supersede(t *testing.T, c *client.Client, id, content string) string {
	t.Helper()
	var out struct {
		Supersede struct{ Memory struct{ ID string } }
	}
	err := c.Do(t.Context(), `mutation($i:SupersedeInput!){supersede(input:$i){memory{id}}}`,
		map[string]any{"i": map[string]any{"id": id, "content": content, "reason": "moved"}}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.Supersede.Memory.ID
}

func forget(t *testing.T, c *client.Client, id string) {
	t.Helper()
	var out any
	err := c.Do(t.Context(), `mutation($i:ForgetInput!){forget(input:$i){receipt{id}}}`, map[string]any{"i": map[string]any{"ids": []string{id}}}, &out)
	if err != nil {
		t.Fatal(err)
	}
}

// With vectors in the cluster every verb works as with vectors in memory, and the index of the
// server has none. A restart switches between the two.
func TestServeWithVectorsInDgraph(t *testing.T) {
	cluster := startDgraph(t)
	dir := t.TempDir()
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr}
	s := start(t, dir, over...)
	winch := remember(t, s.client(), "The winch sticks again.")
	s.stop()
	s = start(t, dir, append(over, "--vectors", "dgraph")...)
	finds(t, s, "winch", winch)
	old := remember(t, s.client(), "Ines lives in Graz with her dog Balu.")
	finds(t, s, "Where does Ines live?", old)
	id := supersede(t, s.client(), old, "Ines lives in Vienna with her dog Balu.")
	finds(t, s, "Where does Ines live?", id)
	forget(t, s.client(), id)
	if out, errs, code := output(t, "sleep", "--addr", s.url); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	finds(t, s, "Does the winch stick?", winch)
	s.stop()
	s = start(t, dir, over...)
	finds(t, s, "winch", winch)
	s.stop()
	if _, errs, code := output(t, "serve", "--data", t.TempDir(), "--vectors", "dgraph"); code == exitOK || !strings.Contains(errs, "--vectors") || !strings.Contains(errs, "--store dgraph") {
		t.Errorf("vectors in Dgraph without Dgraph: code %d: %s", code, errs)
	}
}
