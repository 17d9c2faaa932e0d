package instance

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// After a receipt is complete nothing that was erased can be read: not in the files of the server nor of a sealed cluster, and not in
// copies of both from before, opened with the keys of today.
func TestNothingErasedIsReadableInASealedCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	stop := func(c *dgraphtest.Cluster) {
		t.Helper()
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	o, files := sealedOptions(t), t.TempDir()
	erased, kept := &tracesOf{}, "The ferry to Brodno leaves at noon."
	lacks := func(when string, dirs ...string) {
		t.Helper()
		for _, dir := range dirs {
			erased.lacks(t, dir, when)
		}
	}
	c := dgraphtest.Run(t, files)
	o.Dgraph = []string{c.Addr}
	in := open(t, o)
	writeTraces(t, in, erased, 0, 12)
	id := remember(t, in, kept)
	lacks("sealed and not erased,", files)
	shut(t, in)
	stop(c)
	lacks("closed and not erased,", files, o.Dir)
	before, beforeData := copyOf(t, files), copyOf(t, o.Dir)

	c = dgraphtest.Run(t, files)
	o.Dgraph = []string{c.Addr}
	in = open(t, o)
	receipt, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{User: "zuqoruser"})
	if err != nil || receipt.Status != graph.DeletionComplete || receipt.Count < 12 {
		t.Fatalf("receipt %+v, %v", receipt, err)
	}
	lacks("while the server runs", files, o.Dir, o.Keys)
	erased.served(t, in, "while the server runs")
	shut(t, in)
	stop(c)
	lacks("after a stop", files, o.Dir)

	c = dgraphtest.Run(t, before)
	o.Dgraph, o.Dir = []string{c.Addr}, beforeData
	in = open(t, o)
	defer shut(t, in)
	erased.served(t, in, "in a copy from before")
	if v := read(t, in, id); v.Content != kept {
		t.Errorf("in a copy from before the memory of another user says %q", v.Content)
	}
	lacks("in a copy from before", before, beforeData)
}
