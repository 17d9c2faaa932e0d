package graph_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestAGenerationIsRemovedWithAllBeforeIt(t *testing.T) {
	began := time.Date(2026, 11, 26, 3, 0, 0, 0, time.UTC)
	s := graph.BackupState{}.Begin(1, began).Begin(2, began).Begin(3, began)
	if s.Begun != 3 || s.Oldest != 1 {
		t.Fatalf("%+v", s)
	}
	if _, removed := s.Removed(1); removed {
		t.Error("generation 1 counts as removed before anything was")
	}
	same := s.Remove(1, began)
	if len(same.Removals) != 0 {
		t.Errorf("a removal of nothing is kept: %+v", same)
	}
	two := s.Remove(2, began)
	four := two.Begin(4, began).Remove(4, began.Add(time.Hour))
	for generation, want := range map[int]time.Time{1: began, 2: began.Add(time.Hour), 3: began.Add(time.Hour)} {
		if at, removed := four.Removed(generation); !removed || !at.Equal(want) {
			t.Errorf("generation %d: %v %v, want %v", generation, at, removed, want)
		}
	}
	if _, removed := four.Removed(4); removed {
		t.Error("the generation that is kept counts as removed")
	}
	if len(two.Removals) != 1 || two.Oldest != 2 {
		t.Errorf("a later state changed an earlier one: %+v", two)
	}
	many := four
	for g := 5; g < 200; g++ {
		many = many.Begin(g, began).Remove(g, began.Add(time.Duration(g)*time.Hour))
	}
	if len(many.Removals) != 64 {
		t.Errorf("%d removals are kept", len(many.Removals))
	}
	if at, removed := many.Removed(3); !removed || at.Before(began.Add(time.Hour)) {
		t.Errorf("generation 3 after many removals: %v, %v", at, removed)
	}
	if s.Exists(began.Add(25*time.Hour)) || !s.Exists(began.Add(time.Hour)) {
		t.Error("a backup without a manifest counts for a day")
	}
	if s.Complete = true; !s.Exists(began.AddDate(1, 0, 0)) {
		t.Error("a backup does not count after a year")
	}
	if !graph.NamedInJournal("backups") {
		t.Error("a backup lacks the record of backups")
	}
}
