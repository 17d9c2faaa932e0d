// Package doctor checks the data of a server that does not run: rows and their references, index,
// recess, ledger, keys and audit. It says for each finding what to do.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/internal/counted"
)

// Finding is something that is wrong.
type Finding struct {
	Part   string `json:"part"` // such as STORE or RECESS
	Tenant string `json:"tenant,omitempty"`
	What   string `json:"what"`
	Do     string `json:"do"`    // what to do about it
	Minor  bool   `json:"minor"` // a server mends it by itself, or the data is sound in spite of it
}

// Report is the result of a check.
type Report struct {
	Store    string    `json:"store,omitempty"` // identity
	Checked  Checked   `json:"checked"`
	Findings []Finding `json:"findings"`
	Sound    bool      `json:"sound"` // nothing but minor findings
}

// Checked counts what was read.
type Checked struct {
	Tenants   int `json:"tenants"`
	Memories  int `json:"memories"`
	Vectors   int `json:"vectors"`
	Edges     int `json:"edges"`
	Entities  int `json:"entities"`
	Relations int `json:"relations"`
	Notes     int `json:"notes"`
	Changes   int `json:"changes"`
	Engrams   int `json:"engrams"`
	Erased    int `json:"erased"` // ids in the ledger
	AuditRows int `json:"auditRows"`
}

// String lists what was read, for people.
func (c Checked) String() string {
	return fmt.Sprintf("%s: %s, %s, %s, %s, %s, %s, %s, %s, %s, %s", counted.Of(c.Tenants, "tenant"), counted.Of(c.Memories, "memory"), counted.Of(c.Vectors, "vector"),
		counted.Of(c.Edges, "edge"), counted.Of(c.Entities, "entity"), counted.Of(c.Relations, "relation"), counted.Of(c.Notes, "note"), counted.Of(c.Changes, "change"),
		counted.Of(c.Engrams, "engram"), counted.Of(c.Erased, "erased id"), counted.Of(c.AuditRows, "audit row"))
}

// Options say what to check. The parts are open already.
type Options struct {
	Data   string
	Store  graph.Store
	Ledger *ledger.Ledger // nil: there is no directory of keys
	Recess *recess.Recess // nil: it could not be opened
	// OpenIndex opens the index; nil: there is none.
	OpenIndex func(context.Context) (*index.Index, error)
	Progress  func(done, total int) // tenants; nil: nobody looks
}

// maxFindings is how many findings of one kind are listed.
const maxFindings = 20

// checker collects findings.
type checker struct {
	Options
	ctx    context.Context
	report Report
	counts map[string]int
	// badKeys are the files of keys with a finding.
	badKeys map[string]bool
}

// Check checks everything. The error is one of reading on, such as a cancelled context.
func Check(ctx context.Context, o Options) (*Report, error) {
	c := &checker{Options: o, ctx: ctx, counts: map[string]int{}, badKeys: map[string]bool{}, report: Report{Findings: []Finding{}}}
	tenants, err := o.Store.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	if o.Ledger != nil {
		c.report.Store = o.Ledger.Store()
	}
	for i, t := range tenants {
		if err := c.tenant(graph.Scope{Tenant: t}); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(tenants))
		}
	}
	c.report.Checked.Tenants = len(tenants)
	if err := c.serverAlarms(); err != nil {
		return nil, err
	}
	if err := c.recess(); err != nil {
		return nil, err
	}
	if err := c.index(tenants); err != nil {
		return nil, err
	}
	c.report.Sound = true
	for _, f := range c.report.Findings {
		c.report.Sound = c.report.Sound && f.Minor
	}
	for kind, n := range c.counts {
		if n > maxFindings {
			c.report.Findings = append(c.report.Findings, Finding{Part: kind, What: counted.Of(n-maxFindings, "more finding") + " not listed", Do: "mend those that are listed, and check again", Minor: true})
		}
	}
	return &c.report, nil
}

// restoreIt is what to do about damage that nothing else mends.
const restoreIt = "restore the data directory from a backup (somnograph restore)"

// found adds a finding, unless there are many of its part.
func (c *checker) found(f Finding) {
	if c.counts[f.Part]++; c.counts[f.Part] <= maxFindings {
		c.report.Findings = append(c.report.Findings, f)
	}
}

// broken adds an error of reading as a finding. It returns errors that are none.
func (c *checker) broken(part string, scope graph.Scope, what string, err error) error {
	if err == nil {
		return nil
	}
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if !c.damagedKeys(scope, err) {
		c.found(Finding{Part: part, Tenant: string(scope.Tenant), What: fmt.Sprintf("%s: %v", what, err), Do: restoreIt})
	}
	return nil
}

