package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	"github.com/somnograph/somnograph/graph"
)

// checkTables reads every table in Badger's manifest and compares all of its checksums.
// Badger checks them too, but first parses the end and the last block of a table in
// goroutines of its own: damage there kills the process. It returns the damaged rows of
// tables that are otherwise whole.
func checkTables(dir string) ([]damagedRow, error) {
	manifest, _, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		// Badger would begin a new database, and remove the tables of this one.
		names, err := unnamedTables(dir, badger.Manifest{})
		if err == nil && len(names) > 0 {
			err = fmt.Errorf("%w: %s is missing, although there are %d tables; nothing was changed", graph.ErrIntegrity, filepath.Join(dir, badger.ManifestFilename), len(names))
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	var damaged []damagedRow
	for id := range manifest.Tables {
		g.Go(func() error {
			path := table.NewFilename(id, dir)
			data, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w: table %s is missing", graph.ErrIntegrity, filepath.Base(path))
			}
			if err != nil {
				return fmt.Errorf("badgerstore: read table: %w", err)
			}
			rows, err := checkTable(data)
			if err != nil {
				return fmt.Errorf("%w: table %s: %w", graph.ErrIntegrity, filepath.Base(path), err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, r := range rows {
				r.table = filepath.Base(path)
				damaged = append(damaged, r)
			}
			return nil
		})
	}
	return damaged, g.Wait()
}

// checkTable compares the checksums of a table:
//
//	blocks ∥ index ∥ length of the index (4) ∥ its checksum ∥ length of that (4)
//
// A block also ends with its checksum and the length of that. In a damaged block it looks for the rows
// that are damaged.
func checkTable(data []byte) (damaged []damagedRow, err error) {
	defer func() { // a damaged index may point anywhere
		if p := recover(); p != nil {
			err = fmt.Errorf("not a table: %v", p)
		}
	}()
	rest, sum, err := cutChecksum(data)
	if err != nil {
		return nil, err
	}
	if len(rest) < 4 {
		return nil, errors.New("too short")
	}
	n := int(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	rest = rest[:len(rest)-4]
	if n > len(rest) {
		return nil, errors.New("no index")
	}
	blocks, raw := rest[:len(rest)-n], rest[len(rest)-n:]
	if err := y.VerifyChecksum(raw, sum); err != nil {
		return nil, err
	}
	index := fb.GetRootAsTableIndex(raw, 0)
	var at, next fb.BlockOffset
	for i := range index.OffsetsLength() {
		if !index.Offsets(&at, i) {
			return nil, errors.New("a block is missing")
		}
		block, sum, err := cutChecksum(blocks[at.Offset() : at.Offset()+at.Len()])
		if err != nil {
			return nil, err
		}
		err = y.VerifyChecksum(block, sum)
		if err == nil {
			continue
		}
		var end []byte // the next block begins with it
		if i+1 < index.OffsetsLength() && index.Offsets(&next, i+1) {
			end = next.KeyBytes()
		}
		rows, known := damagedRows(block, at.KeyBytes(), end)
		if !known {
			return nil, err
		}
		damaged = append(damaged, rows...)
	}
	return damaged, nil
}

// cutChecksum removes the checksum at the end of data.
func cutChecksum(data []byte) (rest []byte, sum *pb.Checksum, err error) {
	if len(data) < 4 {
		return nil, nil, errors.New("too short")
	}
	n := int(binary.BigEndian.Uint32(data[len(data)-4:]))
	rest = data[:len(data)-4]
	if n > len(rest) {
		return nil, nil, errors.New("no checksum")
	}
	sum = &pb.Checksum{}
	if err := proto.Unmarshal(rest[len(rest)-n:], sum); err != nil {
		return nil, nil, err
	}
	return rest[:len(rest)-n], sum, nil
}
