package badgerstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestMarkSurvivesATornWrite(t *testing.T) {
	dir := t.TempDir()
	m, err := createMark(dir)
	must(t, err)
	for n := uint64(1); n <= 5; n++ {
		must(t, m.commit(n, [32]byte{byte(n)}))
		must(t, m.synced(100*n))
	}
	must(t, m.commit(3, [32]byte{3})) // an older one changes nothing
	must(t, m.synced(7))
	want := mark{Commit: 5, Chain: [32]byte{5}, Usage: 500}
	path := filepath.Join(dir, markName)
	whole, err := os.ReadFile(path)
	must(t, err)

	read := func(data []byte) (mark, error) {
		t.Helper()
		must(t, os.WriteFile(path, data, 0o600))
		m, err := openMark(dir)
		if err != nil {
			return mark{}, err
		}
		return m.last, m.file.Close()
	}
	if got, err := read(whole); err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	latest := int(m.turn%2) * markPage
	for i := range markSize {
		torn := append([]byte(nil), whole...)
		torn[latest+i] ^= 0x10
		got, err := read(torn)
		if err != nil || got.Commit != 5 || got.Usage != 400 {
			t.Fatalf("byte %d of the latest slot torn: %+v, %v", i, got, err)
		}
		torn[markPage-latest+i] ^= 0x10
		if _, err := read(torn); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("byte %d of both slots damaged: %v", i, err)
		}
	}
	if _, err := read(whole[:10]); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("cut short: %v", err)
	}
	must(t, os.Remove(path))
	if _, err := openMark(dir); !errors.Is(err, errNoMark) {
		t.Fatalf("gone: %v", err)
	}
	must(t, m.file.Close())
}

func TestMarkSettlesBothSlots(t *testing.T) {
	dir := t.TempDir()
	m, err := createMark(dir)
	must(t, err)
	must(t, m.commit(9, [32]byte{9}))
	must(t, m.close())
	path := filepath.Join(dir, markName)
	whole, err := os.ReadFile(path)
	must(t, err)
	for _, slot := range []int{0, markPage} {
		hurt := append([]byte(nil), whole...)
		hurt[slot+20] ^= 1
		must(t, os.WriteFile(path, hurt, 0o600))
		again, err := openMark(dir)
		must(t, err)
		if again.last.Commit != 9 {
			t.Errorf("with the slot at %d damaged the mark is %+v", slot, again.last)
		}
		must(t, again.file.Close())
	}
}
