package backup

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

const (
	objectMagic   = "SGBK\x00\x01"
	maxHeader     = 4 << 20
	objectTarget  = 4 << 20   // an object ends with the line that reaches this size in bytes, before compression
	maxObjectSize = 256 << 20 // largest size of the lines of an object
)

// header is the clear beginning of an object. It is authenticated with the lines.
type header struct {
	Store      string                          `json:"store"`      // identity
	Backup     string                          `json:"backup"`     // identity
	Generation int                             `json:"generation"` // from 1
	Number     int                             `json:"number"`     // in the generation, from 1
	Previous   string                          `json:"previous,omitempty"`
	Salt       []byte                          `json:"salt"`
	Full       bool                            `json:"full,omitempty"` // of the full export
	End        bool                            `json:"end,omitempty"`  // it ends a round: a boundary
	At         time.Time                       `json:"at"`             // of the round: nothing was committed later
	Kinds      []graph.RowKind                 `json:"kinds,omitempty"`
	Positions  map[graph.Tenant]graph.Position `json:"positions,omitempty"` // at a boundary
	Lines      int                             `json:"lines"`
	Size       int                             `json:"size"`   // of the lines in bytes
	SHA256     string                          `json:"sha256"` // of the lines
}

// hasKind reports whether the object has rows of a kind.
func (h *header) hasKind(kinds ...graph.RowKind) bool {
	return slices.ContainsFunc(kinds, func(k graph.RowKind) bool { return slices.Contains(h.Kinds, k) })
}

// objectName names an object by its place. Backups of version 1 have it under this name.
func objectName(generation, number int) string {
	return fmt.Sprintf("%06d/%08d.seg", generation, number)
}

// nameHash is how many digits of the hash of an object its name has.
const nameHash = 16

// storedName is the name of an object below the prefix of the backup. It has a part of the object's hash,
// so that two processes that write at one place do not overwrite each other's objects.
func storedName(generation, number int, hash string) string {
	return fmt.Sprintf("%06d/%08d-%s.seg", generation, number, hash[:nameHash])
}

var objectPattern = regexp.MustCompile(`^([0-9]{6,})/(?:([0-9]{8,})(?:-([0-9a-f]{16}))?\.seg|manifest)$`)

// isObject reports whether a target has a name for the backup: that of an object or a manifest.
func isObject(name string) bool { return objectPattern.MatchString(name) }

// parseName parses the name of an object. hash is empty in one of version 1.
func parseName(name string) (generation, number int, hash string, ok bool) {
	m := objectPattern.FindStringSubmatch(name)
	if m == nil || m[2] == "" {
		return 0, 0, "", false
	}
	generation, err := strconv.Atoi(m[1])
	number, err2 := strconv.Atoi(m[2])
	return generation, number, m[3], err == nil && err2 == nil
}

// damage is the error of a backup that is not as it was written. It is graph.ErrIntegrity, whose own
// text would say nothing more.
type damage struct{ text string }

func (d *damage) Error() string        { return d.text }
func (d *damage) Is(target error) bool { return target == graph.ErrIntegrity }

// damaged makes a damage.
func damaged(format string, args ...any) error { return &damage{fmt.Sprintf(format, args...)} }

// manifestName is the name of the manifest of a generation.
func manifestName(generation int) string { return fmt.Sprintf("%06d/manifest", generation) }

// sealObject returns the bytes of an object. It completes the header.
func sealObject(key Key, h *header, lines []byte, random io.Reader) ([]byte, error) {
	h.Salt = make([]byte, 16)
	if _, err := io.ReadFull(random, h.Salt); err != nil {
		return nil, fmt.Errorf("backup: randomness: %w", err)
	}
	sum := sha256.Sum256(lines)
	h.Size, h.SHA256 = len(lines), hex.EncodeToString(sum[:])
	clear, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out := append([]byte(objectMagic), binary.BigEndian.AppendUint32(nil, uint32(len(clear)))...)
	out = append(out, clear...)
	aead, err := aeadOf(key, h.Salt)
	if err != nil {
		return nil, err
	}
	// The salt makes a key for this object alone, so that the nonce may be constant.
	return aead.Seal(out, make([]byte, aead.NonceSize()), encoder.EncodeAll(lines, nil), out), nil
}

func aeadOf(key Key, salt []byte) (cipher.AEAD, error) {
	derived, err := key.derive(salt, "object")
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

var encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))

var decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxObjectSize))

// errDamaged is returned for an object whose bytes were changed or cut.
var errDamaged = damaged("it is damaged or cut")

// parseHeader parses the clear beginning of an object, which is not authenticated yet.
func parseHeader(object []byte) (h *header, sealed int, err error) {
	rest, ok := bytes.CutPrefix(object, []byte(objectMagic))
	if !ok || len(rest) < 4 {
		return nil, 0, errDamaged
	}
	n := int(binary.BigEndian.Uint32(rest))
	if n > maxHeader || n > len(rest)-4 {
		return nil, 0, errDamaged
	}
	h = &header{}
	if err := strictjson.DecodeExact(rest[4:4+n], h); err != nil {
		return nil, 0, errDamaged
	}
	return h, len(objectMagic) + 4 + n, nil
}

// openObject authenticates an object and returns its header and lines.
func openObject(key Key, object []byte) (*header, []byte, error) {
	h, at, err := parseHeader(object)
	if err != nil {
		return nil, nil, err
	}
	aead, err := aeadOf(key, h.Salt)
	if err != nil {
		return nil, nil, err
	}
	packed, err := aead.Open(nil, make([]byte, aead.NonceSize()), object[at:], object[:at])
	if err != nil {
		return nil, nil, errDamaged
	}
	if h.Size < 0 || h.Size > maxObjectSize {
		return nil, nil, errDamaged
	}
	lines, err := decoder.DecodeAll(packed, make([]byte, 0, h.Size))
	if err != nil {
		return nil, nil, errors.Join(errDamaged, err)
	}
	if sum := sha256.Sum256(lines); hex.EncodeToString(sum[:]) != h.SHA256 || bytes.Count(lines, []byte{'\n'}) != h.Lines {
		return nil, nil, errDamaged
	}
	return h, lines, nil
}

// hashOf is the hash of an object, by which the next one names it.
func hashOf(object []byte) string {
	sum := sha256.Sum256(object)
	return hex.EncodeToString(sum[:])
}
