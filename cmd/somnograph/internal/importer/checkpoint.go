package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Checkpoint holds the position of an import of one file into one server, so that an
// interrupted import need not send the file again from its beginning. It only saves time:
// idempotency keys prevent duplicates.
type Checkpoint struct{ path string }

// saved is the content of the file of a checkpoint.
type saved struct {
	Print string `json:"print"`
	Mark
}

// NewCheckpoint makes the checkpoint of a file in a directory. target identifies the server
// and the options.
func NewCheckpoint(dir, file, target string) (*Checkpoint, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	sum := sha256.Sum256([]byte(abs + "\x00" + target))
	return &Checkpoint{path: filepath.Join(dir, "import-"+hex.EncodeToString(sum[:12])+".json")}, nil
}

// Load returns the position in the file; zero if there is none, or if the file has changed
// before the position.
func (c *Checkpoint) Load(f io.ReadSeeker) (Mark, error) {
	raw, err := os.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Mark{}, nil
	}
	if err != nil {
		return Mark{}, fmt.Errorf("checkpoint: %w", err)
	}
	var s saved
	if json.Unmarshal(raw, &s) != nil || s.Offset <= 0 {
		return Mark{}, nil // an incomplete checkpoint is ignored
	}
	print, err := fingerprint(f, s.Offset)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || err == nil && print != s.Print {
		return Mark{}, nil
	}
	if err != nil {
		return Mark{}, fmt.Errorf("checkpoint: %w", err)
	}
	return s.Mark, nil
}

// Save writes the position in the file.
func (c *Checkpoint) Save(f io.ReadSeeker, m Mark) error {
	print, err := fingerprint(f, m.Offset)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	raw, err := json.Marshal(saved{print, m})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	next := c.path + ".next"
	if err := os.WriteFile(next, raw, 0o600); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := os.Rename(next, c.path); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// Clear deletes the checkpoint.
func (c *Checkpoint) Clear() error {
	if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// fingerprint is a hash of the beginning and the end of the first n bytes of a file. Hashing
// all of them after every batch would take too long for a large file.
func fingerprint(f io.ReadSeeker, n int64) (string, error) {
	const window = 64 << 10
	h := sha256.New()
	fmt.Fprintln(h, n)
	for _, from := range []int64{0, max(0, n-window)} {
		if _, err := f.Seek(from, io.SeekStart); err != nil {
			return "", err
		}
		if _, err := io.CopyN(h, f, min(window, n-from)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
