package workspace

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// A relation from the cache equals the one that is read, and nothing remains after a forget.
func TestRelationsAreCachedUntilAForget(t *testing.T) {
	x := newSaidCache()
	a, b := ever(1, "The standup is at 9:30.", graph.L1), ever(2, "The standup is at 10:15 now.", graph.L1)
	want := reader.Prepare(StatementBy(a)).Relate(reader.Prepare(StatementBy(b)))
	for range 2 {
		if got := x.Relate("acme", a, b); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if back := x.Relate("acme", b, a); back == want || x.related.Len() != 2 {
		t.Errorf("the reverse is %+v, %d are kept", back, x.related.Len())
	}
	if x.forget(); x.related.Len() != 0 || x.kept.Len() != 0 {
		t.Errorf("%d relations, %d statements remain", x.related.Len(), x.kept.Len())
	}
}

func TestRelationsAreBounded(t *testing.T) {
	x := newSaidCache()
	a := ever(0, "The standup is at 9:30.", graph.L1)
	for i := range relatedKept + 10 {
		x.Relate("acme", a, ever(i+1, fmt.Sprintf("Crate %d is red.", i), graph.L1))
	}
	if x.related.Len() != relatedKept {
		t.Errorf("%d are kept", x.related.Len())
	}
}

// Two tenants may have other texts under one id, since anybody can edit an export.
func TestStatementsBelongToTheirTenant(t *testing.T) {
	x := newSaidCache()
	a, b := ever(1, "The standup is at 9:30.", graph.L1), ever(2, "The standup is at 10:15 now.", graph.L1)
	edited := ever(2, "The winch sticks in wet weather.", graph.L1)
	want := reader.Prepare(StatementBy(a)).Relate(reader.Prepare(StatementBy(edited)))
	if got := x.Relate("acme", a, b); got == want {
		t.Fatal("the texts have one relation")
	}
	if got := x.Relate("rival", a, edited); got != want {
		t.Errorf("the other tenant gets %+v, want %+v", got, want)
	}
	if x.Get("rival", b.ID) == x.Get("acme", b.ID) || x.Get("third", b.ID) != nil {
		t.Error("a statement is that of another tenant")
	}
}
