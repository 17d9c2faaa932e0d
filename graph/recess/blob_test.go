package recess

import (
	"context"
	"errors"
	"io"
	"sync"
)

// faultyBlob fails every call while err is set.
type faultyBlob struct {
	Blob
	mu  sync.Mutex
	err error
}

func (b *faultyBlob) set(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

func (b *faultyBlob) fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

func (b *faultyBlob) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	return errors.Join(b.fault(), func() error {
		if b.fault() != nil {
			return nil
		}
		return b.Blob.Put(ctx, name, size, r)
	}())
}

func (b *faultyBlob) ReadRange(ctx context.Context, name string, p []byte, at int64) error {
	if err := b.fault(); err != nil {
		return err
	}
	return b.Blob.ReadRange(ctx, name, p, at)
}

func (b *faultyBlob) Stat(ctx context.Context, name string) (BlobInfo, error) {
	if err := b.fault(); err != nil {
		return BlobInfo{}, err
	}
	return b.Blob.Stat(ctx, name)
}
