package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/somnograph/somnograph/internal/dgraphtest"
	"github.com/somnograph/somnograph/internal/filetest"
)

// A server seals an empty cluster: its files never hold what is remembered, an erasure is complete, the keys are replaced
// while it serves, and nobody opens it without the keys or beside the server.
func TestASealedCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	files := t.TempDir()
	cluster := dgraphtest.Run(t, files)
	dir := t.TempDir()
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr}
	s := start(t, dir, append(over, "--seal=on")...)
	gone := remember(t, s.client(), "The qxwinchzv sticks again.")
	kept := remember(t, s.client(), "The qxsextantzv hangs in the cabin.")
	s.signal(syscall.SIGKILL)
	s.exit()

	s = start(t, dir, over...) // a sealed cluster stays so
	if log := s.log.String(); !strings.Contains(log, "the content of the cluster is sealed") {
		t.Errorf("the log does not say that the cluster is sealed:\n%s", log)
	}
	finds(t, s, "sextant hangs in the cabin", kept)
	forget(t, s.client(), gone)
	if got := lastErasure(t, s); got != "COMPLETE" {
		t.Errorf("the erasure is %s", got)
	}
	if out, errs, code := output(t, "keys", "rotate", "--addr", s.url, "--kinds", "seal"); code != exitOK {
		t.Errorf("keys rotate: code %d: %s%s", code, out, errs)
	}
	finds(t, s, "sextant hangs in the cabin", kept)

	for _, x := range []struct{ data, want string }{
		{t.TempDir(), "is sealed and can't be opened with the keys given"},
		{dir, "in use by another somnograph"},
	} {
		_, errs, code := output(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", x.data}, over...)...)
		if code == exitOK || !strings.Contains(errs, x.want) {
			t.Errorf("another server: code %d, want %q: %s", code, x.want, errs)
		}
	}
	s.stop()
	s = start(t, dir, over...)
	finds(t, s, "sextant hangs in the cabin", kept)
	s.stop()
	for _, root := range []string{files, dir} {
		for _, word := range []string{"qxwinchzv", "qxsextantzv"} {
			if in := filetest.Marks(t, root, []byte(word)).In; len(in) > 0 {
				t.Errorf("%s is in %v", word, in)
			}
		}
	}
}

// A cluster that holds plain data is not sealed.
func TestAPlainClusterIsNotSealed(t *testing.T) {
	cluster := startDgraph(t)
	dir := t.TempDir()
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr}
	s := start(t, dir, over...)
	id := remember(t, s.client(), "The winch sticks again.")
	s.stop()
	_, errs, code := output(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir, "--seal=on"}, over...)...)
	if code == exitOK || !strings.Contains(errs, "only an empty one can be sealed") || !strings.Contains(errs, "somnograph export") {
		t.Errorf("code %d: %s", code, errs)
	}
	s = start(t, dir, over...)
	finds(t, s, "winch", id)
	s.stop()
}

// lastErasure is the state of the latest erasure.
func lastErasure(t *testing.T, s *server) string {
	t.Helper()
	var out struct {
		DeletionReceipts struct{ Nodes []struct{ Status string } }
	}
	if err := s.client().Do(t.Context(), `{deletionReceipts(first:1){nodes{status}}}`, nil, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.DeletionReceipts.Nodes) != 1 {
		t.Fatalf("%d receipts", len(out.DeletionReceipts.Nodes))
	}
	return out.DeletionReceipts.Nodes[0].Status
}
