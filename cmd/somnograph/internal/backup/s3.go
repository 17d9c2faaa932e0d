package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sort"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/graph/recess/bucket"
)

// S3 says how to reach a bucket.
type S3 struct {
	Endpoint string // host:port; empty: s3.amazonaws.com
	Region   string // empty: the client asks the server
	// AccessKey and SecretKey sign requests. Both empty: those of the environment, then of the
	// machine's role.
	AccessKey, SecretKey string
	Insecure             bool // HTTP without TLS
}

// OpenTarget opens a target: a directory, or s3://bucket/prefix. create makes a missing directory.
func OpenTarget(ctx context.Context, where string, s S3, create bool) (Target, error) {
	t, err := ParseTarget(where, s)
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case directory:
		return Directory(where, create)
	case *bucketTarget:
		if _, err := t.open(ctx); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// ParseTarget returns a target that is not opened yet: it may not exist, or not answer, as long as it
// is not used.
func ParseTarget(where string, s S3) (Target, error) {
	if scheme, _, found := strings.Cut(where, "://"); found && scheme != "s3" {
		return nil, fmt.Errorf("%q must be a directory or s3://bucket/prefix", where)
	}
	if !strings.HasPrefix(where, "s3://") {
		return directory(where), nil
	}
	u, err := url.Parse(where)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("%q must be s3://bucket or s3://bucket/prefix", where)
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	endpoint := s.Endpoint
	if endpoint == "" {
		endpoint = "s3.amazonaws.com"
	}
	return &bucketTarget{where: where, o: bucket.Options{
		Endpoint: endpoint, Bucket: u.Host, Prefix: prefix, Region: s.Region, AccessKey: s.AccessKey, SecretKey: s.SecretKey, Plain: s.Insecure,
	}}, nil
}

// bucketTarget is a target in a bucket, which is opened when it is used.
type bucketTarget struct {
	where string
	o     bucket.Options

	mu   sync.Mutex
	blob *bucket.Bucket // nil: it is not open
}

// open opens the bucket, unless it is open.
func (b *bucketTarget) open(ctx context.Context) (*bucket.Bucket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.blob != nil {
		return b.blob, nil
	}
	opened, err := bucket.Open(ctx, b.o)
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", b.where, b.o.Endpoint, err)
	}
	b.blob = opened
	return opened, nil
}

func (b *bucketTarget) String() string  { return b.where }
func (*bucketTarget) Kind() string      { return "s3" }
func (b *bucketTarget) Names() []string { return []string{b.where, b.o.Endpoint, b.o.Bucket} }

// Make does nothing: buckets are made by their owners.
func (*bucketTarget) Make(context.Context) error { return nil }

func (b *bucketTarget) Put(ctx context.Context, name string, object []byte) error {
	blob, err := b.open(ctx)
	if err != nil {
		return err
	}
	return blob.Put(ctx, name, int64(len(object)), bytes.NewReader(object))
}

// Swap lets the server decide by the entity tag. With a server that has no tags or knows no conditions,
// another process that writes at the same instant is not seen.
func (b *bucketTarget) Swap(ctx context.Context, name string, old, object []byte) error {
	blob, err := b.open(ctx)
	if err != nil {
		return err
	}
	tag := ""
	if old != nil { // the tag before the bytes: a change between the two is seen by one of them
		info, err := blob.Stat(ctx, name)
		if errors.Is(err, recess.ErrNoBlob) {
			return ErrChanged
		}
		if err != nil {
			return err
		}
		tag = info.Tag
	}
	found, err := b.Get(ctx, name)
	if err != nil && !errors.Is(err, ErrNoObject) {
		return err
	}
	if err == nil != (old != nil) || !bytes.Equal(found, old) {
		return ErrChanged
	}
	if old != nil && tag == "" {
		return b.Put(ctx, name, object)
	}
	err = blob.PutIf(ctx, name, tag, object)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return b.Put(ctx, name, object)
	case errors.Is(err, bucket.ErrChanged): // or an answer was lost and the request repeated
		if found, e := b.Get(ctx, name); e == nil && bytes.Equal(found, object) {
			return nil
		}
		return ErrChanged
	}
	return err
}

func (b *bucketTarget) Get(ctx context.Context, name string) ([]byte, error) {
	blob, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	r, err := blob.Get(ctx, name)
	if errors.Is(err, recess.ErrNoBlob) {
		return nil, ErrNoObject
	}
	if err != nil {
		return nil, err
	}
	object, err := io.ReadAll(r)
	return object, errors.Join(err, r.Close())
}

func (b *bucketTarget) List(ctx context.Context) (names []string, err error) {
	blob, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	err = blob.List(ctx, "", func(i recess.BlobInfo) error {
		if isObject(i.Name) {
			names = append(names, i.Name)
		}
		return nil
	})
	sort.Strings(names)
	return names, err
}

func (b *bucketTarget) Delete(ctx context.Context, name string) error {
	blob, err := b.open(ctx)
	if err != nil {
		return err
	}
	return blob.Delete(ctx, name)
}
