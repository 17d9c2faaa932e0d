package erasure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// proofKey returns the key that signs the log of erasures of a tenant, and makes it at first use;
// nil if the server keeps no keys.
func (svc *Service) proofKey(ctx context.Context, scope graph.Scope) (key *proof.Keyring, err error) {
	if svc.AuditKeys == nil {
		return nil, nil
	}
	svc.proofMu.Lock()
	defer svc.proofMu.Unlock()
	err = svc.Store.View(ctx, scope.Whole(), func(r graph.Reader) (err error) { key, err = proof.OpenKeyring(r, svc.AuditKeys, scope); return err })
	if err == nil && key.Lost {
		svc.Log.Error("[RTBF] the key of the proofs of erasures was missing from the directory of keys, and another one was made; put the newest copy of the file secrets/proof-… back: without it earlier receipts can be checked with the former public key only",
			"tenant", scope.Tenant, "public", key.Public())
	}
	return key, err
}

// ProofKey returns the public key that checks proofs of erasures of the caller's tenant; empty:
// the server keeps no keys.
func (svc *Service) ProofKey(ctx context.Context, c workspace.Caller) (string, error) {
	key, err := svc.proofKey(ctx, c.Scope())
	if err != nil || key == nil {
		return "", err
	}
	return key.Public(), nil
}

// logReceipt appends a completed receipt to the log of erasures, with the numbers of the keys that were
// destroyed. Without a key it does nothing.
func (svc *Service) logReceipt(tx graph.Tx, key *proof.Keyring, r *graph.Receipt, p *progress, destroyed []uint64) error {
	if key == nil {
		return nil
	}
	tip, err := readTip(tx)
	if err != nil {
		return err
	}
	leaf, tip, err := proof.Append(key.Key, tip, proof.Receipt{
		ID: r.ID, Status: string(r.Status), Count: r.Count, Hash: r.Hash, Anonymised: r.Anonymised, RequestedAt: r.RequestedAt, CompletedAt: r.CompletedAt,
		Parts: p.Parts, Backups: p.Backups, Keys: proof.KeyRanges(destroyed), APIKeys: p.APIKeys,
	})
	if err != nil {
		return err
	}
	if err := putTip(tx, tip); err != nil {
		return err
	}
	data, err := json.Marshal(leaf)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteProof, ID: r.ID, At: r.CompletedAt, Data: data})
}

// tipSetting is the setting with the tip of the log of erasures.
const tipSetting = "forget.log"

// readTip reads the tip of the log of erasures. Where it is missing or the newest receipt is not its last leaf, as after
// an erasure by an earlier version, it makes the tip of all leaves. It does not notice a leaf of an earlier version whose erasure was asked for
// before that of the last leaf: versions must not take turns on one store.
func readTip(r graph.Reader) (tip proof.Tip, err error) {
	newest, err := r.Notes(graph.NoteProof, "", true, 1)
	if err != nil || len(newest) == 0 {
		return proof.Tip{}, err
	}
	last, err := readLeaf(newest[0])
	if err != nil {
		return proof.Tip{}, err
	}
	data, err := r.Setting(tipSetting)
	if known, err := graph.Found(err); err != nil {
		return proof.Tip{}, err
	} else if known && json.Unmarshal(data, &tip) == nil && tip.Size == last.Index+1 {
		return tip, nil
	}
	leaves, err := readLeaves(r)
	if err != nil {
		return proof.Tip{}, err
	}
	return proof.TipOf(leaves)
}

// putTip stores the tip of the log of erasures.
func putTip(tx graph.Tx, tip proof.Tip) error {
	data, err := json.Marshal(tip)
	if err != nil {
		return err
	}
	return tx.PutSetting(tipSetting, data)
}

// readLeaf reads a leaf of the log of erasures from its note.
func readLeaf(n *graph.Note) (*proof.Leaf, error) {
	var l proof.Leaf
	if err := json.Unmarshal(n.Data, &l); err != nil {
		return nil, fmt.Errorf("%w: a leaf of the log of erasures can't be read", graph.ErrIntegrity)
	}
	return &l, nil
}

// readLeaves reads the log of erasures, by index.
func readLeaves(r graph.Reader) (leaves []*proof.Leaf, err error) {
	for n, err := range graph.AllNotes(r, graph.NoteProof, "", false) {
		if err != nil {
			return nil, err
		}
		l, err := readLeaf(n)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, l)
	}
	slices.SortFunc(leaves, func(a, b *proof.Leaf) int { return a.Index - b.Index })
	for i, l := range leaves {
		if l.Index != i {
			return nil, fmt.Errorf("%w: leaf %d of the log of erasures is missing", graph.ErrIntegrity, i)
		}
	}
	return leaves, nil
}

// errNoProof is returned for receipts that can't be proved.
var errNoProof = errors.New("the receipt is not in the log of erasures: the server had no directory of keys, or an earlier version")

// ProveErasure returns the document that proves a completed erasure, as JSON, and the public key
// that checks it. It reads all memories of the tenant.
func (svc *Service) ProveErasure(ctx context.Context, c workspace.Caller, receipt graph.ID) (document []byte, publicKey string, err error) {
	if _, err := svc.DeletionReceipt(ctx, c, receipt); err != nil {
		return nil, "", err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, "", err
	}
	key, err := svc.proofKey(ctx, t.Scope)
	if err != nil {
		return nil, "", err
	}
	if key == nil {
		return nil, "", graph.FieldError(graph.CodeMemoryNotFound, "id", "%v", errNoProof)
	}
	var d *proof.Document
	err = svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error { // the tree is over all memories, whatever the caller sees
		leaves, err := readLeaves(r)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(leaves, func(l *proof.Leaf) bool {
			x, err := l.Receipt()
			return err == nil && x.ID == receipt
		})
		if at < 0 {
			return graph.FieldError(graph.CodeMemoryNotFound, "id", "%v", errNoProof)
		}
		ids := []graph.ID{}
		for after := graph.ID(""); ; {
			page, err := r.ReceiptIDs(receipt, after, graph.MaxPage)
			if err != nil {
				return err
			}
			ids = append(ids, page...)
			if len(page) < graph.MaxPage {
				break
			}
			after = page[len(page)-1]
		}
		var live []graph.ID
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if m.Status() != graph.Forgotten {
				live = append(live, m.ID)
			}
		}
		d, err = proof.Make(key, leaves, at, ids, live, t.Now())
		return err
	})
	if err != nil {
		return nil, "", err
	}
	document, err = json.Marshal(d)
	return document, key.Public(), err
}
