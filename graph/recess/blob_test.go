package recess

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
)

// faultyBlob fails every call while it is told to.
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

func TestLocalBlob(t *testing.T) {
	b, err := NewLocal(t.TempDir())
	must(t, err)
	CheckBlob(t, b)
}

// CheckBlob holds a Blob to its contract.
func CheckBlob(t *testing.T, b Blob) {
	t.Helper()
	read := func(name string) string {
		t.Helper()
		r, err := b.Get(ctx, name)
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, errors.Join(err, r.Close()))
		return string(text)
	}
	put := func(name, text string) {
		t.Helper()
		must(t, b.Put(ctx, name, int64(len(text)), strings.NewReader(text)))
	}
	for _, name := range []string{"", "/a", "../a", "a/../../b", "a/./b", "a//b", "a b", "a\x00", ".", "a/.."} {
		if err := b.Put(ctx, name, 1, strings.NewReader("x")); err == nil {
			t.Errorf("name %q is taken", name)
		}
	}
	if _, err := b.Stat(ctx, "t/a"); !errors.Is(err, ErrNoBlob) {
		t.Errorf("stat of nothing: %v", err)
	}
	if err := b.ReadRange(ctx, "t/a", make([]byte, 1), 0); !errors.Is(err, ErrNoBlob) {
		t.Errorf("range of nothing: %v", err)
	}
	if r, err := b.Get(ctx, "t/a"); !errors.Is(err, ErrNoBlob) {
		t.Errorf("get of nothing: %v %v", r, err)
	}
	must(t, b.Delete(ctx, "t/a"))
	put("t/a", "first")
	put("t/b/c", strings.Repeat("long ", 100_000))
	put("u/a", "other")
	one, err := b.Stat(ctx, "t/a")
	must(t, err)
	put("t/a", "second")
	two, err := b.Stat(ctx, "t/a")
	must(t, err)
	if one.Size != 5 || two.Size != 6 || one == two || two.Name != "t/a" {
		t.Errorf("%+v, then %+v", one, two)
	}
	if got := read("t/a"); got != "second" {
		t.Errorf("read %q", got)
	}
	p := make([]byte, 5)
	must(t, b.ReadRange(ctx, "t/b/c", p, 250_000))
	if !bytes.Equal(p, []byte("long ")) {
		t.Errorf("range %q", p)
	}
	if err := b.ReadRange(ctx, "t/a", p, 3); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("range behind the end: %v", err)
	}
	var names []string
	must(t, b.List(ctx, "t/", func(i BlobInfo) error {
		names = append(names, i.Name)
		return nil
	}))
	if len(names) != 2 {
		t.Errorf("listed %q", names)
	}
	stop := errors.New("enough")
	if err := b.List(ctx, "", func(BlobInfo) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("list went on: %v", err)
	}
	if err := b.Put(ctx, "t/d", 10, strings.NewReader("short")); err == nil {
		t.Error("an object that is too short is stored")
	}
	if _, err := b.Stat(ctx, "t/d"); !errors.Is(err, ErrNoBlob) {
		t.Errorf("half an object lies there: %v", err)
	}
	must(t, b.Delete(ctx, "t/a"))
	if _, err := b.Stat(ctx, "t/a"); !errors.Is(err, ErrNoBlob) {
		t.Errorf("deleted: %v", err)
	}
}
