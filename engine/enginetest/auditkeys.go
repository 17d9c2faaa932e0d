package enginetest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// AuditKeys keeps the keys of the audit in memory. Its random bytes are always the same.
type AuditKeys struct{ sync.Map }

// Read returns what was written under a name; nil: nothing was.
func (k *AuditKeys) Read(name string) ([]byte, error) {
	v, _ := k.Load(name)
	b, _ := v.([]byte)
	return b, nil
}

// Write keeps content under a name.
func (k *AuditKeys) Write(name string, content []byte) error {
	k.Store(name, slices.Clone(content))
	return nil
}

// Damaged is the error for keys that are of no use.
func (k *AuditKeys) Damaged(name, what string) error {
	return &graph.DamagedKeysError{Path: name, Err: fmt.Errorf("%w: %s", graph.ErrIntegrity, what)}
}

// Fill fills b.
func (k *AuditKeys) Fill(b []byte) error {
	for i := range b {
		b[i] = byte(i)
	}
	return nil
}
