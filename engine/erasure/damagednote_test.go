package erasure_test

import (
	"context"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// hurtStore has a damaged note of feedback while hurt is true.
type hurtStore struct {
	graph.Store
	hurt *bool
}

func (s hurtStore) View(ctx context.Context, sc graph.Scope, fn func(graph.Reader) error) error {
	return s.Store.View(ctx, sc, func(r graph.Reader) error { return fn(hurtReader{r, s.hurt}) })
}

type hurtReader struct {
	graph.Reader
	hurt *bool
}

func (r hurtReader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	const damaged graph.ID = "018f0000-0000-7000-8000-000000000001"
	if *r.hurt && kind == graph.NoteFeedback && after < damaged {
		return nil, &graph.DamagedNoteError{Kind: kind, ID: damaged, Err: graph.ErrIntegrity}
	}
	return r.Reader.Notes(kind, after, descending, limit)
}

// restored is a ledger that knows an owner of whom the store does not know yet.
type restored struct {
	erasures
	known bool
}

func (o *restored) OwnersState(graph.Scope) (setting, state string) {
	if !o.known {
		return "", ""
	}
	return "erasure.owners.test", "state"
}

func (*restored) ErasedOwners(graph.Scope) func(string, string, time.Time) bool {
	return func(string, string, time.Time) bool { return false }
}

// A note that is damaged does not keep a server from starting after a restore.
func TestADamagedNoteDoesNotStopTheStart(t *testing.T) {
	hurt := false
	s, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	e := &restored{}
	w := enginetest.With(t, enginetest.Options{Store: hurtStore{s, &hurt}, Erasures: e})
	w.Remember("The boat is green.")
	e.known, hurt = true, true
	if err := w.Restart(); err != nil {
		t.Errorf("the start fails: %v", err)
		hurt = false
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
	}
}
