package erasure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DeletionReceipt returns a receipt of the caller's principal, and to a caller with Admin that of an
// erasure in its namespaces; MEMORY_NOT_FOUND if there is none.
func (svc *Service) DeletionReceipt(ctx context.Context, c workspace.Caller, id graph.ID) (*graph.Receipt, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	var receipt *graph.Receipt
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) (err error) { receipt, err = r.Receipt(id); return err })
	if errors.Is(err, graph.ErrNotFound) || err == nil && !c.Admin && receipt.Owner != c.Owns(id) {
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no receipt has this id")
	}
	return receipt, err
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id after.
func (svc *Service) ReceiptIDs(ctx context.Context, c workspace.Caller, receipt, after graph.ID, first int) ([]graph.ID, error) {
	if _, err := svc.DeletionReceipt(ctx, c, receipt); err != nil {
		return nil, nil // no receipt, or that of another principal
	}
	var ids []graph.ID
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) (err error) { ids, err = r.ReceiptIDs(receipt, after, first); return err })
	return ids, err
}

// idHash is SHA-256 over ids joined by newlines.
type idHash struct {
	n int
	h interface {
		Write([]byte) (int, error)
		Sum([]byte) []byte
	}
}

func newIDHash() *idHash { return &idHash{h: sha256.New()} }

func (s *idHash) add(id graph.ID) {
	if s.n > 0 {
		s.h.Write([]byte{'\n'})
	}
	s.h.Write([]byte(id))
	s.n++
}

func (s *idHash) hex() string { return hex.EncodeToString(s.h.Sum(nil)) }
