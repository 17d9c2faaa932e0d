package frametest

import (
	"bytes"
	"testing"
	"time"

	"github.com/somnograph/somnograph/viz/frame"
)

func TestGenerate(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f := Generate(500, now)
	b, err := frame.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	again, err := frame.Encode(Generate(500, now))
	if err != nil || !bytes.Equal(b, again) {
		t.Errorf("the same number gave another scene, %v", err)
	}
	if len(f.Nodes) != 500 || len(f.Edges) != 2*499 {
		t.Errorf("%d memories, %d edges", len(f.Nodes), len(f.Edges))
	}
	in := 0
	for _, c := range f.Clusters {
		in += c.Count
	}
	if len(f.Clusters) == 0 || in != 500-56 {
		t.Errorf("%d clusters have %d members", len(f.Clusters), in)
	}
	for i := range f.Nodes {
		if f.Nodes[i].CreatedAt.After(now) || f.Nodes[i].LastUse.After(now) || i > 0 && f.Nodes[i].ID <= f.Nodes[i-1].ID {
			t.Fatalf("memory %d: %+v", i, f.Nodes[i])
		}
	}
}