// damagedKeys reports whether an error is that of a damaged file of keys. It adds a finding for each such
// file once.
func (c *checker) damagedKeys(scope graph.Scope, err error) bool {
	var keys *graph.DamagedKeysError
	if !errors.As(err, &keys) {
		return false
	}
	if !c.badKeys[keys.Path] {
		c.badKeys[keys.Path] = true
		c.found(Finding{Part: "KEYS", Tenant: string(scope.Tenant), What: fmt.Sprintf("%v; what it opens was not checked", keys), Do: keys.Advice()})
	}
	return true
}

// tenant checks the rows of a tenant on one snapshot, and its audit.
func (c *checker) tenant(scope graph.Scope) error {
	if err := c.feed(scope); err != nil {
		return err
	}
	if n := len(graph.Swept(c.Store, scope)); n > 0 {
		c.found(Finding{Part: "STORE", Tenant: string(scope.Tenant), Minor: true,
			What: fmt.Sprintf("opening the store removed %s that should not have been here: the data is older than its keys, or a crash came during the erasure", counted.Of(n, "erased memory")),
			Do:   "if an older copy of the data was put back, put the newest one back"})
	}
	return c.Store.View(c.ctx, scope, func(r graph.Reader) error {
		x := &rows{checker: c, scope: scope, r: r, dimensions: map[string]int{}}
		if err := x.memories(); err != nil {
			return err
		}
		if err := x.entities(); err != nil {
			return err
		}
		if err := x.notes(); err != nil {
			return err
		}
		if c.Ledger == nil {
			return nil
		}
		if err := x.erased(); err != nil {
			return err
		}
		if err := c.proofs(scope, r); err != nil {
			return err
		}
		return c.audit(scope, r)
	})
}

// proofs checks the key that signs the log of erasures.
func (c *checker) proofs(scope graph.Scope, r graph.Reader) error {
	secrets := c.Ledger.Secrets()
	err := proof.CheckKey(r, secrets, scope)
	if err == nil {
		var n int
		if n, err = proof.Unlinked(r, secrets, scope); n > 0 {
			c.found(Finding{Part: "KEYS", Tenant: string(scope.Tenant), Minor: true,
				What: fmt.Sprintf("proofs of erasures that were signed with a key that was lost, for which a server made another one: %d", n),
				Do:   "if nothing was erased since, put the newest copy of the file secrets/proof-… in the directory of keys back, and keep the present file; otherwise give the public key of somnograph receipt --public-key to those who check receipts"})
		}
	}
	if !errors.Is(err, proof.ErrLostKey) {
		return c.broken("KEYS", scope, "the key of the proofs of erasures can't be used", err)
	}
	c.found(Finding{Part: "KEYS", Tenant: string(scope.Tenant), What: err.Error(),
		Do: "put the newest copy of the file secrets/proof-… in the directory of keys back; without it a server makes another one, and earlier receipts can be checked with the former public key only"})
	return nil
}

// feed checks that the changes ascend.
func (c *checker) feed(scope graph.Scope) error {
	for after := graph.Cursor(0); ; {
		changes, err := c.Store.Changes(c.ctx, scope, after, graph.MaxPage)
		if err != nil {
			return c.broken("FEED", scope, "the feed can't be read", err)
		}
		for _, x := range changes {
			if x.Cursor <= after {
				c.found(Finding{Part: "FEED", Tenant: string(scope.Tenant), What: fmt.Sprintf("change %d follows %d", x.Cursor, after), Do: restoreIt})
				return nil
			}
			after = x.Cursor
		}
		c.report.Checked.Changes += len(changes)
		if len(changes) < graph.MaxPage {
			return nil
		}
	}
}

// audit checks the chain of the audit.
func (c *checker) audit(scope graph.Scope, r graph.Reader) error {
	v, err := audit.Verify(r, c.Ledger.Secrets(), scope)
	if err != nil {
		return c.broken("AUDIT", scope, "the audit can't be read", err)
	}
	// Beside a chain with keys, others are those of other servers, or of keys that were lost before.
	own := slices.ContainsFunc(v.Chains, func(chain audit.ChainCheck) bool { return chain.Keys })
	for _, chain := range v.Chains {
		c.report.Checked.AuditRows += chain.Rows
		if rows := chain.Rows + chain.Waiting; !chain.Keys && rows+chain.Roots > 0 {
			f := Finding{Part: "AUDIT", Tenant: string(scope.Tenant), Minor: own,
				What: fmt.Sprintf("the keys of chain %s are missing, so of its %s only the signed roots were checked", chain.Chain, counted.Of(rows, "row")),
				Do:   "put the newest copy of the directory of keys back; if the keys are lost, nothing proves that these rows were not changed"}
			if own {
				f.What += "; a server has begun another chain"
				f.Do = "if it is the chain of another server, check it there; otherwise its keys were lost: if there is a copy of the former files secrets/audit-…, check the rows with it " +
					"in a copy of the data and of the directory of keys, and keep the present files; without a copy nothing proves that these rows were not changed"
			}
			c.found(f)
		}
		for _, p := range chain.Problems {
			c.found(Finding{Part: "AUDIT", Tenant: string(scope.Tenant), What: fmt.Sprintf("row %d: %s", p.Seq, p.What),
				Do: "find out who changed the store, or whether its directory was exchanged for an older copy; somnograph restore states the rows that it takes away. If a copy of " +
					"the directory ran with the same keys, it has the rows: go on with that copy, or keep its rows (somnograph audit export); docs/operations.md has more"})
		}
	}
	return nil
}

