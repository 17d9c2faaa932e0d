package claimkey

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestPredicatesWithManyValuesShareASlot(t *testing.T) {
	if Slot("ana", "likes") != Slot("ana", "hates") {
		t.Error("likes and hates are in different slots")
	}
}

func TestASubjectIsFoundByItsName(t *testing.T) {
	for subject, want := range map[string][]string{
		"Project Atlas":     {"project atlas", "atlas"},
		"Atlas":             {"atlas"},
		"Atlas Project":     {"atlas project"},
		"ana's brother Jon": {"ana brother jon", "jon"},
	} {
		if got := Names(&graph.Memory{}, subject); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", subject, got, want)
		}
	}
}

func TestClaimKeysCoverAllStates(t *testing.T) {
	c := graph.Claim{N: 1, History: []graph.ClaimState{{From: time.Unix(1, 0), Subject: "Ana", Predicate: "residence", Object: "Oslo"}}}
	c.SetState(time.Unix(2, 0), func(s *graph.ClaimState) { s.Subject, s.Predicate = "My friend Bo", "lives_in" })
	keys := map[uint64]bool{}
	for _, k := range (Keys{}).Of(&graph.Memory{Claims: []graph.Claim{c}}) {
		keys[k] = true
	}
	for _, k := range []uint64{Subject("ana"), Slot("ANA", "lives in"), Subject("Bo"), Slot("bo", "residence"), Subject("my friend bo")} {
		if !keys[k] {
			t.Errorf("a key is missing")
		}
	}
	if keys[Subject("oslo")] || keys[Slot("ana", "name")] || len(keys) != 6 {
		t.Errorf("%d keys", len(keys))
	}
}
