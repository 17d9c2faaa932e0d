package bucket_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/graph/recess/blobtest"
	"github.com/somnograph/somnograph/graph/recess/bucket"
)

// server creates a bucket for the test: at the S3 server that S3_TEST_ENDPOINT (with
// S3_TEST_ACCESS and S3_TEST_SECRET) names, else at an s3Server in this process.
func server(t *testing.T, name string) bucket.Options {
	t.Helper()
	o := bucket.Options{Bucket: name, Prefix: "somnograph/", Region: "us-east-1", Plain: true, AccessKey: "access", SecretKey: "secret-secret", Retries: 1}
	if o.Endpoint = os.Getenv("S3_TEST_ENDPOINT"); o.Endpoint != "" {
		o.AccessKey, o.SecretKey = os.Getenv("S3_TEST_ACCESS"), os.Getenv("S3_TEST_SECRET")
	} else {
		s := httptest.NewServer(newS3Server())
		t.Cleanup(s.Close)
		o.Endpoint = strings.TrimPrefix(s.URL, "http://")
	}
	c, err := minio.New(o.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""), Region: o.Region})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.MakeBucket(t.Context(), name, minio.MakeBucketOptions{Region: o.Region}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for obj := range c.ListObjectsIter(context.Background(), name, minio.ListObjectsOptions{Recursive: true}) {
			if err := c.RemoveObject(context.Background(), name, obj.Key, minio.RemoveObjectOptions{}); err != nil {
				t.Error(err)
			}
		}
		if err := c.RemoveBucket(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return o
}

func open(t *testing.T, o bucket.Options) *bucket.Bucket {
	t.Helper()
	b, err := bucket.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestContract(t *testing.T) { blobtest.Check(t, open(t, server(t, "contract"))) }

func TestOpenRefuses(t *testing.T) {
	o := server(t, "refusals")
	o.Bucket = "missing"
	if _, err := bucket.Open(t.Context(), o); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a missing bucket: %v", err)
	}
	o.Endpoint = "127.0.0.1:1"
	if _, err := bucket.Open(t.Context(), o); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("an unreachable server: %v", err)
	}
	o.Prefix = "../out/"
	if _, err := bucket.Open(t.Context(), o); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a prefix that leads out: %v", err)
	}
}

// A recess over a bucket: engrave, seal, read, damage, erase.
func TestRecessOverBucket(t *testing.T) {
	b := open(t, server(t, "recess"))
	alarms := 0
	o := recess.Options{Dir: t.TempDir(), Blob: b, Rand: rand.NewChaCha8([32]byte{3}), Alarm: func(recess.Alarm) { alarms++ }}
	r, err := recess.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	scope := graph.Scope{Tenant: "kiwi"}
	at := time.Date(2026, 2, 19, 8, 0, 0, 0, time.UTC)
	ids := graph.NewIDSource(rand.NewChaCha8([32]byte{4}))
	var list []recess.Engram
	for i := range 40 {
		id, err := ids.New(at.Add(time.Duration(i) * time.Second))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, recess.Engram{EngravedAt: at, Memory: graph.Memory{
			ID: id, Chain: id, Version: 1, Namespace: "main", Type: graph.Semantic, Content: "The kite flies at noon.", Subject: []string{"", "kite", "noon"}[i%3],
			DecayClass: graph.DecaySlow, Sensitivity: graph.Public, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
			CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at, History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L2}},
		}})
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(r.Append(t.Context(), scope, list...))
	s, err := r.Seal(t.Context(), scope)
	must(err)
	if s.Engrams != len(list) || s.Files != 1 {
		t.Fatalf("sealed %+v", s)
	}
	must(r.Close())
	if r, err = recess.Open(o); err != nil {
		t.Fatal(err)
	}
	defer func() { must(r.Close()) }()
	names := func() (list []string) {
		must(b.List(t.Context(), "kiwi/main/2026/02/19/", func(i recess.BlobInfo) error {
			list = append(list, i.Name)
			return nil
		}))
		return list
	}
	before := names()
	if len(before) != 1 {
		t.Fatalf("files %q", before)
	}
	_, err = r.Erase(t.Context(), scope, list[0].Memory.ID, list[1].Memory.ID)
	must(err)
	after := names()
	if len(after) != 1 || after[0] == before[0] {
		t.Fatalf("files %q, then %q", before, after)
	}
	for _, e := range list[2:] {
		got, err := r.Read(t.Context(), scope, e.Memory.ID)
		must(err)
		if got.Memory.Content != e.Memory.Content {
			t.Fatalf("read %q", got.Memory.Content)
		}
	}
	body, err := b.Get(t.Context(), after[0])
	must(err)
	data, err := io.ReadAll(body)
	must(errors.Join(err, body.Close()))
	if strings.Contains(string(data), "kite") {
		t.Error("unencrypted content")
	}
	data[len(data)/2] ^= 1
	must(b.Put(t.Context(), after[0], int64(len(data)), strings.NewReader(string(data))))
	blocked := 0
	for _, e := range list[2:] {
		if _, err := r.Read(t.Context(), scope, e.Memory.ID); errors.Is(err, graph.ErrIntegrity) {
			blocked++
		}
	}
	if blocked == 0 || alarms != blocked {
		t.Errorf("%d blocked, %d alarms", blocked, alarms)
	}
}
