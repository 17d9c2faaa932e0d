package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// startDgraph starts a cluster that ends with the test.
func startDgraph(t *testing.T) *dgraphtest.Cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("the full run has it")
	}
	c, err := dgraphtest.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
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

// What was acknowledged outlives the server, and a data directory that is lost: the
// truth is in the cluster.
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
			t.Error("content stands in the log")
		}
	}
}
