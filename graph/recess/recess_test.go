package recess

import (
	"errors"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestEngramIsReadFromJournalAndFile(t *testing.T) {
	o := Options{Dir: t.TempDir(), Rand: chacha(1)}
	r := open(t, o)
	list := newMaker(1).engrams(300, 5)
	list = append(list, newMaker(2).engrams(20, 0)...)
	for i := 0; i < len(list); i += 40 {
		must(t, r.Append(ctx, kiwi, list[i:i+40]...))
	}
	check := func(r *Recess) {
		t.Helper()
		for _, e := range list {
			same(t, r, kiwi, e)
		}
	}
	check(r)
	closeNow(t, r)
	r = open(t, o)
	check(r)
	s, err := r.Seal(ctx, kiwi)
	must(t, err)
	if s.Engrams != len(list) || s.Lost != 0 || s.Files != 1 {
		t.Fatalf("sealed %+v", s)
	}
	check(r)
	must(t, r.Append(ctx, kiwi, list...)) // again: the same engrams
	if s, err = r.Seal(ctx, kiwi); err != nil || s.Engrams != 0 {
		t.Fatalf("sealed %+v, %v", s, err)
	}
	closeNow(t, r)
	r = open(t, o)
	check(r)
	_, err = r.Read(ctx, graph.Scope{Tenant: "other"}, list[0].Memory.ID)
	if !errors.Is(err, graph.ErrNotFound) {
		t.Fatalf("another tenant: %v", err)
	}
	must(t, r.Withdraw(ctx, kiwi, list[0].Memory.ID))
	_, err = r.Read(ctx, kiwi, list[0].Memory.ID)
	if !errors.Is(err, graph.ErrNotFound) {
		t.Fatalf("withdrawn: %v", err)
	}
	must(t, r.Append(ctx, kiwi, list[0]))
	check(r)
	e, err := r.Erase(ctx, kiwi, list[0].Memory.ID, list[310].Memory.ID)
	must(t, err)
	t.Logf("%+v", e)
	list = append(list[1:310:310], list[311:]...)
	check(r)
	closeNow(t, r)
	r = open(t, o)
	check(r)
}
