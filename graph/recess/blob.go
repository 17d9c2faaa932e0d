package recess

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrNoBlob is returned by a Blob for a missing object.
var ErrNoBlob = errors.New("recess: no such blob")

// Blob stores sealed files. A name is a relative path of slashes, letters, digits, dots,
// hyphens and underscores, without "." or ".." as a part. An object is written once, as a
// whole, and never changed. All methods are safe for concurrent use.
type Blob interface {
	// Put stores size bytes of r under the name and replaces an existing object. It is
	// atomic (a reader sees the old object, none, or the whole new one) and durable
	// when it returns nil.
	Put(ctx context.Context, name string, size int64, r io.Reader) error
	// Get reads the whole object; the caller closes it. ErrNoBlob if there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// ReadRange fills p from the offset, or fails: ErrNoBlob if there is no such
	// object, io.ErrUnexpectedEOF if it is too short.
	ReadRange(ctx context.Context, name string, p []byte, offset int64) error
	// List calls fn for each object whose name begins with the prefix, in any order,
	// until fn fails.
	List(ctx context.Context, prefix string, fn func(BlobInfo) error) error
	// Delete removes the object. A missing object is no error.
	Delete(ctx context.Context, name string) error
	// Stat describes the object, or returns ErrNoBlob.
	Stat(ctx context.Context, name string) (BlobInfo, error)
}

// BlobInfo describes an object. If two infos of one name are equal, the object was not
// replaced between them, as far as the storage can tell.
type BlobInfo struct {
	Name    string
	Size    int64     // bytes
	ModTime time.Time // as precise as the storage stores it
	Tag     string    // entity tag, if the storage has one
}
