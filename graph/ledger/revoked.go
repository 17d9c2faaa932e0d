package ledger

import (
	"maps"
	"time"

	"github.com/somnograph/somnograph/internal/strictjson"
)

// revokedName is the name of the record of revocations in the directory of a ledger.
const revokedName = "revoked.log"

// What a revocation ends.
const (
	revokedKey     = "KEY"
	revokedSession = "SESSION"
	revokedTenant  = "TENANT"
	revokedWebhook = "WEBHOOK"
)

// revocation is the JSON object of a line of revoked.log.
type revocation struct {
	Kind string    `json:"kind"`
	ID   string    `json:"id"`
	At   time.Time `json:"at"` // of a key: when it was revoked; of a session: when it would have ended; of a tenant or a webhook: when it was deleted
}

// addRevocation adds a line to those in memory.
func (l *Ledger) addRevocation(body []byte) error {
	var r revocation
	if err := strictjson.DecodeExact(body, &r); err != nil {
		return err
	}
	if l.revoked[r.Kind] == nil {
		l.revoked[r.Kind] = map[string]time.Time{}
	}
	l.revoked[r.Kind][r.ID] = r.At
	return nil
}

// Revoke records that an API key was revoked. It is durable on return. The error wraps
// graph.ErrUnavailable if the record can't be written; nothing is recorded then.
func (l *Ledger) Revoke(id string, at time.Time) error { return l.revoke(revokedKey, id, at) }

// Revoked returns the recorded API keys, with the instants of their revocations.
func (l *Ledger) Revoked() map[string]time.Time { return l.revocations(revokedKey) }

// EndSession records that a session was ended before its time, as [Ledger.Revoke].
func (l *Ledger) EndSession(id string, until time.Time) error {
	return l.revoke(revokedSession, id, until)
}

// EndedSessions returns the recorded sessions, with the instants at which they would have ended.
func (l *Ledger) EndedSessions() map[string]time.Time { return l.revocations(revokedSession) }

// DeleteTenant records that a tenant was deleted, as [Ledger.Revoke].
func (l *Ledger) DeleteTenant(name string, at time.Time) error {
	return l.revoke(revokedTenant, name, at)
}

// DeletedTenants returns the recorded tenants, with the instants of their deletions.
func (l *Ledger) DeletedTenants() map[string]time.Time { return l.revocations(revokedTenant) }

// DeleteWebhook records that a webhook was deleted, as [Ledger.Revoke].
func (l *Ledger) DeleteWebhook(id string, at time.Time) error {
	return l.revoke(revokedWebhook, id, at)
}

// WebhookDeleted reports whether a webhook is recorded.
func (l *Ledger) WebhookDeleted(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.revoked[revokedWebhook][id]
	return known
}

func (l *Ledger) revocations(kind string) map[string]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.revoked[kind])
}

func (l *Ledger) revoke(kind, id string, at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.revoked[kind][id]; known {
		return nil
	}
	return l.addLine(kind, id, at)
}

// addLine appends a line to the record of revocations. The caller holds the lock.
func (l *Ledger) addLine(kind, id string, at time.Time) error {
	line, err := appendLine(nil, revocation{kind, id, at})
	if err != nil {
		return err
	}
	if err := l.revocationLog.append(line); err != nil {
		return err
	}
	if l.revoked[kind] == nil {
		l.revoked[kind] = map[string]time.Time{}
	}
	l.revoked[kind][id] = at
	l.keep()
	return nil
}
