package keyring

import (
	"errors"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestNumberedTextsOpenWithTheirKeyAlone(t *testing.T) {
	k, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := k.Ring("acme")
	if err != nil {
		t.Fatal(err)
	}
	sealed, first, err := r.SealNumbered([]byte("what was said"), []byte("row 1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := NumberOf(sealed); !ok || n != first || first == 0 {
		t.Errorf("number %d, %v, sealed with %d", n, ok, first)
	}
	if text, err := r.OpenNumbered(sealed, []byte("row 1")); err != nil || string(text) != "what was said" {
		t.Errorf("opened %q, %v", text, err)
	}
	if _, again, err := r.SealNumbered([]byte("and then"), []byte("row 1"), first); err != nil || again != first {
		t.Errorf("the next version has key %d, %v", again, err)
	}
	if _, err := r.OpenNumbered(sealed, []byte("row 2")); !errors.Is(err, ErrUnopened) || !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("opened as another row: %v", err)
	}
	if _, err := r.OpenNumbered(sealed[:5], nil); !errors.Is(err, ErrUnopened) {
		t.Errorf("opened without a number: %v", err)
	}
	if err := r.Destroy([]uint64{first}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.OpenNumbered(sealed, []byte("row 1")); !errors.Is(err, ErrDestroyed) {
		t.Errorf("opened under a destroyed key: %v", err)
	}
	if _, next, err := r.SealNumbered([]byte("and then"), []byte("row 1"), first); err != nil || next == first {
		t.Errorf("after a destroyed key %d comes %d, %v", first, next, err)
	}
}

func TestAMarkTellsAnOlderRing(t *testing.T) {
	k, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := k.Ring("acme")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check("acme", Mark{}); err != nil {
		t.Errorf("nothing was sealed yet: %v", err)
	}
	if err := r.Check("acme", Mark{Highest: 1}); !errors.Is(err, ErrWrong) {
		t.Errorf("without any key: %v", err)
	}
	one, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	known := Mark{Generation: r.Generation(), Highest: one.Number}
	if err := r.Check("acme", known); err != nil {
		t.Errorf("the ring of the data: %v", err)
	}
	for _, more := range []Mark{{Generation: known.Generation + 1}, {Highest: 2 * SegmentKeys}} {
		if err := r.Check("acme", known.Join(more)); !errors.Is(err, ErrWrong) {
			t.Errorf("the data knows %+v: %v", more, err)
		}
	}
}
