package audit

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// chain is the secret state of a chain; docs/formats/audit.md.
type chain struct {
	Chain   string    `json:"chain"`
	Pending []byte    `json:"pending"` // key of rows that are not sealed yet
	Epoch   int       `json:"epoch"`   // from 0
	Seed    []byte    `json:"seed"`    // of the epoch
	Day     time.Time `json:"day"`     // of the rows of the epoch; zero: it has none
	Floor   time.Time `json:"floor"`   // first day that is not closed; zero: any
	Seq     uint64    `json:"seq"`     // of the last row
	MAC     []byte    `json:"mac"`     // of the last row

	Pruned      uint64 `json:"pruned,omitempty"` // last row that was removed because of its age
	PrunedMAC   []byte `json:"prunedMac,omitempty"`
	PrunedEpoch int    `json:"prunedEpoch,omitempty"` // first epoch whose rows are kept

	Next     []byte `json:"next,omitempty"`     // seed of the next epoch, if the keys are being replaced
	Restores []byte `json:"restores,omitempty"` // SHA-256 of the record of restores that a former key vouched for

	past map[int][]byte // MAC keys of closed epochs
	keys Keys
	name string
}

// secretName is the name of a tenant's chain in Keys.
func secretName(scope graph.Scope) string {
	sum := sha256.Sum256([]byte(scope.Tenant))
	return "audit-" + hex.EncodeToString(sum[:16])
}

func pastName(name string) string { return name + "-past" }

// restoreKeys is what a person does about damaged keys of a chain: both files of a tenant belong together.
const restoreKeys = "put the file and the one beside it whose name has or lacks -past back from the newest backup of the directory of keys: the server " +
	"catches up with its rows. If there is no copy, move both away: the server begins another chain, and of the rows before that only the signed roots can be checked"

// advised adds to an error about a file of keys what to do about it.
func advised(err error) error {
	var keys *graph.DamagedKeysError
	if !errors.As(err, &keys) {
		return err
	}
	return fmt.Errorf("audit: %w", &graph.DamagedKeysError{Path: keys.Path, Err: keys.Err, Do: restoreKeys})
}

// readChain reads the state of a tenant's chain; nil if there is none.
func readChain(keys Keys, scope graph.Scope) (*chain, error) {
	return readNamedChain(keys, secretName(scope))
}

// readNamedChain is readChain for the name of a chain in Keys.
func readNamedChain(keys Keys, name string) (*chain, error) {
	text, err := keys.Read(name)
	if err != nil || text == nil {
		return nil, advised(err)
	}
	c := &chain{keys: keys, name: name, past: map[int][]byte{}}
	if err := strictjson.DecodeExact(text, c); err != nil || len(c.Seed) != 32 || len(c.Pending) != 32 || len(c.MAC) != 32 {
		return nil, advised(keys.Damaged(name, "it holds no keys of an audit"))
	}
	if text, err = keys.Read(pastName(name)); err != nil || text == nil {
		return c, advised(err)
	}
	if err := strictjson.DecodeExact(text, &c.past); err != nil {
		return nil, advised(keys.Damaged(pastName(name), "it holds no keys of earlier days of an audit"))
	}
	return c, nil
}

