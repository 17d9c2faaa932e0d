package badgerstore

import (
	"errors"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// writeRing writes n commits as a store does and returns their links.
func writeRing(t testing.TB, n uint64) (*badger.DB, []commitLink) {
	t.Helper()
	db, err := badger.Open(badger.DefaultOptions("").WithInMemory(true).WithLogger(nil))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	b := db.NewWriteBatch()
	links := make([]commitLink, 1, n+1)
	for range n {
		l := links[len(links)-1].nextLink(uint64(len(links))*3, [32]byte{byte(len(links))})
		links = append(links, l)
		must(t, b.Set(l.key(), seal(l.key(), formWhole, l.encode())))
	}
	must(t, b.Flush())
	return db, links
}

func put(t testing.TB, db *badger.DB, k key, v []byte) {
	t.Helper()
	must(t, db.Update(func(txn *badger.Txn) error {
		if v == nil {
			return txn.Delete(k)
		}
		return txn.Set(k, v)
	}))
}

func TestChain(t *testing.T) {
	db, links := writeRing(t, 20)
	at := func(n int) *watermark { return &watermark{Commit: links[n].Commit, Chain: links[n].Chain} }
	for _, n := range []int{0, 1, 19, 20} { // after a power cut the watermark may be older
		last, err := checkChain(db, at(n))
		if err != nil || last != links[20] {
			t.Fatalf("watermark at %d: %+v, %v", n, last, err)
		}
	}
	fails := func(what string, m *watermark) {
		t.Helper()
		if _, err := checkChain(db, m); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%s: %v", what, err)
		}
	}
	ahead := at(20)
	ahead.Commit++
	fails("the mark knows of more", ahead)
	other := at(12)
	other.Chain[5] ^= 1
	fails("the mark is of another history", other)

	l := links[8]
	put(t, db, l.key(), nil)
	fails("a commit is missing in the middle", at(20))
	l.Cursor++
	put(t, db, l.key(), seal(l.key(), formWhole, l.encode()))
	fails("a commit is altered", at(20))
	v := seal(l.key(), formWhole, links[8].encode())
	v[20] ^= 1
	put(t, db, l.key(), v)
	fails("a commit's row is damaged", at(20))
	put(t, db, links[8].key(), seal(links[8].key(), formWhole, links[8].encode()))
	put(t, db, links[20].key(), nil)
	fails("the end is missing", at(20))
	if last, err := checkChain(db, at(19)); err != nil || last != links[19] {
		t.Errorf("an end that was never acknowledged: %+v, %v", last, err)
	}
	put(t, db, links[3].key(), seal(links[3].key(), formWhole, links[4].encode()))
	fails("a commit in another one's place", at(19))
}

func TestChainWrapsAroundTheRing(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	const n = commitRingSize + 1000
	db, links := writeRing(t, n)
	end := &watermark{Commit: n, Chain: links[n].Chain}
	if last, err := checkChain(db, end); err != nil || last != links[n] {
		t.Fatalf("%+v, %v", last, err)
	}
	old := &watermark{Commit: 5, Chain: links[5].Chain} // its row has been overwritten
	if _, err := checkChain(db, old); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []uint64{n - commitRingSize + 1, n - 5000, n - 1} {
		put(t, db, links[gone].key(), nil)
		_, err := checkChain(db, end)
		if !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "missing") {
			t.Errorf("without commit %d: %v", gone, err)
		}
		put(t, db, links[gone].key(), seal(links[gone].key(), formWhole, links[gone].encode()))
	}
}
