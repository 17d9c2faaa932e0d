package config

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/graph/recess/bucket"
)

// Blob opens the bucket of the recess; nil: its files are in the data directory.
func (r Recess) Blob(ctx context.Context) (recess.Blob, error) {
	if r.Endpoint == "" {
		return nil, nil
	}
	b, err := bucket.Open(ctx, bucket.Options{
		Endpoint: r.Endpoint, Bucket: r.Bucket, Prefix: r.Prefix, Region: r.Region, AccessKey: r.AccessKey, SecretKey: r.SecretKey, Plain: r.Insecure,
	})
	if err != nil {
		return nil, fmt.Errorf("recess.endpoint: %w", err)
	}
	return b, nil
}
