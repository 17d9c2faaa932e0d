package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Kinds of lines of revoked.log that say of whom everything was erased, without naming anybody.
const (
	erasedOwner = "OWNER"    // the mark of a user in a namespace, and the instant until which all of the user's was erased there
	ownerKey    = "OWNERKEY" // the key of the marks, 32 random bytes in hexadecimal, and when it was made
)

// OwnerTest reports whether what belonged to a user in a namespace at an instant was erased. An empty user is nobody.
type OwnerTest = func(user, namespace string, at time.Time) bool

// EraseOwner records that everything that belonged to a user until an instant was erased, in the given namespaces of a tenant or, if there
// are none, in all. An empty user is everybody. The record has an HMAC in place of the names. It is durable on return, as that of
// [Ledger.Revoke].
func (l *Ledger) EraseOwner(scope graph.Scope, user string, namespaces []string, at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.revoked[ownerKey]) == 0 {
		key := make([]byte, sha256.Size)
		if _, err := io.ReadFull(l.random, key); err != nil {
			return fmt.Errorf("ledger: randomness: %w", err)
		}
		if err := l.addLine(ownerKey, hex.EncodeToString(key), at); err != nil {
			return err
		}
	}
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for key := range l.revoked[ownerKey] {
		for _, namespace := range namespaces {
			mark := ownerMark(key, scope.Tenant, namespace, user)
			if until, known := l.revoked[erasedOwner][mark]; known && !at.After(until) {
				continue
			}
			if err := l.addLine(erasedOwner, mark, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErasedOwners returns a test of the owners that [Ledger.EraseOwner] recorded for a tenant; nil if it recorded none of any tenant.
func (l *Ledger) ErasedOwners(scope graph.Scope) OwnerTest {
	l.mu.Lock()
	defer l.mu.Unlock()
	return ownerTest(scope.Tenant, maps.Clone(l.revoked[ownerKey]), maps.Clone(l.revoked[erasedOwner]))
}

// ErasedOwnersFrom returns a test of the owners in an export of a tenant of a store, as [Ledger.ErasedFrom] for its memories.
func (l *Ledger) ErasedOwnersFrom(origin string, tenant graph.Tenant) (OwnerTest, error) {
	l.mu.Lock()
	keys, marks := maps.Clone(l.revoked[ownerKey]), maps.Clone(l.revoked[erasedOwner])
	l.mu.Unlock()
	others := &Ledger{revoked: map[string]map[string]time.Time{ownerKey: keys, erasedOwner: marks}}
	if err := l.readOthers(origin, revokedName, others.addRevocation); err != nil {
		return nil, err
	}
	return ownerTest(tenant, others.revoked[ownerKey], others.revoked[erasedOwner]), nil
}

// ownerTest tests against marks under any of the keys. A mark without user or namespace is for all of them.
func ownerTest(tenant graph.Tenant, keys, marks map[string]time.Time) OwnerTest {
	if len(keys) == 0 || len(marks) == 0 {
		return nil
	}
	return func(user, namespace string, at time.Time) bool {
		for key := range keys {
			for _, u := range []string{user, ""} {
				for _, n := range []string{namespace, ""} {
					if until, known := marks[ownerMark(key, tenant, n, u)]; known && !at.After(until) {
						return true
					}
				}
			}
		}
		return false
	}
}

// ownerMark stands for a user in a namespace. No name has a byte 0.
func ownerMark(key string, tenant graph.Tenant, namespace, user string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(string(tenant) + "\x00" + namespace + "\x00" + user)) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}
