package instance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
)

// Kinds of keys that are replaced.
const (
	SealKeys   = "seal" // see RotateKeys
	AuditKeys  = "audit"
	ProofKeys  = "proofs"
	BackupKeys = "backups"
)

// KeyKinds are all kinds.
var KeyKinds = []string{SealKeys, AuditKeys, ProofKeys, BackupKeys}

// CheckKeyKinds returns an error unless there are kinds, all of KeyKinds.
func CheckKeyKinds(kinds []string) error {
	for _, k := range kinds {
		if !slices.Contains(KeyKinds, k) {
			return fmt.Errorf("must be some of %s, not %q", strings.Join(KeyKinds, ", "), k)
		}
	}
	if len(kinds) == 0 {
		return errors.New("must not be empty")
	}
	return nil
}

// NameOf is the name of a tenant for people.
func NameOf(t graph.Tenant) string {
	if (graph.Scope{Tenant: t}).IsServer() {
		return "the server"
	}
	return "tenant " + string(t)
}

// RotateSecrets replaces the keys of the audit, of proofs and of backups, of the kinds that are given. It
// calls said with the new public key of the proofs of each tenant. No engine may be running. What was
// interrupted is finished by the next use of the keys.
func (in *Instance) RotateSecrets(ctx context.Context, kinds []string, now func() time.Time, said func(t graph.Tenant, public string) error) error {
	scopes, err := in.scopes(ctx)
	if err != nil {
		return err
	}
	secrets := in.Ledger.Secrets()
	if slices.Contains(kinds, BackupKeys) {
		if _, err := backup.RotateKey(secrets); err != nil {
			return fmt.Errorf("replace the backup key: %w", err)
		}
	}
	rows := in.audit(now)
	for _, scope := range scopes {
		if slices.Contains(kinds, AuditKeys) {
			if err := rows.Rotate(ctx, scope); err != nil {
				return fmt.Errorf("replace the key of the audit of tenant %s: %w", scope.Tenant, err)
			}
		}
		if !slices.Contains(kinds, ProofKeys) || scope.IsServer() {
			continue
		}
		public, err := proof.Rotate(ctx, in.Store, secrets, scope, graph.Millis(now()))
		if err == nil && public != "" {
			err = said(scope.Tenant, public)
		}
		if err != nil {
			return fmt.Errorf("replace the key of the proofs of tenant %s: %w", scope.Tenant, err)
		}
	}
	return nil
}

// audit is the audit of a server that does not run.
func (in *Instance) audit(now func() time.Time) *audit.Log {
	ids := graph.NewIDSource(rand.Reader)
	return audit.New(audit.Options{Store: in.Store, Keys: in.Ledger.Secrets(), Now: func() time.Time { return graph.Millis(now()) }, NewID: ids.New})
}

// RecordRotation leaves a row in the audit of every tenant.
func (in *Instance) RecordRotation(ctx context.Context, principal string, now func() time.Time, failed error) error {
	tenants, err := in.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	rows := in.audit(now)
	for _, t := range tenants {
		scope := graph.Scope{Tenant: t}
		rows.End(scope, audit.NewCall(principal, "rotateKeys"), failed)
		if _, err := rows.Seal(ctx, scope); err != nil {
			return fmt.Errorf("the rotation is not in the audit: %w", err)
		}
	}
	return nil
}
