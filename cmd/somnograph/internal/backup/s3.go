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
	if scheme, _, found := strings.Cut(where, "://"); found && scheme != "s3" {
		return nil, fmt.Errorf("%q must be a directory or s3://bucket/prefix", where)
	}
	if !strings.HasPrefix(where, "s3://") {
		return Directory(where, create)
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
	b, err := bucket.Open(ctx, bucket.Options{
		Endpoint: endpoint, Bucket: u.Host, Prefix: prefix, Region: s.Region, AccessKey: s.AccessKey, SecretKey: s.SecretKey, Plain: s.Insecure,
	})
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", where, endpoint, err)
	}
	return &bucketTarget{where, b}, nil
}

// bucketTarget is a target in a bucket.
type bucketTarget struct {
	where string
	blob  recess.Blob
}

func (b *bucketTarget) String() string { return b.where }
func (*bucketTarget) Kind() string     { return "s3" }

func (b *bucketTarget) Put(ctx context.Context, name string, object []byte) error {
	return b.blob.Put(ctx, name, int64(len(object)), bytes.NewReader(object))
}

func (b *bucketTarget) Get(ctx context.Context, name string) ([]byte, error) {
	r, err := b.blob.Get(ctx, name)
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
	err = b.blob.List(ctx, "", func(i recess.BlobInfo) error {
		names = append(names, i.Name)
		return nil
	})
	sort.Strings(names)
	return names, err
}

func (b *bucketTarget) Delete(ctx context.Context, name string) error {
	return b.blob.Delete(ctx, name)
}
