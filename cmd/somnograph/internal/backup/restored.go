package backup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

// ErasedBy tests memories against the ledger of erasures.
func ErasedBy(l *ledger.Ledger) func(graph.Scope, graph.ID) bool {
	var mu sync.Mutex
	known := map[graph.Tenant]map[graph.ID]bool{}
	return func(scope graph.Scope, id graph.ID) bool {
		mu.Lock()
		defer mu.Unlock()
		ids, ok := known[scope.Tenant]
		if !ok {
			ids = map[graph.ID]bool{}
			for _, id := range l.IDs(scope) {
				ids[id] = true
			}
			known[scope.Tenant] = ids
		}
		return ids[id]
	}
}

// WriteFiles writes the files of a backup into a data directory.
func WriteFiles(dir string, files map[string][]byte) error {
	for name, b := range files {
		if !isRestoredFile(name) {
			return fmt.Errorf("the backup has a file %q, which this program does not know", name)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func isRestoredFile(name string) bool {
	return slices.ContainsFunc(RestoredFiles, func(known string) bool { return strings.EqualFold(name, known) })
}
