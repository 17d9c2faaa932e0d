package audit

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// lostRows are rows of a chain that a restore took away: they were written after the boundary that
// was restored.
type lostRows struct {
	First uint64    `json:"first"`
	Last  uint64    `json:"last"`
	MAC   []byte    `json:"mac,omitempty"` // of the last one, which the next row follows
	To    time.Time `json:"to"`            // boundary
	At    time.Time `json:"at"`            // of the restore
}

// lostRoots are signed roots of a chain that a restore took away.
type lostRoots struct {
	First  int    `json:"first"`  // epoch of the first one
	Next   int    `json:"next"`   // epoch of the first root after them
	Public []byte `json:"public"` // key of that root
}

// Restore says which rows of a chain are missing because the store was restored from a backup.
type Restore struct {
	First, Last uint64    // rows that were written after the boundary
	To          time.Time // boundary: the instant of the backup that was restored
	At          time.Time // of the restore
}

// restoresSetting is the setting with what restores took away.
const restoresSetting = "audit.restores"

// restores is what restores took away from a chain, as the setting keeps it. It lies in the store
// that was restored, so that it excuses no other one, and its MAC keeps others from writing it.
type restores struct {
	Chain string      `json:"chain"`
	Rows  []lostRows  `json:"rows,omitempty"`  // ascending
	Roots []lostRoots `json:"roots,omitempty"` // ascending
	MAC   []byte      `json:"mac,omitempty"`
}

// sum is the MAC of x under the keys of its chain.
func (x restores) sum(own *chain) ([]byte, error) {
	x.MAC = nil
	text, err := json.Marshal(x)
	return mac(mac(own.Pending, []byte("restores")), text), err
}

// readRestores reads what restores took away from a chain. ok is false if the setting was changed.
func readRestores(r graph.Reader, own *chain) (x restores, ok bool, err error) {
	text, err := r.Setting(restoresSetting)
	if known, err := graph.Found(err); !known || err != nil {
		return x, err == nil, err
	}
	if strictjson.DecodeExact(text, &x) != nil {
		return restores{}, false, nil
	}
	if x.Chain != own.Chain { // that of the server that restored the store
		return restores{}, true, nil
	}
	if sum := sha256.Sum256(text); equal(own.Restores, sum[:]) { // written under a former key
		return x, true, nil
	}
	want, err := x.sum(own)
	if err != nil || !equal(want, x.MAC) {
		return restores{}, false, err
	}
	return x, true, nil
}

