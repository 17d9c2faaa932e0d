package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/somnograph/somnograph/graph"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// record is a file of lines that only grows.
type record struct {
	path   string
	file   *os.File
	size   int64     // bytes that are known to be complete lines
	sum    hash.Hash // of these bytes
	broken bool      // a failed append could not be removed
}

// openRecord opens a file, which is made if there is none, calls each for the object of every line, and
// removes an incomplete last line.
func openRecord(path string, each func(body []byte) error) (r *record, err error) {
	r = &record{path: path, sum: sha256.New()}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if err := r.load(each); err != nil {
		return nil, errors.Join(err, r.file.Close())
	}
	return r, nil
}

func (r *record) load(each func(body []byte) error) error {
	all, err := io.ReadAll(r.file)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.path, err)
	}
	whole := all[:bytes.LastIndexByte(all, '\n')+1]
	if err := parse(whole, each); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.size = int64(len(whole))
	_, _ = r.sum.Write(whole) // a hash never fails
	if err := r.file.Truncate(r.size); err != nil {
		return fmt.Errorf("remove an incomplete line of %s: %w", r.path, err)
	}
	return cmp.Or(r.file.Sync(), syncDir(filepath.Dir(r.path)))
}

// parse calls each for the object of every line of a record.
func parse(record []byte, each func(body []byte) error) error {
	for number := 1; len(record) > 0; number++ {
		line, rest, _ := bytes.Cut(record, []byte{'\n'})
		record = rest
		sum, body, found := bytes.Cut(line, []byte{' '})
		want, err := strconv.ParseUint(string(sum), 16, 32)
		if !found || err != nil || len(sum) != 8 || uint32(want) != crc32.Checksum(body, castagnoli) {
			return fmt.Errorf("%w: line %d is damaged", graph.ErrIntegrity, number)
		}
		if err := each(body); err != nil {
			return fmt.Errorf("%w: line %d: %w", graph.ErrIntegrity, number, err)
		}
	}
	return nil
}

// appendLine appends an object as a line.
func appendLine(lines []byte, object any) ([]byte, error) {
	body, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return fmt.Appendf(lines, "%08x %s\n", crc32.Checksum(body, castagnoli), body), nil
}

// append appends lines and syncs them. After an error the record is as before.
func (r *record) append(lines []byte) error {
	if r == nil || r.file == nil {
		return graph.ErrClosed
	}
	if r.broken {
		return fmt.Errorf("ledger: %w: an earlier write failed and could not be undone", graph.ErrUnavailable)
	}
	_, err := r.file.WriteAt(lines, r.size)
	if err == nil {
		err = r.file.Sync()
	}
	if err != nil {
		r.broken = cmp.Or(r.file.Truncate(r.size), r.file.Sync()) != nil
		return fmt.Errorf("ledger: %w: %w", graph.ErrUnavailable, err)
	}
	r.size += int64(len(lines))
	_, _ = r.sum.Write(lines)
	return nil
}

// position is how far the record has come.
func (r *record) position() Position {
	return Position{r.size, hex.EncodeToString(r.sum.Sum(nil))}
}

// close closes the file. A second close does nothing.
func (r *record) close() error {
	if r == nil || r.file == nil {
		return nil
	}
	f := r.file
	r.file = nil
	return f.Close()
}

// holds reports whether the record in a file begins with what a position says. A missing record holds
// the beginning of every record, which is nothing.
func holds(path string, p Position) (bool, error) {
	if p.Bytes <= 0 {
		return true, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sum := sha256.New()
	_, err = io.CopyN(sum, f, p.Bytes)
	if err = errors.Join(err, f.Close()); errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == p.SHA256, err
}