// recess checks every engram, and that every permanent memory has one.
func (c *checker) recess() error {
	if c.Recess == nil {
		return nil
	}
	report, err := c.Recess.Scrub(c.ctx)
	c.report.Checked.Engrams = report.Engrams
	for _, d := range report.Damaged {
		c.found(Finding{Part: "RECESS", Tenant: string(d.Tenant), What: fmt.Sprintf("%s %s: %s", d.File, d.ID, d.Reason),
			Do: "the next sleep engraves the memory again if the store has it; else " + restoreIt})
	}
	return c.broken("RECESS", graph.Scope{}, "the recess can't be read", err)
}

// index compares the index with the store.
func (c *checker) index(tenants []graph.Tenant) error {
	if c.OpenIndex == nil {
		return nil
	}
	again := "remove " + filepath.Join(c.Data, "index") + ": the server makes it again when it starts"
	x, err := c.OpenIndex(c.ctx)
	if err != nil {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if !c.damagedKeys(graph.Scope{}, err) {
			c.found(Finding{Part: "INDEX", What: fmt.Sprintf("the index can't be opened: %v", err), Do: again})
		}
		return nil
	}
	for _, t := range tenants {
		scope := graph.Scope{Tenant: t}
		head, err := c.Store.Head(c.ctx, scope)
		if err == nil {
			err = x.WaitFor(c.ctx, scope, head)
		}
		if err != nil {
			return errors.Join(err, x.Close(c.ctx))
		}
		if err := c.indexFiles(x, scope); err != nil {
			return errors.Join(err, x.Close(c.ctx))
		}
		want, err := c.countMemories(scope)
		if err != nil {
			return errors.Join(err, x.Close(c.ctx))
		}
		if got := x.Stats(scope).Memories; got != want {
			c.found(Finding{Part: "INDEX", Tenant: string(t), What: fmt.Sprintf("the index has %s, and the store %d", counted.Of(got, "memory"), want), Do: again})
		}
	}
	return x.Close(c.ctx)
}

// indexFiles reads the files of a tenant's index. What is damaged is made again when the index closes.
func (c *checker) indexFiles(x *index.Index, scope graph.Scope) error {
	var ids []graph.ID
	x.Docs(scope, func(d *index.Doc) bool { ids = append(ids, d.ID); return true })
	x.CheckVectors(scope, ids)
	if err := x.CheckSnapshot(scope); err != nil {
		return err
	}
	damage := x.Damage(scope)
	if damage.Count() == 0 {
		return nil
	}
	f := Finding{Part: "INDEX", Tenant: string(scope.Tenant), What: "damaged: " + damage.String(), Do: "check the disk; the files were made again from the store", Minor: true}
	if err := x.Rebuild(c.ctx, scope); err != nil {
		f.What, f.Do, f.Minor = fmt.Sprintf("%s, and can't be made again: %v", f.What, err), "remove "+filepath.Join(c.Data, "index")+": the server makes it again when it starts", false
	}
	c.found(f)
	return c.ctx.Err()
}

// countMemories counts the memories of a tenant that an index holds: all but FORGOTTEN ones.
func (c *checker) countMemories(scope graph.Scope) (n int, err error) {
	err = c.Store.View(c.ctx, scope, func(r graph.Reader) error {
		n = 0
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return nil // it was found before
			}
			if m.Status() != graph.Forgotten {
				n++
			}
		}
		return nil
	})
	return n, err
}

// KeyModes returns a finding for each file of keys that other users can read.
func KeyModes(dir string) (findings []Finding) {
	_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error { // what can't be read is no leak
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr
		}
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Base(path) != "data" && filepath.Base(path) != "lock" {
			findings = append(findings, Finding{Part: "KEYS", What: "other users can read " + path, Do: "run chmod 600 " + path + ", then doctor again"})
		}
		return nil
	})
	return findings
}