// NoteRestore records which rows of the audit of a tenant are missing because its store was restored,
// so that Verify tells them from rows that somebody removed. tx writes to the restored store, which
// no server has open yet. to is the boundary that was restored.
func NoteRestore(tx graph.Tx, keys Keys, scope graph.Scope, to, now time.Time) error {
	own, err := readChain(keys, scope)
	if err != nil || own == nil {
		return err
	}
	v, err := verify(tx, own)
	if err != nil {
		return err
	}
	if len(v.unread) > 0 { // of its rows it is not known whether the backup has them
		return fmt.Errorf("%w: the block %s of the audit%s", graph.ErrIntegrity, v.unread[0].id, unreadable)
	}
	c := v.of(own.Chain)
	// What earlier restores took away and this backup has is not missing any more: a row of it that
	// somebody removes later is found.
	x := restores{Chain: own.Chain, Rows: c.lostRows, Roots: c.lostRoots}
	if c.next <= own.Seq {
		x.Rows = append(x.Rows, lostRows{First: c.next, Last: own.Seq, MAC: own.MAC, To: to.UTC(), At: now.UTC()})
	}
	if len(c.roots) < own.Epoch {
		x.Roots = append(x.Roots, lostRoots{First: len(c.roots), Next: own.Epoch, Public: own.signer().Public().(ed25519.PublicKey)})
	}
	if x.MAC, err = x.sum(own); err != nil {
		return err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if err := adoptPending(tx, own); err != nil {
		return err
	}
	return tx.PutSetting(restoresSetting, text)
}

// Names of the chains of tenants in Keys.
var chainPattern = regexp.MustCompile(`^audit-[0-9a-f]{32}$`)

// NoteRestoreOfOthers is NoteRestore for the tenants that the restored store does not know, because they were made after the boundary: all of
// their rows are missing. names are those of all secrets, tenants those that the store knows. The name of a tenant does not follow from that of
// its keys. So tx writes the records in the scope of the server, and a Log takes them over when the tenant is used again.
func NoteRestoreOfOthers(tx graph.Tx, keys Keys, names []string, tenants []graph.Tenant, to, now time.Time) error {
	known := map[string]bool{secretName(graph.ServerScope()): true}
	for _, t := range tenants {
		known[secretName(graph.Scope{Tenant: t})] = true
	}
	for _, name := range names {
		if known[name] || !chainPattern.MatchString(name) {
			continue
		}
		own, err := readNamedChain(keys, name)
		if err != nil || own == nil {
			continue // doctor names the file if the tenant is used again
		}
		x := restores{Chain: own.Chain}
		if own.Seq > own.Pruned {
			x.Rows = []lostRows{{First: own.Pruned + 1, Last: own.Seq, MAC: own.MAC, To: to.UTC(), At: now.UTC()}}
		}
		if own.Epoch > 0 {
			x.Roots = []lostRoots{{Next: own.Epoch, Public: own.signer().Public().(ed25519.PublicKey)}}
		}
		if x.MAC, err = x.sum(own); err != nil {
			return err
		}
		text, err := json.Marshal(x)
		if err == nil {
			err = tx.PutSetting(othersSetting(name), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// othersSetting is the setting of the server with the record of NoteRestoreOfOthers about a chain.
func othersSetting(name string) string { return restoresSetting + "." + name }

// adoptRestore takes over what NoteRestoreOfOthers recorded of a tenant, before the tenant gets its first row.
func (l *Log) adoptRestore(ctx context.Context, t *tenant) error {
	var text []byte
	found, setting := false, othersSetting(secretName(t.scope))
	err := l.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) (err error) {
		text, err = r.Setting(setting)
		found, err = graph.Found(err)
		return err
	})
	if err != nil || !found {
		return err
	}
	_, err = l.Store.Update(ctx, t.scope, func(tx graph.Tx) error {
		if _, err := tx.Setting(restoresSetting); !errors.Is(err, graph.ErrNotFound) {
			return err // a crash came after it was taken over
		}
		return tx.PutSetting(restoresSetting, text)
	})
	if err == nil {
		_, err = l.Store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error { return tx.PutSetting(setting, nil) })
	}
	return err
}

// adoptPending gives the rows of a restored store that are not sealed yet the key of such rows that is in force: it may have been replaced
// since the boundary. The backup vouches for them.
func adoptPending(tx graph.Tx, own *chain) error {
	var former []*graph.Note
	for n, err := range notes(tx, graph.NoteAudit, "", false) {
		if err != nil {
			return err
		}
		former = append(former, n)
	}
	for _, n := range former {
		var p pending
		if strictjson.DecodeExact(n.Data, &p) != nil || p.Chain != own.Chain || p.authentic(own.Pending, n.ID) {
			continue
		}
		if err := putPending(tx, &pendingKey{own.Chain, own.Pending}, n.ID, n.At, p.Row); err != nil {
			return err
		}
	}
	return nil
}

// copyHasThem says why rows that the keys know may not be in the store.
const copyHasThem = ": removed, or written to another copy of this data directory, which ran with the same keys"

// nameBlocks says which blocks can't be read, and takes them as named.
func nameBlocks(gap []*unreadBlock) string {
	ids := make([]string, len(gap))
	for i, x := range gap {
		ids[i], x.named = string(x.id), true
	}
	return "altered or damaged: block " + strings.Join(ids, ", ")
}

// missing takes in that rows are not there. Those that a restore took away are no problem. It returns
// the MAC of the last one, nil if it is unknown.
func (c *checked) missing(first, last uint64, where string) (before []byte) {
	gap := c.gap
	c.gap = nil
	problem := func(first, last uint64) {
		if len(gap) > 0 {
			c.problem(first, "the rows up to %d%s can't be read: %s", last, where, nameBlocks(gap))
			return
		}
		why := ""
		if c.own != nil {
			why = copyHasThem
		}
		if first == last && where == "" {
			c.problem(first, "the row is missing%s", why)
		} else {
			c.problem(first, "the rows up to %d are missing%s%s", last, where, why)
		}
	}
	if c.own != nil {
		for _, x := range c.lost.Rows {
			from, to := max(x.First, first), min(x.Last, last)
			if from > to {
				continue
			}
			if first < from {
				problem(first, from-1)
			}
			if to < x.Last {
				x.MAC = nil
			}
			x.First, x.Last = from, to
			c.lostRows = append(c.lostRows, x)
			c.Restores = append(c.Restores, Restore{First: from, Last: to, To: x.To, At: x.At})
			if first, before = to+1, x.MAC; first > last {
				return before
			}
		}
	}
	problem(first, last)
	return nil
}

// skipRoots passes over the roots that a restore took away before that of an epoch. It returns the
// epoch of the next root.
func (c *checked) skipRoots(epoch int) int {
	if c.own == nil {
		return len(c.roots)
	}
	for _, x := range c.lost.Roots {
		if x.First == len(c.roots) && x.Next <= epoch {
			c.lostRoots = append(c.lostRoots, x)
			c.roots = append(c.roots, make([]*Root, x.Next-x.First)...)
			c.public = x.Public
		}
	}
	return len(c.roots)
}
