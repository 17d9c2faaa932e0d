package proof

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// Secrets keeps small files of keys outside of the store. ledger.Secrets implements it.
type Secrets interface {
	// Read returns what was last written under a name, nil if nothing was.
	Read(name string) ([]byte, error)
	// Write replaces what is kept under a name, durably and as a whole.
	Write(name string, content []byte) error
	// Fill fills b with randomness that is fit for keys.
	Fill(b []byte) error
}

// Names of secrets. A hash of the tenant follows.
const (
	SeedPrefix   = "proof-"        // the secret of the key
	nextPrefix   = "next-proof-"   // that of the latest replacement
	FormerPrefix = "former-proof-" // signed successors, as of the setting
)

// successorsSetting is the setting with the signed successors of the keys of a tenant, oldest first. It
// tells a server that a former key was put back.
const successorsSetting = "proof.successors"

func secretName(prefix string, scope graph.Scope) string {
	sum := sha256.Sum256([]byte(scope.Tenant))
	return prefix + hex.EncodeToString(sum[:16])
}

// Keyring is the key of a tenant's log of erasures and what former keys say.
type Keyring struct {
	*Key
	Successors []string // signed, oldest first
	Lost       bool     // the log has proofs, and their key was missing: this one was made in its place
}

// ErrFormerKey is returned if a former key is in the place of the present one.
var ErrFormerKey = errors.New("the key of the proofs in the directory of keys was replaced: put the newest copy of that directory back; if there is none, somnograph keys rotate makes another key")

// OpenKeyring reads the key of a tenant, and makes it at first use. It finishes a replacement that was
// interrupted. r reads the store of the tenant.
func OpenKeyring(r graph.Reader, secrets Secrets, scope graph.Scope) (*Keyring, error) {
	name := secretName(SeedPrefix, scope)
	seed, err := secrets.Read(name)
	if err != nil {
		return nil, fmt.Errorf("proof: read the key: %w", err)
	}
	said, err := readSuccessors(r, secrets, scope)
	if err != nil {
		return nil, err
	}
	lost := false
	if seed == nil {
		if lost, err = hasProofs(r); err != nil {
			return nil, err
		}
		seed = make([]byte, SeedSize)
		if err := secrets.Fill(seed); err != nil {
			return nil, err
		}
		if err := secrets.Write(name, seed); err != nil {
			return nil, fmt.Errorf("proof: keep the key: %w", err)
		}
	}
	key, err := NewKey(seed)
	if err != nil {
		return nil, err
	}
	if replaced(key, said) {
		if seed, err = nextSeed(secrets, scope, said); err != nil {
			return nil, err
		}
		if key, err = NewKey(seed); err != nil {
			return nil, err
		}
		if err := keepSuccessors(secrets, scope, said); err != nil {
			return nil, err
		}
		if err := secrets.Write(name, seed); err != nil {
			return nil, fmt.Errorf("proof: keep the key: %w", err)
		}
	}
	return &Keyring{key, said, lost}, nil
}

// hasProofs reports whether the log of erasures of a tenant has proofs.
func hasProofs(r graph.Reader) (bool, error) {
	some, err := r.Notes(graph.NoteProof, "", false, 1)
	return len(some) > 0, err
}

// ErrLostKey is returned by CheckKey if the key is missing.
var ErrLostKey = errors.New("the key of the proofs of erasures is missing")

// CheckKey returns ErrLostKey if the log of erasures of a tenant has proofs and their key is missing, and an error that
// wraps graph.ErrIntegrity if it is damaged.
func CheckKey(r graph.Reader, secrets Secrets, scope graph.Scope) error {
	seed, err := secrets.Read(secretName(SeedPrefix, scope))
	if err != nil {
		return err
	}
	if seed != nil {
		_, err = NewKey(seed)
		return err
	}
	if lost, err := hasProofs(r); err != nil || !lost {
		return err
	}
	return ErrLostKey
}

// Unlinked counts the proofs of a tenant that were signed with a key which is neither the present one nor one that it replaced: such a
// key was lost, and a server made another one.
func Unlinked(r graph.Reader, secrets Secrets, scope graph.Scope) (n int, err error) {
	seed, err := secrets.Read(secretName(SeedPrefix, scope))
	if err != nil || seed == nil {
		return 0, err
	}
	key, err := NewKey(seed)
	if err != nil {
		return 0, err
	}
	said, err := readSuccessors(r, secrets, scope)
	if err != nil {
		return 0, err
	}
	name := func(public string) string { name, _, _ := strings.Cut(public, "+"); return name }
	linked := map[string]bool{key.name: true}
	for _, text := range slices.Backward(said) { // the newest first
		if s, err := ReadSuccessor(text); err == nil && linked[name(s.Next)] {
			linked[name(s.Former)] = true
		}
	}
	for x, err := range graph.AllNotes(r, graph.NoteProof, "", false) {
		if err != nil {
			return 0, err
		}
		var l Leaf
		if err := strictjson.DecodeExact(x.Data, &l); err != nil {
			return 0, fmt.Errorf("%w: a leaf of the log of erasures can't be read", graph.ErrIntegrity)
		}
		origin, _, _ := strings.Cut(l.Issued, "\n")
		if !linked[strings.TrimSuffix(origin, logSuffix)] {
			n++
		}
	}
	return n, nil
}

// replaced reports whether a key said what comes after it.
func replaced(key *Key, said []string) bool {
	return slices.ContainsFunc(said, func(text string) bool {
		s, err := ReadSuccessor(text)
		return err == nil && s.Former == key.vkey
	})
}

