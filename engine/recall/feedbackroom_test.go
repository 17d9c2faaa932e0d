package recall_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// The marks of one user have room of their own: another one who marks very much does not end them.
func TestTheFeedbackOfOneUserDoesNotEndThatOfAnother(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	bound := func(user string) engine.Caller {
		return engine.Caller{Tenant: w.Caller.Tenant, Name: user, User: user, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}}
	}
	ana, bo := bound("ana"), bound("bo")
	give := func(c engine.Caller, question string) {
		t.Helper()
		if _, err := w.Feedback(t.Context(), c, engine.FeedbackInput{Query: question, ID: best}); err != nil {
			t.Fatal(err)
		}
	}
	first := func() bool {
		t.Helper()
		r, err := w.Engine.Search(t.Context(), ana, engine.SearchInput{Query: ferry, TopK: 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Hits) > 0 && r.Hits[0].Memory.ID == best
	}
	if !first() {
		t.Fatal("the memory is not the first hit")
	}
	give(ana, ferry)
	if first() {
		t.Fatal("the mark has no effect")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 4200 {
		give(bo, fmt.Sprintf("%x %x %x %x", random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()))
	}
	if first() {
		t.Error("the mark of ana is gone")
	}
}
