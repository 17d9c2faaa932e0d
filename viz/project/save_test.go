package project

import (
	"bytes"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func kept(t *testing.T, a *Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := a.Save(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRestartShowsTheSameMap(t *testing.T) {
	for _, n := range []int{150, 500} {
		all := world(n+10, 24, 5)
		a := Layout{sampleLimit: few}
		places(t, &a, all[:n])
		redraw(t, &a, all[:n])
		want := places(t, &a, all[:n])
		b := kept(t, &a)
		again := Layout{sampleLimit: few}
		if err := again.Load(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b, kept(t, &again)) {
			t.Error("saving again gives other bytes")
		}
		got := places(t, &again, all)
		if !slices.Equal(want, got[:n]) {
			t.Errorf("%d memories: a restart moved some", n)
		}
		if far := astray(got, 5); far > n/25 {
			t.Errorf("%d memories: %d are next to another topic", n, far)
		}
		if !again.NeedsRedraw(all) {
			t.Error("the map to place others on is not due")
		}
		if redraw(t, &again, all); !slices.Equal(got, places(t, &again, all)) {
			t.Errorf("%d memories: making the map again moved some", n)
		}
	}
}

// If most memories are new since the map was saved, it only provides start positions.
func TestOutgrownSavedMap(t *testing.T) {
	all := world(400, 24, 4)
	var a, again Layout
	places(t, &a, all[:60])
	if err := again.Load(kept(t, &a)); err != nil {
		t.Fatal(err)
	}
	if got := astray(places(t, &again, all), 4); got > 8 {
		t.Errorf("%d of 400 are next to another topic", got)
	}
}

func TestDamagedSavedMaps(t *testing.T) {
	var a Layout
	places(t, &a, world(20, 8, 2))
	b := kept(t, &a)
	for i := range b {
		bad := slices.Clone(b)
		bad[i] ^= 0x10
		if err := new(Layout).Load(bad); err == nil {
			t.Errorf("byte %d was changed, and nobody noticed", i)
		}
		if err := new(Layout).Load(b[:i]); err == nil {
			t.Errorf("%d of %d bytes were accepted", i, len(b))
		}
	}
	if err := a.Load(b); err == nil {
		t.Error("a layout in use loaded another map")
	}
}

// Positions of erased memories are left out of a saved map, and removed from one that was written.
func TestSavedMapWithoutSomeMemories(t *testing.T) {
	all := world(150, 24, 5)
	var a Layout
	places(t, &a, all)
	gone := map[graph.ID]bool{all[3].ID: true, all[77].ID: true}
	raw, err := all[3].ID.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	b := kept(t, &a)
	if !bytes.Contains(b, raw[:]) {
		t.Fatal("the map has no position to remove")
	}
	left, changed, err := Without(b, gone)
	if err != nil || !changed || len(left) != len(b)-2*savedEntry || bytes.Contains(left, raw[:]) {
		t.Fatalf("%d bytes of %d are left, %v, %v", len(left), len(b), changed, err)
	}
	var saved bytes.Buffer
	if err := a.Save(&saved, gone); err != nil || !bytes.Equal(saved.Bytes(), left) {
		t.Errorf("saving without them gives other bytes, %v", err)
	}
	var again Layout
	if err := again.Load(left); err != nil || len(again.positions) != 148 {
		t.Errorf("%d positions, %v", len(again.positions), err)
	}
	if _, changed, err := Without(left, gone); err != nil || changed {
		t.Errorf("a second time: %v, %v", changed, err)
	}
	b[40]++
	if _, _, err := Without(b, gone); err == nil {
		t.Error("damaged bytes are no error")
	}
}
