package scene

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// hasPosition reports whether the saved map has a memory.
func hasPosition(t *testing.T, dir string, id graph.ID) bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "default.map"))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := id.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(b, raw[:])
}

// An erasure removes positions from the file, also while a map is being drawn that still has them.
func TestAnErasureRemovesSavedPositions(t *testing.T) {
	c, dir, scope := newCrowd(300), filepath.Join(t.TempDir(), "map"), engine.Loopback().Scope()
	saved := NewSaved(dir)
	if err := saved.Erase(t.Context(), scope, []graph.ID{"019c74e9-bbe8-7000-9fb8-d82978daf007"}); err != nil {
		t.Fatalf("without a map: %v", err)
	}
	s := New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), Saved: saved, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	positions(t, s)
	settled(s)
	found, err := c.SceneAfter(t.Context(), engine.Loopback(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.redraw(points(found))
	gone, kept := found.Nodes[7].ID, found.Nodes[8].ID
	if !hasPosition(t, dir, gone) {
		t.Fatal("the map was not saved")
	}
	if err := saved.Erase(t.Context(), scope, []graph.ID{gone}); err != nil {
		t.Fatal(err)
	}
	if hasPosition(t, dir, gone) || !hasPosition(t, dir, kept) {
		t.Error("the position is there, or another is missing")
	}
	// This drawing began before the erasure.
	s.redraw(points(found))
	if hasPosition(t, dir, gone) || !hasPosition(t, dir, kept) {
		t.Error("a drawing that was under way brought the position back")
	}
	s.Close()
	s.Close()
	if saved.maps[scope.Tenant] != 0 {
		t.Errorf("%d maps are counted", saved.maps[scope.Tenant])
	}
	name := filepath.Join(dir, "default.map")
	for _, left := range []string{name, name + ".new"} {
		if err := os.WriteFile(left, []byte("no map"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := saved.Erase(t.Context(), scope, []graph.ID{kept}); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{name, name + ".new"} {
		if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a file that may have the position is left: %v", filepath.Base(left), err)
		}
	}
}
