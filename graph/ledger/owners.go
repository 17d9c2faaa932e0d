package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Kinds of lines of revoked.log that say of whom everything was erased, without naming anybody.
const (
	erasedOwner = "OWNER"    // the mark of a user in a namespace, and the instant until which all of the user's was erased there
	ownerKey    = "OWNERKEY" // the key of the marks, 32 random bytes in hexadecimal, and when it was made
)

// OwnerTest reports whether what belonged to an owner in a namespace at an instant was erased. An empty owner is nobody.
type OwnerTest = func(owner, namespace string, at time.Time) bool

// EraseOwner records that everything that belonged to a user until an instant was erased, in the given namespaces of a tenant or, if there
// are none, in all: also what agents keep private about the user. An empty user is everybody. A [graph.PrivateOwner] stands for what its agent
// keeps private about its user, without an agent for what no agent does. The record has an HMAC in place of the names. It is durable on return, as that of
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

// OwnersState identifies what is recorded of the owners of a tenant, and names the setting of the tenant's store that has the state which the
// store has taken over; both are empty if nothing is recorded. A store that has another state is of an earlier time, and may have what was
// erased. Each directory of keys has a setting of its own: servers of a cluster record their own erasures.
func (l *Ledger) OwnersState(scope graph.Scope) (setting, state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	for key := range l.revoked[ownerKey] {
		setting = "erasure.owners." + keyed(key, "setting")[:16]
		of := tenantMark(key, scope.Tenant)
		for mark, until := range l.revoked[erasedOwner] {
			if strings.HasPrefix(mark, of) {
				lines = append(lines, mark+" "+until.UTC().Format(time.RFC3339Nano)+"\n")
			}
		}
	}
	if len(lines) == 0 {
		return "", ""
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return setting, hex.EncodeToString(sum[:])
}

// ErasedOwnersFrom returns a test of the owners in an export of a tenant of a store, by the records of that store: somebody of the same name in
// another one was not erased. Of an unknown store it returns nil.
func (l *Ledger) ErasedOwnersFrom(origin string, tenant graph.Tenant) (OwnerTest, error) {
	if origin == "" {
		return nil, nil
	}
	others := &Ledger{revoked: map[string]map[string]time.Time{}}
	if origin == l.store {
		l.mu.Lock()
		others.revoked[ownerKey], others.revoked[erasedOwner] = maps.Clone(l.revoked[ownerKey]), maps.Clone(l.revoked[erasedOwner])
		l.mu.Unlock()
	}
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
	return func(owner, namespace string, at time.Time) bool {
		for key := range keys {
			for _, u := range []string{graph.UserOf(owner), graph.PrivateOwner(graph.SplitOwner(owner)), ""} {
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

// ownerMark stands for a user in a namespace. It begins with that of the tenant. No name has a byte 0.
func ownerMark(key string, tenant graph.Tenant, namespace, user string) string {
	return tenantMark(key, tenant) + keyed(key, string(tenant)+"\x00"+namespace+"\x00"+user)
}

// tenantMark stands for a tenant.
func tenantMark(key string, tenant graph.Tenant) string { return keyed(key, string(tenant))[:16] }

// keyed is the HMAC-SHA-256 of a text in hexadecimal.
func keyed(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text)) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}
