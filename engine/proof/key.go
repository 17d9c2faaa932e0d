package proof

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// Key signs checkpoints.
type Key struct {
	seed []byte
	name string
	vkey string
}

// SeedSize is the size of the secret of a key in bytes.
const SeedSize = ed25519.SeedSize

// NewKey makes the key of a secret. Its name is that of the log.
func NewKey(seed []byte) (*Key, error) {
	if len(seed) != SeedSize {
		return nil, fmt.Errorf("proof: the secret has %d bytes, not %d", len(seed), SeedSize)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	k := &Key{seed: seed, name: "somnograph/" + hex.EncodeToString(sum[:8])}
	var err error
	k.vkey, err = note.NewEd25519VerifierKey(k.name, public)
	return k, err
}

// Public is the public key, with which anyone can check: name, hash and key of signed notes.
func (k *Key) Public() string { return k.vkey }

// sign signs a text, which ends with a newline, as a note.
func (k *Key) sign(text string) (string, error) {
	parts := strings.SplitN(k.vkey, "+", 3)
	signer, err := note.NewSigner("PRIVATE+KEY+" + parts[0] + "+" + parts[1] + "+" + base64.StdEncoding.EncodeToString(append([]byte{1}, k.seed...)))
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	return string(signed), err
}

// statement is what a signed note says of a tree.
type statement struct {
	origin string
	size   uint64
	root   []byte
	at     time.Time // of the tree over the live memories; zero for checkpoints
}

func (s statement) text() string {
	t := fmt.Sprintf("%s\n%d\n%s\n", s.origin, s.size, base64.StdEncoding.EncodeToString(s.root))
	if !s.at.IsZero() {
		t += s.at.UTC().Format(time.RFC3339Nano) + "\n"
	}
	return t
}

// open checks the signature of a note and reads it. origin is what its first line must be after
// the name of the key.
func open(signed string, keys note.Verifiers, suffix string) (s statement, err error) {
	n, err := note.Open([]byte(signed), keys)
	if err != nil {
		return s, err
	}
	lines := strings.Split(strings.TrimSuffix(n.Text, "\n"), "\n")
	if len(lines) < 3 || len(lines) > 4 || lines[0] != n.Sigs[0].Name+suffix {
		return s, fmt.Errorf("the signed text is none of this kind")
	}
	s.origin = lines[0]
	if s.size, err = strconv.ParseUint(lines[1], 10, 62); err != nil {
		return s, fmt.Errorf("the size is not a number")
	}
	if s.root, err = base64.StdEncoding.DecodeString(lines[2]); err != nil || len(s.root) != sha256.Size {
		return s, fmt.Errorf("the root is not a hash")
	}
	if len(lines) == 4 {
		if s.at, err = time.Parse(time.RFC3339Nano, lines[3]); err != nil {
			return s, fmt.Errorf("the instant is not one")
		}
	}
	if !bytes.Equal([]byte(s.text()), []byte(n.Text)) {
		return s, fmt.Errorf("the signed text is not canonical")
	}
	return s, nil
}

// The first lines of signed notes after the name of the key.
const (
	logSuffix  = "/erasures"
	liveSuffix = "/live"
)
