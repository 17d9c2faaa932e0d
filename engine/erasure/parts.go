package erasure

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// progress is how far an erasure is in each part of the server, as the Data of its note.
type progress struct {
	Parts   []proof.Part   `json:"parts"`
	Backups map[string]int `json:"backups,omitempty"` // as in proof.Receipt
	APIKeys []string       `json:"apiKeys,omitempty"` // as in proof.Receipt
}

// newProgress is the progress of an erasure that was asked for.
func (svc *Service) newProgress() *progress {
	has := map[string]bool{
		proof.Store: true, proof.Index: true, proof.Exports: true, proof.Backups: true,
		proof.Recess: svc.Recess != nil, proof.Map: svc.Map != nil, proof.Ledger: svc.Erasures != nil, proof.Replicas: !svc.Exclusive(),
	}
	p := &progress{}
	for _, store := range proof.Stores {
		part := proof.Part{Store: store, Status: proof.None}
		if has[store] {
			part.Status = proof.Pending
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

// reach sets the state of a part that the server has.
func (p *progress) reach(store, status string, at time.Time) {
	i := slices.IndexFunc(p.Parts, func(x proof.Part) bool { return x.Store == store })
	if p.Parts[i].Status != proof.None {
		p.Parts[i] = proof.Part{Store: store, Status: status, At: at}
	}
}

// backUp sets the state of the backups. They are sealed and no erasure changes them; the ledger keeps a
// restore from bringing anything back.
func (p *progress) backUp(known map[string]int, at time.Time) {
	p.Backups = known
	i := slices.IndexFunc(p.Parts, func(x proof.Part) bool { return x.Store == proof.Backups })
	if len(known) == 0 {
		p.Parts[i] = proof.Part{Store: proof.Backups, Status: proof.None}
		return
	}
	p.reach(proof.Backups, proof.BeyondUse, at)
}

// readProgress reads the progress of an erasure. Nil: its note has none, or it has no note.
func readProgress(r graph.Reader, receipt graph.ID) (*progress, error) {
	n, err := r.Note(graph.NoteErasure, receipt)
	if known, err := graph.Found(err); !known || len(n.Data) == 0 {
		return nil, err
	}
	var p progress
	if err := json.Unmarshal(n.Data, &p); err != nil {
		return nil, fmt.Errorf("%w: the progress of an erasure can't be read", graph.ErrIntegrity)
	}
	return &p, nil
}

// putProgress stores the progress of an erasure.
func putProgress(tx graph.Tx, receipt graph.ID, requested time.Time, p *progress) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteErasure, ID: receipt, At: requested, Data: data})
}

// backupsNow are the backups that exist, with the last generation of each that was begun.
func (svc *Service) backupsNow(ctx context.Context, now time.Time) (map[string]int, error) {
	known := map[string]int{}
	err := svc.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		states, err := graph.Backups(r)
		for id, s := range states {
			if s.Exists(now) {
				known[id] = s.Begun
			}
		}
		return err
	})
	return known, err
}

// withoutRemovedBackups is the present state of the backups: complete once every generation that may hold
// what was erased was removed.
func (svc *Service) withoutRemovedBackups(ctx context.Context, p *progress) error {
	i := slices.IndexFunc(p.Parts, func(x proof.Part) bool { return x.Store == proof.Backups && x.Status == proof.BeyondUse })
	if i < 0 || len(p.Backups) == 0 {
		return nil
	}
	return svc.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		states, err := graph.Backups(r)
		if err != nil {
			return err
		}
		last := p.Parts[i].At
		for id, generation := range p.Backups {
			s := states[id]
			at, removed := s.Removed(generation)
			if !removed && s.Exists(svc.Now()) {
				return nil
			}
			if at.After(last) {
				last = at
			}
		}
		p.Parts[i] = proof.Part{Store: proof.Backups, Status: proof.Complete, At: last}
		return nil
	})
}

// ErasureParts returns the state of an erasure in each part of the server as of now, in the order of
// [proof.Stores]. Nil: the caller sees no such receipt, or an earlier version that kept no keys made it.
func (svc *Service) ErasureParts(ctx context.Context, c workspace.Caller, receipt graph.ID) ([]proof.Part, error) {
	p, err := svc.progressSeen(ctx, c, receipt)
	if err != nil || p == nil {
		return nil, err
	}
	return p.Parts, svc.withoutRemovedBackups(ctx, p)
}

// ErasedKeys returns how many API keys an erasure deleted so far; 0 if the caller sees no such receipt.
func (svc *Service) ErasedKeys(ctx context.Context, c workspace.Caller, receipt graph.ID) (int, error) {
	p, err := svc.progressSeen(ctx, c, receipt)
	if err != nil || p == nil {
		return 0, err
	}
	return len(p.APIKeys), nil
}

// progressSeen reads how far an erasure is. Nil: the caller sees no such receipt, or an earlier version that kept no
// keys made it.
func (svc *Service) progressSeen(ctx context.Context, c workspace.Caller, receipt graph.ID) (*progress, error) {
	seen, err := svc.DeletionReceipt(ctx, c, receipt)
	if err != nil {
		return nil, nil // no receipt, or that of another principal
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	var p *progress
	err = svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error {
		if p, err = readProgress(r, receipt); err != nil || p != nil {
			return err
		}
		p, err = loggedProgress(r, receipt)
		return err
	})
	if err == nil && p == nil && seen.Status == graph.DeletionPending {
		p = svc.newProgress()
	}
	return p, err
}

// loggedProgress reads the progress from the log of erasures, where earlier versions had it alone.
func loggedProgress(r graph.Reader, receipt graph.ID) (*progress, error) {
	n, err := r.Note(graph.NoteProof, receipt)
	if known, err := graph.Found(err); !known {
		return nil, err
	}
	l, err := readLeaf(n)
	if err != nil {
		return nil, err
	}
	read, err := l.Receipt()
	if err != nil {
		return nil, err
	}
	return &progress{Parts: read.Parts, Backups: read.Backups, APIKeys: read.APIKeys}, nil
}
