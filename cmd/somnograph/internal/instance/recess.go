package instance

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/recess"
)

// archive adapts the recess to the engine.
type archive struct {
	*recess.Recess
	blob     recess.Blob    // where sealed files are; nil: in dir
	dir      string         // its directory
	observer graph.Observer // nil: none
}

// errListed ends a listing.
var errListed = errors.New("listed")

// Ready returns nil if the storage of sealed files answers: the bucket lists, or the disk reads the directory.
func (a archive) Ready(ctx context.Context) error {
	if a.blob == nil {
		d, err := os.Open(a.dir)
		if err != nil {
			return err
		}
		if _, err = d.ReadDir(1); errors.Is(err, io.EOF) {
			err = nil
		}
		return errors.Join(err, d.Close())
	}
	err := a.blob.List(ctx, "", func(recess.BlobInfo) error { return errListed })
	if errors.Is(err, errListed) {
		return nil
	}
	return err
}

// Engrave appends an engram.
func (a archive) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) (err error) {
	ctx, end := graph.Observe(ctx, a.observer, graph.OperationWrite)
	defer end(&err)
	return a.Append(ctx, scope, recess.Engram{Memory: *m, Vector: vector, EngravedAt: at})
}

// Seal turns the journal into files.
func (a archive) Seal(ctx context.Context, scope graph.Scope) (err error) {
	ctx, end := graph.Observe(ctx, a.observer, graph.OperationCommit)
	defer end(&err)
	_, err = a.Recess.Seal(ctx, scope)
	return err
}

// Read returns a verified engram.
func (a archive) Read(ctx context.Context, scope graph.Scope, id graph.ID) (_ *graph.Memory, err error) {
	ctx, end := graph.Observe(ctx, a.observer, graph.OperationRead)
	defer end(&err)
	e, err := a.Recess.Read(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	return &e.Memory, nil
}

// Withdraw takes engrams out of the recess again.
func (a archive) Withdraw(ctx context.Context, scope graph.Scope, ids []graph.ID) (err error) {
	ctx, end := graph.Observe(ctx, a.observer, graph.OperationWrite)
	defer end(&err)
	return a.Recess.Withdraw(ctx, scope, ids...)
}

// Erase destroys engrams.
func (a archive) Erase(ctx context.Context, scope graph.Scope, ids []graph.ID) (found int, err error) {
	ctx, end := graph.Observe(ctx, a.observer, graph.OperationWrite)
	defer end(&err)
	erased, err := a.Recess.Erase(ctx, scope, ids...)
	return erased.Engrams, err
}
