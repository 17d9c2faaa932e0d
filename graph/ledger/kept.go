package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

const (
	keptName        = "keys.json" // beside the store: what it knows of its directory of keys
	fingerprintName = "keys.id"   // in the directory of the ledger
)

// kept is what a store knows of its directory of keys. It lies with the files of the embedded store, so
// that a copy of these takes it along.
type kept struct {
	Store       string              `json:"store"` // identity
	Fingerprint string              `json:"keys"`  // that of the directory of keys, 32 hexadecimal digits
	Ledger      map[string]Position `json:"ledger"`
	Positions   bool                `json:"positions,omitempty"` // the directory has positionsName
}

// MismatchError is returned if a store and the directory of keys do not belong together.
type MismatchError struct{ what, do string }

func (e *MismatchError) Error() string { return e.what + "; " + e.do }

// Parts are what is wrong and what to do.
func (e *MismatchError) Parts() (what, do string) { return e.what, e.do }

// quoted shows text of a file that may be damaged, at most 40 bytes of it.
func quoted(text string) string {
	if len(text) > 40 {
		return fmt.Sprintf("%+q… (%d bytes)", text[:40], len(text))
	}
	return fmt.Sprintf("%+q", text)
}

func mismatch(do, format string, args ...any) error {
	return &MismatchError{fmt.Sprintf(format, args...), do}
}

// otherKeys is what to do about a directory of keys that is not that of the store.
func otherKeys() string {
	return "name the right one with --keys or SOMNOGRAPH_KEYS, or " + graph.AcceptKeys("goes on with this one", "what only the right one opens is lost, and what it has erased or revoked can return from older copies")
}

// keptPaths are where the file of a data directory may be, the one that counts first.
func keptPaths(data string) []string {
	return []string{filepath.Join(data, "store", keptName), filepath.Join(data, keptName)}
}

// readKept reads what the store in a data directory knows; nil: nothing.
func readKept(data string) (*kept, string, error) {
	for _, path := range keptPaths(data) {
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		k := &kept{}
		if err := strictjson.DecodeExact(b, k); err != nil || !validStore(k.Store) || !sumHolds(b) {
			return nil, "", mismatch(fmt.Sprintf("put it back from the newest copy of the data directory. If there is none, remove it: the next start writes it again from %s and from the directory of keys, "+
				"which must be the newest copy, because an older one is not noticed at that start", filepath.Join(data, identityName)),
				"%s is damaged. It says which directory of keys belongs to the data, and how far its record of erasures had come", path)
		}
		return k, path, nil
	}
	return nil, "", nil
}

// sumMember begins the last member of the file: the SHA-256 of what is before it.
const sumMember = `,"sha256":"`

// withSum adds that member to a JSON object.
func withSum(object []byte) []byte {
	body := bytes.TrimSuffix(object, []byte("}"))
	sum := sha256.Sum256(body)
	return fmt.Appendf(body, "%s%x\"}", sumMember, sum)
}

// sumHolds checks that member. A file of an earlier version has none.
func sumHolds(file []byte) bool {
	file = bytes.TrimSpace(file)
	at := len(file) - len(sumMember) - 2*sha256.Size - len(`"}`)
	if at < 0 || string(file[at:at+len(sumMember)]) != sumMember {
		return true
	}
	return bytes.Equal(file, withSum(append(file[:at:at], '}')))
}

// write writes the file beside the embedded store, or in the data directory if that has none.
func (k *kept) write(data string) error {
	b, err := json.Marshal(k)
	if err != nil {
		return err
	}
	b = withSum(b)
	paths := keptPaths(data)
	if _, err := os.Stat(filepath.Dir(paths[0])); errors.Is(err, fs.ErrNotExist) {
		return replace(paths[1], string(b)+"\n")
	}
	if err := replace(paths[0], string(b)+"\n"); err != nil {
		return err
	}
	return removeAll(paths[1])
}

// check compares what the store knows with its identity file and with the directory of keys. store is
// the identity in the file, empty if there is none. It returns the identity that counts.
func (k *kept) check(root, data, path, store string) (string, error) {
	if store != "" && store != k.Store {
		return "", mismatch("put that into it; to make the data another store, with a ledger of its own, remove "+path,
			"%s says %s, and the store there is %s", filepath.Join(data, identityName), store, k.Store)
	}
	dir := filepath.Join(root, k.Store)
	found, err := readFingerprint(dir)
	switch {
	case err != nil:
		return "", err
	case found == "":
		return "", mismatch(otherKeys(), "%s is not the directory of keys of the store in %s: it has no %s",
			root, data, filepath.Join(k.Store, fingerprintName))
	case found != k.Fingerprint:
		return "", mismatch(otherKeys(), "%s is another directory of keys than the store in %s had: its fingerprint is %s, not %s",
			root, data, quoted(found), quoted(k.Fingerprint))
	}
	return k.Store, nil
}

func readFingerprint(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, fingerprintName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(b)), err
}

// fingerprint reads the fingerprint of a directory of a ledger, and makes it if there is none.
func fingerprint(dir string, random io.Reader) (string, error) {
	found, err := readFingerprint(dir)
	if err != nil || found != "" {
		return found, err
	}
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("make a fingerprint: %w", err)
	}
	found = hex.EncodeToString(b[:])
	return found, replace(filepath.Join(dir, fingerprintName), found+"\n")
}

// Accept makes the next [Open] with the same directories take any directory of keys, also an older one, for the right one: it
// forgets what the store in a data directory knows of it, and takes the records in root as they are. The identity of the store stays.
func Accept(root, data string) error {
	store, err := readIdentity(data)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	k, _, err := readKept(data)
	if err != nil {
		return err
	}
	if k == nil {
		k = &kept{Store: store}
	}
	if k.Store == "" {
		return nil // nothing is known
	}
	if err := acceptPositions(filepath.Join(root, k.Store)); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if store == "" {
		if err := replace(filepath.Join(data, identityName), k.Store+"\n"); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	return removeAll(keptPaths(data)...)
}

// removeAll removes files, if there are any.
func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	return nil
}
