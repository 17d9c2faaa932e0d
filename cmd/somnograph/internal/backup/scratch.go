package backup

import (
	"errors"
	"os"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// maxInMemory is the largest backup in bytes that is checked in memory.
const maxInMemory = 256 << 20

// OpenScratch opens an empty store for the check of a backup of a size in bytes: in memory, or, if that
// would take too much or dir is given, in a temporary directory in dir. The function removes what it left.
func OpenScratch(dir string, size int64) (graph.Store, func() error, error) {
	if size <= maxInMemory && dir == "" {
		s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
		return s, func() error { return nil }, err
	}
	temp, err := os.MkdirTemp(dir, "somnograph-verify-")
	if err != nil {
		return nil, nil, err
	}
	s, err := badgerstore.Open(temp, badgerstore.Options{})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(temp))
	}
	return s, func() error { return os.RemoveAll(temp) }, nil
}
