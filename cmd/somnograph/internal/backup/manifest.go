package backup

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// manifestVersion is the version of the format. Version 1 is read and continued; the names of its objects
// have no hashes.
const manifestVersion = 2

// Manifest says what belongs to a generation. It is signed with the backup key and written after
// every round: objects that it does not count do not belong to the backup.
type Manifest struct {
	Somnograph string    `json:"somnograph"` // "backup"
	Version    int       `json:"version"`
	Store      string    `json:"store"`      // identity of the store, 32 hexadecimal digits
	Backup     string    `json:"backup"`     // identity of the backup, 32 hexadecimal digits
	Generation int       `json:"generation"` // from 1
	Objects    int       `json:"objects"`    // their number
	Chain      string    `json:"chain"`      // SHA-256 of the last object, which names the one before
	At         time.Time `json:"at"`         // of the last boundary
	FullAt     time.Time `json:"fullAt"`     // of the first boundary
	Full       int       `json:"full"`       // objects of the full export
	Boundaries int       `json:"boundaries"`
	Lines      int       `json:"lines"`
	Bytes      int64     `json:"bytes"` // of all objects
	// Positions are those of the last boundary.
	Positions map[graph.Tenant]graph.Position `json:"positions"`
	// Files are the hashes of the files of the data directory that the generation has.
	Files map[string]string `json:"files,omitempty"`
	// Ledger is how far the records of the directory of keys had come: a restore needs at least these.
	Ledger map[string]ledger.Position `json:"ledger,omitempty"`

	key Key // with which it is signed
}

// encode returns the signed text: a line of JSON and a line with its HMAC-SHA-256.
func (m *Manifest) encode(key Key) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	mac, err := macOf(key, body)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%s\n", body, mac), nil
}

func macOf(key Key, body []byte) (string, error) {
	derived, err := key.derive(nil, "manifest")
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, derived)
	_, _ = h.Write(body) // a hash never fails
	return hex.EncodeToString(h.Sum(nil)), nil
}

// peekManifest parses the text of a manifest without a check of its signature.
func peekManifest(text []byte) (*Manifest, error) {
	body, _, _ := bytes.Cut(text, []byte{'\n'})
	m := &Manifest{}
	if err := strictjson.DecodeExact(body, m); err != nil || m.Somnograph != "backup" {
		return nil, damaged("it is not the manifest of a backup")
	}
	if m.Version < 1 || m.Version > manifestVersion {
		return nil, fmt.Errorf("the backup has version %d, and this program reads up to version %d", m.Version, manifestVersion)
	}
	return m, nil
}

// errSignature is returned for a manifest that was changed, or was signed with another key.
var errSignature = damaged("its signature is wrong: it was changed, or the backup key is another one than that of this backup")

// parseManifest parses the text of a manifest and checks its signature.
func parseManifest(key Key, text []byte) (*Manifest, error) {
	m, err := peekManifest(text)
	if err != nil {
		return nil, err
	}
	body, rest, _ := bytes.Cut(text, []byte{'\n'})
	mac, err := macOf(key, body)
	if err != nil {
		return nil, err
	}
	if !hmac.Equal([]byte(mac), bytes.TrimSuffix(rest, []byte{'\n'})) {
		return nil, errSignature
	}
	return m, nil
}

// head is the last known end of a backup.
type head struct {
	Generation int    `json:"generation"`
	Objects    int    `json:"objects"`
	Chain      string `json:"chain"`
	// At is the instant of its last boundary; zero: it was noted by an earlier version.
	At time.Time `json:"at,omitzero"`
}

// after reports whether h is a later end than o.
func (h head) after(o head) bool {
	return h.Generation > o.Generation || h.Generation == o.Generation && h.Objects > o.Objects
}

// headOf is the end that a manifest states.
func headOf(m *Manifest) head { return head{m.Generation, m.Objects, m.Chain, m.At} }

// parseHeads parses the secret with the last known ends, by identity of the backup.
func parseHeads(b []byte) (map[string]head, error) {
	heads := map[string]head{}
	if b == nil {
		return heads, nil
	}
	if err := strictjson.DecodeExact(b, &heads); err != nil {
		return nil, damagedHeads(err)
	}
	return heads, nil
}

// damagedHeads is the error for a secret with the last known ends that can't be read.
func damagedHeads(err error) error {
	return fmt.Errorf("backup: secrets/backup-heads in the directory of keys, which holds the known ends of backups, is damaged: put its newest copy back, or remove it: a backup that was cut at its end is then not recognised: %w", err)
}

// readHeads reads the secret with the last known ends.
func readHeads(secrets Secrets) ([]byte, error) {
	b, err := secrets.Read(headsSecret)
	if errors.Is(err, graph.ErrIntegrity) {
		err = damagedHeads(err)
	}
	return b, err
}

// noteHead keeps the end of a backup, so that a copy which was cut is recognised.
func noteHead(secrets Secrets, m *Manifest) error {
	secretsMu.Lock()
	defer secretsMu.Unlock()
	b, err := readHeads(secrets)
	if err != nil {
		return err
	}
	heads, err := parseHeads(b)
	if err != nil {
		return err
	}
	if known := heads[m.Backup]; !headOf(m).after(known) {
		return nil
	}
	heads[m.Backup] = headOf(m)
	if b, err = json.Marshal(heads); err != nil {
		return err
	}
	return secrets.Write(headsSecret, b)
}
