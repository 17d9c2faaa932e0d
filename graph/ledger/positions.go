package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// positionsName is the file in the directory of a ledger that tells how far its records had come. The store knows that too: this copy
// finds records that were put back together with an older store.
const positionsName = "positions.json"

// Position is how far a record of a ledger had come. A record only grows, so a later one begins with
// the same bytes.
type Position struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of these bytes, hexadecimal
}

// readPositions reads the positions in the directory of a ledger; nil: there are none.
func readPositions(dir string) (p map[string]Position, err error) {
	path := filepath.Join(dir, positionsName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && strictjson.DecodeExact(b, &p) != nil {
		err = mismatch(noPositions(), "%s is damaged", path)
	}
	return p, err
}

// noPositions is what to do about positions that can't be read.
func noPositions() string {
	return graph.AcceptKeys("writes another from the records as they are", "does not notice if these are older than the data")
}

// checkRecords refuses records in the directory of a ledger that are older than the store, or than their positions. k is what the store
// knows; nil: nothing.
func checkRecords(dir string, k *kept) error {
	known, err := readPositions(dir)
	if err != nil {
		return err
	}
	if k != nil {
		if err := checkPositions(dir, k.Ledger, "the data"); err != nil {
			return err
		}
		if k.Positions && known == nil {
			return mismatch(noPositions(), "%s is missing", filepath.Join(dir, positionsName))
		}
	}
	return checkPositions(dir, known, positionsName)
}

// writePositions writes the positions durably into the directory of a ledger.
func writePositions(dir string, p map[string]Position) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, positionsName), string(b)+"\n")
}

// checkPositions refuses records in the directory of a ledger that are older than positions say. whose names what has the positions,
// for the error.
func checkPositions(dir string, p map[string]Position, whose string) error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		path := filepath.Join(dir, filepath.Base(name))
		held, err := holds(path, p[name])
		if err != nil {
			return err
		}
		if !held {
			return mismatch(graph.AcceptKeys("goes on with this one", "what only the newer one has erased or revoked can return from older copies"),
				"%s is older than %s, or missing: %d bytes of it are known", path, whose, p[name].Bytes)
		}
	}
	return nil
}

// acceptPositions takes the records in the directory of a ledger as they are, if there is such a directory.
func acceptPositions(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p := map[string]Position{}
	for _, name := range []string{logName, revokedName} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		whole := text[:bytes.LastIndexByte(text, '\n')+1]
		sum := sha256.Sum256(whole)
		p[name] = Position{int64(len(whole)), hex.EncodeToString(sum[:])}
	}
	return writePositions(dir, p)
}
