package access_test

import (
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// revocations keeps a record in memory. err is what Revoke returns; nil: it records.
type revocations struct {
	at  map[string]time.Time
	err error
}

func (r *revocations) Revoke(id string, at time.Time) error {
	if _, known := r.at[id]; !known && r.err == nil {
		r.at[id] = at
	}
	return r.err
}

func (r *revocations) Revoked() map[string]time.Time { return r.at }

// A key is revoked after a restart if either the store or the record says so.
func TestStoreAndRecordOfRevocationsAreBroughtTogether(t *testing.T) {
	k := newKeys(t)
	inStore, one := k.mustCreate(t, input())
	inRecord, two := k.mustCreate(t, input())
	_, three := k.mustCreate(t, input())
	if _, err := k.Revoke(t.Context(), inStore.ID); err != nil { // without a record, as earlier versions did
		t.Fatal(err)
	}
	at := k.now.Add(-time.Hour)
	r := &revocations{at: map[string]time.Time{inRecord.ID: at, "not an id": at, access.PublicID("01890000-0000-7000-8000-000000000000"): at}}
	for _, want := range []int{1, 0} {
		if again, err := k.Record(t.Context(), r); again != want || err != nil {
			t.Errorf("%d keys are revoked again, want %d: %v", again, want, err)
		}
	}
	for text, valid := range map[string]bool{one: false, two: false, three: true} {
		if _, err := k.Check(t.Context(), text); (err == nil) != valid {
			t.Errorf("valid %v: %v", valid, err)
		}
	}
	if got, err := k.Get(t.Context(), inRecord.ID); err != nil || !got.RevokedAt.Equal(at) {
		t.Errorf("revoked at %v, %v", got, err)
	}
	if _, known := r.at[inStore.ID]; !known {
		t.Error("the revocation of the store is not recorded")
	}
}

// Revoke records, and says if it can't; the key is revoked all the same.
func TestARevocationIsRecorded(t *testing.T) {
	k := newKeys(t)
	key, text := k.mustCreate(t, input())
	r := &revocations{at: map[string]time.Time{}, err: graph.ErrUnavailable}
	k.mustRecord(t, &revocations{at: map[string]time.Time{}})
	k.mustRecord(t, r)
	if _, err := k.Revoke(t.Context(), key.ID); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("error is %v", err)
	}
	if _, err := k.Check(t.Context(), text); err == nil {
		t.Error("the key is accepted")
	}
	r.err = nil
	if _, err := k.Revoke(t.Context(), key.ID); err != nil || !r.at[key.ID].Equal(k.now) {
		t.Errorf("%v, recorded %v", err, r.at)
	}
}

func (k *keys) mustRecord(t *testing.T, r access.Revocations) {
	t.Helper()
	if _, err := k.Record(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}
