package dgraphstore

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

const (
	shredEvery = time.Hour              // how often old keys are looked for
	shredGrace = 250 * time.Millisecond // how long an erasure waits for reads
)

// errForeign is the error of every write after another process has written to the sealed cluster. Two rings that give
// out keys for one tenant would give out the same numbers.
var errForeign = fmt.Errorf("dgraphstore: %w: another server writes to this sealed cluster with a copy of them; stop both, and start the one with the newest copy", keyring.ErrWrong)

// retiredList is the list of keys that a commit retired, on the node of the commit.
type retiredList struct {
	UID  string
	Key  string
	Keys string
	At   int64 // milliseconds since 1970
}

const retiredQuery = `query q($t: string, $k: string) { q(func: eq(tenant.name, $t)) ` + headFields + `
	r(func: eq(retired.of, $k)) { uid key: commit.key keys: retired.keys at: retired.at } }`

// numbers are those of the keys of a list.
func (l retiredList) numbers() (all []uint64, err error) {
	b, err := unseal(sealKey("retired", l.Key), l.Keys)
	if err != nil || len(b)%keyring.NumberSize != 0 {
		return nil, integrityError(sealKey("retired", l.Key), "not a list of keys")
	}
	for ; len(b) > 0; b = b[keyring.NumberSize:] {
		all = append(all, binary.BigEndian.Uint64(b))
	}
	return all, nil
}

// addRetired adds the list of the keys that the draft retires to the node of its commit.
func (d *draft) addRetired(m *api.Mutation, ks keyspace, commitKey string) {
	if len(d.retired) == 0 {
		return
	}
	var b []byte
	for _, n := range d.retired {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	m.Set = append(m.Set, quad("_:commit", "retired.of", ks.prefix), quad("_:commit", "retired.at", d.retiredAt),
		quad("_:commit", "retired.keys", seal(sealKey("retired", commitKey), b)))
}

// Shred returns when the keys of everything in the scope that was deleted before the call are destroyed: no copy of the
// cluster can be read for it any more. It returns the numbers of the keys that it destroyed. Reads that began before and last
// longer than 250 ms may fail with graph.ErrUnavailable. A store without keys does nothing. A commit whose outcome was
// unknown is in the list if it succeeded: the list is read from the cluster.
func (s *Store) Shred(ctx context.Context, scope graph.Scope) (destroyed []uint64, err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, err
	}
	defer s.calls.End()
	return s.shred(ctx, scope.Tenant, shredGrace, func(retiredList) bool { return true })
}

// shred destroys the keys in the lists that are ripe.
func (s *Store) shred(ctx context.Context, t graph.Tenant, grace time.Duration, ripe func(retiredList) bool) (destroyed []uint64, err error) {
	if s.keys == nil {
		return nil, nil
	}
	s.shredding.Lock()
	defer s.shredding.Unlock()
	var answer struct {
		Q []tenantHead
		R []retiredList
	}
	ks := newKeyspace(t)
	if err := s.newSnapshot().runQuery(ctx, retiredQuery, map[string]string{"$t": string(t), "$k": ks.prefix}, &answer); err != nil {
		return nil, err
	}
	head, err := parseHead(t, answer.Q)
	if err != nil {
		return nil, err
	}
	var lists []string
	for _, l := range answer.R {
		if !ripe(l) {
			continue
		}
		numbers, err := l.numbers()
		if err != nil {
			return nil, err
		}
		lists, destroyed = append(lists, l.UID), append(destroyed, numbers...)
	}
	if len(lists) == 0 {
		return nil, nil
	}
	if err := s.checkHead(ctx, t, head.Commit); err != nil {
		return nil, err
	}
	if err := s.reads.Wait(ctx, grace); err != nil {
		return nil, err
	}
	ring, err := s.Ring(t)
	if err != nil {
		return nil, err
	}
	if err := s.putShredded(ctx, t, head.Commit); err != nil {
		return nil, err
	}
	if err := ring.Destroy(destroyed); err != nil {
		return nil, fmt.Errorf("dgraphstore: destroy keys: %w", err)
	}
	_, err = s.update(ctx, t, func(t tx) error {
		t.writes.destroyedLists, t.writes.mark.Generation = lists, ring.Generation()
		return t.guardKey(onShred)
	})
	return destroyed, err
}

