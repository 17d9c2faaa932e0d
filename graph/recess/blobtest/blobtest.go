// Package blobtest tests the contract of a recess.Blob.
package blobtest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph/recess"
)

// Check tests an empty Blob against its contract.
func Check(t *testing.T, b recess.Blob) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		t.Helper()
		r, err := b.Get(ctx, name)
		must(err)
		text, err := io.ReadAll(r)
		must(errors.Join(err, r.Close()))
		return string(text)
	}
	put := func(name, text string) {
		t.Helper()
		must(b.Put(ctx, name, int64(len(text)), strings.NewReader(text)))
	}
	for _, name := range []string{"", "/a", "../a", "a/../../b", "a/./b", "a//b", "a b", "a\x00", ".", "a/.."} {
		if err := b.Put(ctx, name, 1, strings.NewReader("x")); err == nil {
			t.Errorf("name %q is already used", name)
		}
	}
	if _, err := b.Stat(ctx, "t/a"); !errors.Is(err, recess.ErrNoBlob) {
		t.Errorf("Stat of a missing blob: %v", err)
	}
	if err := b.ReadRange(ctx, "t/a", make([]byte, 1), 0); !errors.Is(err, recess.ErrNoBlob) {
		t.Errorf("range of a missing blob: %v", err)
	}
	if r, err := b.Get(ctx, "t/a"); !errors.Is(err, recess.ErrNoBlob) {
		t.Errorf("Get of a missing blob: %v %v", r, err)
	}
	must(b.Delete(ctx, "t/a"))
	put("t/a", "first")
	put("t/b/c", strings.Repeat("long ", 100_000))
	put("u/a", "other")
	one, err := b.Stat(ctx, "t/a")
	must(err)
	put("t/a", "second")
	two, err := b.Stat(ctx, "t/a")
	must(err)
	if one.Size != 5 || two.Size != 6 || one == two || two.Name != "t/a" {
		t.Errorf("%+v, then %+v", one, two)
	}
	if got := read("t/a"); got != "second" {
		t.Errorf("read %q", got)
	}
	p := make([]byte, 5)
	must(b.ReadRange(ctx, "t/b/c", p, 250_000))
	if !bytes.Equal(p, []byte("long ")) {
		t.Errorf("range %q", p)
	}
	if err := b.ReadRange(ctx, "t/a", p, 3); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("range after the end: %v", err)
	}
	var names []string
	must(b.List(ctx, "t/", func(i recess.BlobInfo) error {
		names = append(names, i.Name)
		return nil
	}))
	if len(names) != 2 {
		t.Errorf("listed %q", names)
	}
	stop := errors.New("enough")
	if err := b.List(ctx, "", func(recess.BlobInfo) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("List did not stop: %v", err)
	}
	if err := b.Put(ctx, "t/d", 10, strings.NewReader("short")); err == nil {
		t.Error("an object that is too short is stored")
	}
	if _, err := b.Stat(ctx, "t/d"); !errors.Is(err, recess.ErrNoBlob) {
		t.Errorf("half an object exists: %v", err)
	}
	must(b.Delete(ctx, "t/a"))
	if _, err := b.Stat(ctx, "t/a"); !errors.Is(err, recess.ErrNoBlob) {
		t.Errorf("deleted: %v", err)
	}
}
