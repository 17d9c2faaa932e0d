package recess

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrNoBlob is returned by a Blob for a name it does not hold.
var ErrNoBlob = errors.New("recess: no such blob")

// Blob is where sealed files lie. A name is a relative path of slashes, letters,
// digits, dots, hyphens and underscores, without "." or ".." as a part. An object is
// written once, whole, and never changed. All methods are safe for concurrent use.
type Blob interface {
	// Put stores size bytes of r under the name, replacing what was there. It is
	// atomic (a reader sees the old object, none, or the whole new one) and durable
	// when it returns nil.
	Put(ctx context.Context, name string, size int64, r io.Reader) error
	// Get reads the whole object; the caller closes it. ErrNoBlob where there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// ReadRange fills p from the offset, or fails: ErrNoBlob where there is no such
	// object, io.ErrUnexpectedEOF where it is shorter.
	ReadRange(ctx context.Context, name string, p []byte, offset int64) error
	// List calls fn for each object whose name begins with the prefix, in any order,
	// until fn fails.
	List(ctx context.Context, prefix string, fn func(BlobInfo) error) error
	// Delete removes the object. A name that is not there is no error.
	Delete(ctx context.Context, name string) error
	// Stat says what lies there, or ErrNoBlob.
	Stat(ctx context.Context, name string) (BlobInfo, error)
}

// BlobInfo describes an object. Two equal infos of one name mean that the object was
// not exchanged between them, as far as the storage can tell.
type BlobInfo struct {
	Name    string
	Size    int64     // bytes
	ModTime time.Time // as precise as the storage keeps it
	Tag     string    // entity tag, if the storage has one
}
