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

func TestWatermarkSurvivesTornWrite(t *testing.T) {
	dir := t.TempDir()
	m, err := createWatermark(dir)
	must(t, err)
	for n := uint64(1); n <= 5; n++ {
		must(t, m.setCommit(n, [32]byte{byte(n)}))
		must(t, m.setUsageSynced(100*n))
	}
	must(t, m.setCommit(3, [32]byte{3})) // an older one changes nothing
	must(t, m.setUsageSynced(7))
	want := watermark{Commit: 5, Chain: [32]byte{5}, Usage: 500}
	path := filepath.Join(dir, watermarkName)
	whole, err := os.ReadFile(path)
	must(t, err)

	read := func(data []byte) (watermark, error) {
		t.Helper()
		must(t, os.WriteFile(path, data, 0o600))
		m, err := openWatermark(dir)
		if err != nil {
			return watermark{}, err
		}
		return m.current, m.file.Close()
	}
	if got, err := read(whole); err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	latest := int(m.sequence%2) * watermarkPage
	for i := range watermarkSize {
		torn := append([]byte(nil), whole...)
		torn[latest+i] ^= 0x10
		got, err := read(torn)
		if err != nil || got.Commit != 5 || got.Usage != 400 {
			t.Fatalf("byte %d of the latest slot torn: %+v, %v", i, got, err)
		}
		torn[watermarkPage-latest+i] ^= 0x10
		if _, err := read(torn); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("byte %d of both slots damaged: %v", i, err)
		}
	}
	if _, err := read(whole[:10]); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("cut short: %v", err)
	}
	must(t, os.Remove(path))
	if _, err := openWatermark(dir); !errors.Is(err, errNoWatermark) {
		t.Fatalf("gone: %v", err)
	}
	must(t, m.file.Close())
}

func TestCloseWritesBothWatermarkSlots(t *testing.T) {
	dir := t.TempDir()
	m, err := createWatermark(dir)
	must(t, err)
	must(t, m.setCommit(9, [32]byte{9}))
	must(t, m.close())
	path := filepath.Join(dir, watermarkName)
	whole, err := os.ReadFile(path)
	must(t, err)
	for _, slot := range []int{0, watermarkPage} {
		hurt := append([]byte(nil), whole...)
		hurt[slot+20] ^= 1
		must(t, os.WriteFile(path, hurt, 0o600))
		again, err := openWatermark(dir)
		must(t, err)
		if again.current.Commit != 9 {
			t.Errorf("with the slot at %d damaged the watermark is %+v", slot, again.current)
		}
		must(t, again.file.Close())
	}
}
