package badgerstore

import (
	"fmt"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// Tables are released repeatedly during reads and writes: no read may differ, and no other
// mapping may lose its pages.
func TestTablesAreReleasedDuringReads(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{MemTable: 4 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20})
	must(t, err)
	ids := putMemories(t, s, 400)
	must(t, s.Close()) // the data is in tables now
	s = openSmall(t, dir)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			err := s.View(t.Context(), scope, func(r graph.Reader) error {
				found, err := r.Memories(ids)
				for i, m := range found {
					if m == nil || m.ID != ids[i] {
						return fmt.Errorf("memory %d reads %v", i, m)
					}
				}
				return err
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	most := 0
	for range 40 {
		tables, err := s.releaseTables(badgerDir(dir))
		must(t, err)
		most = max(most, tables)
		putMemories(t, s, 50)
	}
	close(stop)
	wg.Wait()
	if most == 0 {
		t.Error("no table was released: the test proves nothing")
	}
}

func TestTableMapping(t *testing.T) {
	for line, want := range map[string]string{
		"7f00-7f10 rw-s 00000000 fe:00 12  /d/000012.sst":           "7f00 7f10 12 true",
		"7f00-7f10 rw-s 00000000 fe:00 12  /d/000012.sst (deleted)": "0 0 0 false",
		"7f00-7f10 rw-s 00000000 fe:00 12  /d/x.sst":                "0 0 0 false",
		"7f00-7f10 rw-s 00000000 fe:00 12  /d/00001.mem":            "0 0 0 false",
		"7f00-7f10 rw-s 00000000 fe:00 12  /e/000012.sst":           "0 0 0 false",
		"c000000000-c004000000 rw-p 00000000 00:00 0 ":              "0 0 0 false",
	} {
		from, to, id, isTable := tableMapping(line, "/d")
		if got := fmt.Sprintf("%x %x %d %v", from, to, id, isTable); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

func TestMappedResident(t *testing.T) {
	if n := mappedResident(); n <= 0 {
		t.Errorf("mappedResident = %d", n)
	}
}
