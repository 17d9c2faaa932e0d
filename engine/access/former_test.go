package access_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
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

// A key of an earlier version, without the mark of its pepper, gets one when it is used.
func TestAUsedKeyKnowsItsPepper(t *testing.T) {
	k := newKeys(t)
	pepper, other := bytes.Repeat([]byte{7}, access.MinPepper), bytes.Repeat([]byte{8}, access.MinPepper)
	key, text := k.mustCreate(t, input())
	want := func(when string, pepper []byte, want access.PepperCheck) {
		t.Helper()
		err := k.store.View(t.Context(), graph.ServerScope(), func(r graph.Reader) error {
			got, err := access.CheckPepper(r, pepper, nil, key.CreatedAt)
			if got != want {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want("a new key", pepper, access.PepperCheck{Present: 1})
	want("a new key under another pepper", other, access.PepperCheck{Other: 1})
	_, err := k.store.Update(t.Context(), graph.ServerScope(), func(tx graph.Tx) error {
		for n, err := range graph.AllNotes(tx, graph.NoteAPIKey, "", false) {
			if err != nil {
				return err
			}
			var row map[string]any
			if err := json.Unmarshal(n.Data, &row); err != nil {
				return err
			}
			if raw, _ := row["pepper"].(string); raw == "" || bytes.Contains(n.Data, []byte(base64.StdEncoding.EncodeToString(pepper)[:20])) {
				t.Errorf("the note has no mark, or the pepper: %s", n.Data)
			}
			delete(row, "pepper")
			if n.Data, err = json.Marshal(row); err != nil {
				return err
			}
			if err := tx.PutNote(*n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want("of an earlier version", pepper, access.PepperCheck{Unknown: 1})
	if _, err := k.Check(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	want("after a use", pepper, access.PepperCheck{Present: 1})
}