// CheckKeys returns an error if the keys of a tenant's audit are damaged. missing is true if there are none, and the store has an audit.
func CheckKeys(r graph.Reader, keys Keys, scope graph.Scope) (missing bool, err error) {
	c, err := readChain(keys, scope)
	if err != nil || c != nil {
		return false, err
	}
	for _, kind := range []graph.NoteKind{graph.NoteAuditBlock, graph.NoteAuditRoot, graph.NoteAudit} {
		some, err := r.Notes(kind, "", true, 1)
		if len(some) > 0 || graph.DamagedNote(err) != "" {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// openChain reads the state of a tenant's chain, or begins a chain.
func openChain(keys Keys, scope graph.Scope) (*chain, error) {
	c, err := readChain(keys, scope)
	if err != nil || c != nil {
		return c, err
	}
	c = &chain{keys: keys, name: secretName(scope), Pending: make([]byte, 32), Seed: make([]byte, 32), MAC: make([]byte, 32), past: map[int][]byte{}}
	if err := errors.Join(keys.Fill(c.Pending), keys.Fill(c.Seed)); err != nil {
		return nil, fmt.Errorf("audit: randomness: %w", err)
	}
	c.Chain = chainName(c.signer().Public().(ed25519.PublicKey))
	return c, c.save()
}

// chainName is the name of the chain whose first public key is given: 16 hexadecimal digits.
func chainName(first ed25519.PublicKey) string {
	sum := sha256.Sum256(first)
	return hex.EncodeToString(sum[:8])
}

func (c *chain) save() error {
	text, err := json.Marshal(c)
	if err == nil {
		err = c.keys.Write(c.name, text)
	}
	if err != nil {
		return fmt.Errorf("audit: keep the keys: %w", err)
	}
	return nil
}

func (c *chain) savePast() error {
	text, err := json.Marshal(c.past)
	if err == nil {
		err = c.keys.Write(pastName(c.name), text)
	}
	if err != nil {
		return fmt.Errorf("audit: keep the keys: %w", err)
	}
	return nil
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func equal(a, b []byte) bool { return hmac.Equal(a, b) }

// macKey is the MAC key of the epoch.
func (c *chain) macKey() []byte { return mac(c.Seed, []byte("mac")) }

// signer is the signing key of the epoch.
func (c *chain) signer() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(mac(c.Seed, []byte("sign")))
}

// ratchet is the seed after a seed.
func ratchet(seed []byte) []byte {
	sum := sha256.Sum256(append([]byte("next"), seed...))
	return sum[:]
}

// nextSeed is the seed of the next epoch.
func (c *chain) nextSeed() []byte {
	if c.Next != nil {
		return c.Next
	}
	return ratchet(c.Seed)
}

// rowMAC is the MAC of a row with a number after one with the MAC before.
func rowMAC(key, before []byte, seq uint64, row Row) ([]byte, error) {
	text, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	return mac(key, before, binary.BigEndian.AppendUint64(nil, seq), text), nil
}

// block is a run of sealed rows, as the Data of its note.
type block struct {
	Chain string      `json:"chain"`
	Epoch int         `json:"epoch"`
	First uint64      `json:"first"` // number of the first row
	Rows  []sealedRow `json:"rows"`
}

type sealedRow struct {
	MAC []byte `json:"mac"`
	Row Row    `json:"row"`
}

// root is the signed end of an epoch, as the Data of its note.
type root struct {
	Text      string `json:"text"`
	Public    []byte `json:"public"` // key of the signature
	Signature []byte `json:"signature"`
}

// Root is what a signed root says.
type Root struct {
	Chain  string
	Epoch  int
	Day    time.Time
	Seq    uint64 // last row of the epoch
	MAC    []byte
	macKey []byte // hash of the MAC key
	next   []byte // public key of the next epoch
}

const rootTitle = "somnograph audit root"

// close makes the signed root of the epoch.
func (c *chain) close() (*root, error) {
	key := sha256.Sum256(c.macKey())
	next := (&chain{Seed: c.nextSeed()}).signer().Public().(ed25519.PublicKey)
	text := fmt.Sprintf("%s\n%s\n%d\n%s\n%d\n%s\n%s\n%s\n", rootTitle, c.Chain, c.Epoch, c.Day.UTC().Format(time.DateOnly), c.Seq, b64(c.MAC), b64(key[:]), b64(next))
	private := c.signer()
	return &root{Text: text, Public: private.Public().(ed25519.PublicKey), Signature: ed25519.Sign(private, []byte(text))}, nil
}

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// parse checks the signature of a root and reads it.
func (r *root) parse() (*Root, error) {
	if len(r.Public) != ed25519.PublicKeySize || !ed25519.Verify(r.Public, []byte(r.Text), r.Signature) {
		return nil, errors.New("its signature is wrong")
	}
	lines := strings.Split(r.Text, "\n")
	if len(lines) != 9 || lines[0] != rootTitle || lines[8] != "" {
		return nil, errors.New("it can't be read")
	}
	x := &Root{Chain: lines[1]}
	var err error
	var errs [6]error
	_, errs[0] = fmt.Sscanf(lines[2], "%d", &x.Epoch)
	x.Day, errs[1] = time.Parse(time.DateOnly, lines[3])
	_, errs[2] = fmt.Sscanf(lines[4], "%d", &x.Seq)
	x.MAC, errs[3] = base64.StdEncoding.DecodeString(lines[5])
	x.macKey, errs[4] = base64.StdEncoding.DecodeString(lines[6])
	x.next, errs[5] = base64.StdEncoding.DecodeString(lines[7])
	if err = errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("it can't be read: %w", err)
	}
	return x, nil
}