// shredOld destroys keys that were retired long ago.
func (s *Store) shredOld(ctx context.Context) error {
	tenants, err := s.allTenants(ctx)
	if err != nil {
		return err
	}
	before := s.options.Now().Add(-s.options.KeepRetired).UnixMilli()
	var errs []error
	for _, t := range tenants {
		_, err := s.shred(ctx, t, shredGrace, func(l retiredList) bool { return l.At < before })
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// The directory of keys holds, for each tenant of the cluster, a commit that the cluster must have: that which was the last when keys
// were destroyed. A cluster with less is an older copy, and has rows under destroyed keys.

// shreddedName is the name of the secret with that commit.
func (s *Store) shreddedName(t graph.Tenant) string {
	return "commit-" + hex.EncodeToString(macOf(s.secret, []byte("commit"), []byte(s.sealID), []byte(t))[:16])
}

// putShredded records a commit with its token, durably.
func (s *Store) putShredded(ctx context.Context, t graph.Tenant, commit uint64) error {
	token, err := s.tokenOf(ctx, t, commit)
	if err != nil {
		return err
	}
	return s.keys.PutSecret(s.shreddedName(t), append(binary.BigEndian.AppendUint64(nil, commit), token...))
}

// tokenOf is the token of a commit.
func (s *Store) tokenOf(ctx context.Context, t graph.Tenant, commit uint64) (string, error) {
	cs, err := s.newSnapshot().readCommits(ctx, newKeyspace(t), commit, commit)
	if err == nil && len(cs) != 1 {
		err = integrityError(newKeyspace(t).commitKey(commit), "a commit is missing")
	}
	if err != nil {
		return "", err
	}
	return cs[0].Token, nil
}

// isOlderCopy reports whether the cluster, whose last commit of the tenant has a number, lacks the recorded commit.
func (s *Store) isOlderCopy(ctx context.Context, t graph.Tenant, head uint64) (bool, error) {
	known, err := s.keys.Secret(s.shreddedName(t))
	switch {
	case errors.Is(err, graph.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	case len(known) < 8:
		return false, integrityError("secret "+s.shreddedName(t), "not a commit")
	}
	commit := binary.BigEndian.Uint64(known)
	if head < commit {
		return true, nil
	}
	token, err := s.tokenOf(ctx, t, commit)
	return token != string(known[8:]), err
}

// commitToken is the token of a commit. In a sealed store it begins with a name of this process.
func (s *Store) commitToken() (string, error) {
	token, err := s.randomToken()
	return s.runName + token, err
}

// checkHead waits for the commits of this process and does checkOwn.
func (s *Store) checkHead(ctx context.Context, t graph.Tenant, head uint64) error {
	ledger := s.ledgers.get(t)
	select {
	case ledger.sendSlot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-ledger.sendSlot }()
	return s.checkOwn(ctx, newKeyspace(t), ledger, head)
}

// checkOwn returns errForeign unless all commits of the tenant since the store was opened, up to a number, are of this process.
// With it no two rings give out the same number: the next commit takes effect only after that one. The caller holds the send slot.
func (s *Store) checkOwn(ctx context.Context, ks keyspace, ledger *commitLedger, head uint64) error {
	if s.keys == nil {
		return nil
	}
	if s.foreign.Load() {
		return errForeign
	}
	for ledger.ownUntil < head {
		to := min(head, ledger.ownUntil+queryChunk)
		cs, err := s.newSnapshot().readCommits(ctx, ks, ledger.ownUntil+1, to)
		if err != nil {
			return err
		}
		for _, c := range cs {
			if !strings.HasPrefix(c.Token, s.runName) {
				s.foreign.Store(true)
				s.options.Logger.Error("[WRITE] another server has written to the sealed cluster; nothing is written any more", "commit", c.Key)
				return errForeign
			}
		}
		if uint64(len(cs)) != to-ledger.ownUntil {
			return integrityError(ks.commitKey(ledger.ownUntil+1), "a commit is missing")
		}
		ledger.ownUntil = to
	}
	return nil
}
