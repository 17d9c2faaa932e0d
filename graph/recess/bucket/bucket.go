// Package bucket keeps the sealed files of a recess in an S3-compatible bucket.
//
// Only sealed files are stored there. Journals, keys, manifests and codebooks stay in the
// recess's directory on the local disk, so the bucket alone can't be read. Versioning of
// the bucket should be off: an old version of a file that an erasure replaced can't be
// opened any more, but it takes space.
package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/recess"
)

// Options name a bucket and say how to reach it.
type Options struct {
	Endpoint string // host:port, without a scheme
	Bucket   string // must exist
	Prefix   string // prefix of every name, such as "somnograph/"; may be empty
	Region   string // empty: the client asks the server
	// AccessKey and SecretKey sign requests. Both empty: those of the environment, then of
	// the machine's role.
	AccessKey, SecretKey string
	// Plain uses HTTP without TLS: for a server on the same machine.
	Plain bool
	// Transport sends the requests. Nil: the client's own, with its time-outs.
	Transport http.RoundTripper
	// Retries is how often a request is tried. Zero: 5.
	Retries int
}

// Bucket is a recess.Blob. It is safe for concurrent use.
type Bucket struct {
	client       *minio.Client
	name, prefix string
}

var _ recess.Blob = (*Bucket)(nil)

// Open connects and checks that the bucket exists.
func Open(ctx context.Context, o Options) (*Bucket, error) {
	if o.Prefix != "" {
		if err := recess.CheckBlobName(strings.TrimSuffix(o.Prefix, "/")); err != nil {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "prefix", "must be a relative path")
		}
	}
	if o.Retries == 0 {
		o.Retries = 5
	}
	keys := credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")
	if o.AccessKey == "" && o.SecretKey == "" {
		keys = credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.IAM{}})
	}
	c, err := minio.New(o.Endpoint, &minio.Options{
		Creds: keys, Secure: !o.Plain, Transport: o.Transport, Region: o.Region, MaxRetries: o.Retries,
	})
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "endpoint", "can't be used: %v", err)
	}
	there, err := c.BucketExists(ctx, o.Bucket)
	if err != nil {
		return nil, fmt.Errorf("%w: bucket %s: %w", graph.ErrUnavailable, o.Bucket, err)
	}
	if !there {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "bucket", "%s does not exist", o.Bucket)
	}
	return &Bucket{client: c, name: o.Bucket, prefix: o.Prefix}, nil
}

// key is the name of an object in the bucket.
func (b *Bucket) key(name string) (string, error) {
	if err := recess.CheckBlobName(name); err != nil {
		return "", err
	}
	return b.prefix + name, nil
}

// translate converts an error of the server to one of the Blob contract.
func translate(err error) error {
	var r minio.ErrorResponse
	if !errors.As(err, &r) {
		return err
	}
	switch {
	case r.Code == "NoSuchKey" || r.Code == "NotFound" || r.StatusCode == http.StatusNotFound && r.Code != "NoSuchBucket":
		return fmt.Errorf("%w: %w", recess.ErrNoBlob, err)
	case r.Code == "InvalidRange" || r.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	return err
}

// Put uploads the object; readers see it when the upload is complete.
func (b *Bucket) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	key, err := b.key(name)
	if err != nil {
		return err
	}
	info, err := b.client.PutObject(ctx, b.name, key, r, size, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return translate(err)
	}
	if info.Size != size {
		return fmt.Errorf("bucket: received %d bytes of %d", info.Size, size)
	}
	return nil
}

// ErrChanged is returned by PutIf if the bucket has another object than the one expected.
var ErrChanged = errors.New("bucket: the object was changed")

// PutIf uploads an object if the one with this name has the entity tag that [Bucket.Stat] returned, or, with
// an empty tag, if there is none. Otherwise it returns ErrChanged. The server decides; one that knows
// no conditions returns an error that is [errors.ErrUnsupported].
func (b *Bucket) PutIf(ctx context.Context, name, tag string, object []byte) error {
	key, err := b.key(name)
	if err != nil {
		return err
	}
	o := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	if tag == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(tag)
	}
	_, err = b.client.PutObject(ctx, b.name, key, bytes.NewReader(object), int64(len(object)), o)
	var r minio.ErrorResponse
	if errors.As(err, &r) {
		switch r.StatusCode {
		case http.StatusPreconditionFailed, http.StatusConflict:
			return fmt.Errorf("%w: %w", ErrChanged, err)
		case http.StatusNotImplemented:
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
	}
	return translate(err)
}

// Get downloads the object.
func (b *Bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	key, err := b.key(name)
	if err != nil {
		return nil, err
	}
	core := minio.Core{Client: b.client}
	body, _, _, err := core.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, translate(err)
	}
	return body, nil
}

// ReadRange downloads a part of the object.
func (b *Bucket) ReadRange(ctx context.Context, name string, p []byte, offset int64) error {
	key, err := b.key(name)
	if err != nil || len(p) == 0 {
		return err
	}
	var o minio.GetObjectOptions
	if err := o.SetRange(offset, offset+int64(len(p))-1); err != nil {
		return err
	}
	core := minio.Core{Client: b.client}
	body, _, _, err := core.GetObject(ctx, b.name, key, o)
	if err != nil {
		return translate(err)
	}
	_, err = io.ReadFull(body, p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return errors.Join(err, body.Close())
}

// List lists the objects whose names begin with the prefix.
func (b *Bucket) List(ctx context.Context, prefix string, fn func(recess.BlobInfo) error) error {
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}) {
		if o.Err != nil {
			return translate(o.Err)
		}
		if err := fn(b.info(strings.TrimPrefix(o.Key, b.prefix), o)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Delete removes the object.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	key, err := b.key(name)
	if err != nil {
		return err
	}
	if err := translate(b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{})); !errors.Is(err, recess.ErrNoBlob) {
		return err
	}
	return nil
}

// Stat reads the object's size, time and tag.
func (b *Bucket) Stat(ctx context.Context, name string) (recess.BlobInfo, error) {
	key, err := b.key(name)
	if err != nil {
		return recess.BlobInfo{}, err
	}
	o, err := b.client.StatObject(ctx, b.name, key, minio.StatObjectOptions{})
	if err != nil {
		return recess.BlobInfo{}, translate(err)
	}
	return b.info(name, o), nil
}

func (*Bucket) info(name string, o minio.ObjectInfo) recess.BlobInfo {
	return recess.BlobInfo{Name: name, Size: o.Size, ModTime: o.LastModified, Tag: o.ETag}
}
