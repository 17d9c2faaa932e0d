package workspace

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

func ever(n int, text string, tier graph.Tier) *graph.Memory {
	id := graph.ID(fmt.Sprintf("0198f2a0-0000-7000-8000-%012d", n))
	return &graph.Memory{ID: id, Content: text, History: []graph.State{{From: time.Unix(1, 0), Status: graph.Active, Tier: tier}}}
}

// The cache stays within its limit for texts of any length, and keeps the latest ones.
func TestReadingsAreBounded(t *testing.T) {
	r := newReadingCache()
	long := strings.Repeat("x", graph.MaxContent)
	n := 0
	for total := 0; total < 2*readingsBytes; n++ {
		m := ever(n, long[:1+n*131%len(long)], graph.L1)
		r.Read("acme", m)
		total += len(m.Content)
		if r.bytes > readingsBytes {
			t.Fatalf("%d bytes after %d texts", r.bytes, n)
		}
	}
	if r.Get("acme", ever(0, "", graph.L1).ID) != "" || r.Get("acme", ever(n-1, "", graph.L1).ID) == "" {
		t.Error("the oldest is kept, or the latest is not")
	}
	sum := 0
	for _, x := range r.kept.Values() {
		sum += readingBase + len(x)
	}
	if sum != r.bytes {
		t.Errorf("%d bytes are counted, %d are kept", r.bytes, sum)
	}
	if r.forget(); r.bytes != 0 || r.kept.Len() != 0 {
		t.Errorf("%d readings of %d bytes survive", r.kept.Len(), r.bytes)
	}
}

// Analyses from before an erasure are not cached after it, and turns are not cached while in
// L0.
func TestReadingCacheRefusesOldEpoch(t *testing.T) {
	r := newReadingCache()
	m, turn := ever(1, "The mill is shut.", graph.L1), ever(2, "The mill is open.", graph.L0)
	before := r.Epoch()
	r.forget()
	x := conflict.Analyse(StatementOf(m))
	r.Keep("acme", m, &x, before)
	r.Read("acme", turn)
	if r.Get("acme", m.ID) != "" || r.Get("acme", turn.ID) != "" {
		t.Error("an analysis is cached that must not be")
	}
	turn.History[0].Tier = graph.L1
	r.Read("acme", turn)
	if r.Get("acme", turn.ID) == "" {
		t.Fatal("what left L0 is not kept")
	}
	if x := r.Read("acme", turn); x.Text() != turn.Content {
		t.Errorf("%q is kept as %q", turn.Content, x.Text())
	}
}

// Two tenants may have other texts under one id, since anybody can edit an export.
func TestReadingsBelongToTheirTenant(t *testing.T) {
	r := newReadingCache()
	m, edited := ever(1, "The mill is shut.", graph.L1), ever(1, "The mill is open.", graph.L1)
	r.Read("acme", m)
	if x := r.Read("rival", edited); x.Text() != edited.Content {
		t.Errorf("the other tenant gets the analysis of %q", x.Text())
	}
	if x := r.Read("acme", m); x.Text() != m.Content || r.Get("third", m.ID) != "" {
		t.Errorf("the tenant gets the analysis of %q", x.Text())
	}
}
