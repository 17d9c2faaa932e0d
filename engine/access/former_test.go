package access_test

import (
	"bytes"
	"testing"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// A key of a former pepper is accepted while that is kept, and afterwards if it was used meanwhile.
func TestAUsedKeyOutlivesItsPepper(t *testing.T) {
	k := newKeys(t)
	_, used := k.mustCreate(t, input())
	_, unused := k.mustCreate(t, input())
	gone, revoked := k.mustCreate(t, input())
	if _, err := k.Revoke(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	former, pepper := bytes.Repeat([]byte{7}, access.MinPepper), bytes.Repeat([]byte{8}, access.MinPepper)
	both := k.under(t, pepper)
	if err := both.AcceptFormer(former); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if key, err := both.Check(t.Context(), used); err != nil || key.Owner != "ana" {
			t.Fatalf("a key of the former pepper: %+v, %v", key, err)
		}
	}
	if _, err := both.Check(t.Context(), revoked); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("a revoked key of the former pepper: %v", err)
	}
	alone := k.under(t, pepper)
	if _, err := alone.Check(t.Context(), used); err != nil {
		t.Errorf("a key that was used, without the former pepper: %v", err)
	}
	for name, keys := range map[string]*access.Keys{"the former pepper": k.Keys, "a third pepper": k.under(t, bytes.Repeat([]byte{9}, access.MinPepper))} {
		if _, err := keys.Check(t.Context(), used); graph.CodeOf(err) != graph.CodeUnauthenticated {
			t.Errorf("a key that was used, under %s: %v", name, err)
		}
	}
	if _, err := alone.Check(t.Context(), unused); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("a key that was not used, without the former pepper: %v", err)
	}
	if err := both.AcceptFormer(former[1:]); err == nil {
		t.Error("a short pepper is accepted")
	}
}