// nextSeed reads the secret of the newest key.
func nextSeed(secrets Secrets, scope graph.Scope, said []string) ([]byte, error) {
	seed, err := secrets.Read(secretName(nextPrefix, scope))
	if err != nil {
		return nil, fmt.Errorf("proof: read the key: %w", err)
	}
	next, err := NewKey(seed)
	if err != nil || replaced(next, said) {
		return nil, ErrFormerKey
	}
	newest := slices.ContainsFunc(said, func(text string) bool {
		s, err := ReadSuccessor(text)
		return err == nil && s.Next == next.vkey
	})
	if !newest {
		return nil, ErrFormerKey
	}
	return seed, nil
}

// readSuccessors reads what former keys said, from the store and from the secrets: a restore may have
// taken the former away.
func readSuccessors(r graph.Reader, secrets Secrets, scope graph.Scope) (said []string, err error) {
	kept, err := secrets.Read(secretName(FormerPrefix, scope))
	if err != nil {
		return nil, fmt.Errorf("proof: read the former keys: %w", err)
	}
	stored, err := r.Setting(successorsSetting)
	if _, err := graph.Found(err); err != nil {
		return nil, err
	}
	for _, text := range [][]byte{kept, stored} {
		some, _, err := parseSuccessors(text)
		if err != nil {
			return nil, err
		}
		for _, s := range some {
			if !slices.Contains(said, s) {
				said = append(said, s)
			}
		}
	}
	return said, nil
}

// parseSuccessors reads a list of signed successors, and what each says. No text is an empty list.
func parseSuccessors(text []byte) (signed []string, read []Successor, err error) {
	if text == nil {
		return nil, nil, nil
	}
	if err := strictjson.DecodeExact(text, &signed); err != nil {
		return nil, nil, fmt.Errorf("proof: %w: what former keys say can't be read", graph.ErrIntegrity)
	}
	for _, text := range signed {
		s, err := ReadSuccessor(text)
		if err != nil {
			return nil, nil, fmt.Errorf("proof: %w: %w", graph.ErrIntegrity, err)
		}
		read = append(read, s)
	}
	return signed, read, nil
}

// keepSuccessors writes what former keys said beside the secrets.
func keepSuccessors(secrets Secrets, scope graph.Scope, said []string) error {
	text, err := json.Marshal(said)
	if err == nil {
		err = secrets.Write(secretName(FormerPrefix, scope), text)
	}
	if err != nil {
		return fmt.Errorf("proof: keep the former keys: %w", err)
	}
	return nil
}

// Rotate replaces the key of a tenant by a new one, of which the former one says that it comes after it.
// The former secret is overwritten. No erasure may be running. What was interrupted is finished by the
// next use of the key. It returns the new public key; empty: the tenant had no key.
func Rotate(ctx context.Context, store interface {
	graph.Viewer
	graph.Updater
}, secrets Secrets, scope graph.Scope, at time.Time) (public string, err error) {
	if seed, err := secrets.Read(secretName(SeedPrefix, scope)); err != nil || seed == nil {
		return "", err
	}
	var ring *Keyring
	open := func(r graph.Reader) (err error) { ring, err = OpenKeyring(r, secrets, scope); return err }
	if err := store.View(ctx, scope.Whole(), open); errors.Is(err, ErrFormerKey) {
		if ring, err = former(ctx, store, secrets, scope); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	seed := make([]byte, SeedSize)
	if err := secrets.Fill(seed); err != nil {
		return "", err
	}
	next, err := NewKey(seed)
	if err != nil {
		return "", err
	}
	if err := secrets.Write(secretName(nextPrefix, scope), seed); err != nil {
		return "", fmt.Errorf("proof: keep the key: %w", err)
	}
	signed, err := ring.Succeed(next, at)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(append(slices.Clone(ring.Successors), signed))
	if err != nil {
		return "", err
	}
	// From this commit on the next key is the key.
	if _, err := store.Update(ctx, scope.Whole(), func(tx graph.Tx) error { return tx.PutSetting(successorsSetting, text) }); err != nil {
		return "", err
	}
	if err := store.View(ctx, scope.Whole(), open); err != nil {
		return "", err
	}
	return ring.Public(), nil
}

// former opens a key that was replaced and put back, to replace it again.
func former(ctx context.Context, store graph.Viewer, secrets Secrets, scope graph.Scope) (ring *Keyring, err error) {
	seed, err := secrets.Read(secretName(SeedPrefix, scope))
	if err != nil {
		return nil, err
	}
	key, err := NewKey(seed)
	if err != nil {
		return nil, err
	}
	err = store.View(ctx, scope.Whole(), func(r graph.Reader) error {
		said, err := readSuccessors(r, secrets, scope)
		ring = &Keyring{Key: key, Successors: said}
		return err
	})
	return ring, err
}

// PublicKeys are the public keys of secrets: those of seeds, which begin with SeedPrefix, and the former
// ones that lists of successors, which begin with FormerPrefix, name.
func PublicKeys(seeds, former [][]byte) (keys []string, err error) {
	for _, seed := range seeds {
		k, err := NewKey(seed)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k.Public())
	}
	for _, text := range former {
		_, read, err := parseSuccessors(text)
		if err != nil {
			return nil, err
		}
		for _, s := range read {
			keys = append(keys, s.Former)
		}
	}
	return keys, nil
}
