package badgerstore_test

import (
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph/badgerstore"
)

// small is the options of test stores: little memory, no free space required, quick folds.
var small = badgerstore.Options{MemTable: 4 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20, FoldEvery: 20 * time.Millisecond}

type lock struct{ sync.Mutex }

func (l *lock) do(fn func()) {
	l.Lock()
	defer l.Unlock()
	fn()
}
