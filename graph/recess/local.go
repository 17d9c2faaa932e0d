package recess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// localBlob stores objects as files in a directory.
type localBlob struct {
	disk disk
	root string
}

// newLocal keeps sealed files below the directory, which it creates if necessary. An object
// is written under a temporary name, synced and renamed.
func newLocal(d disk, dir string) (*localBlob, error) {
	if err := d.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("recess: %w", err)
	}
	return &localBlob{d, dir}, nil
}

// partial is the suffix of an object that is being written.
const partial = ".new"

// CheckBlobName returns an error if a name could lead outside of a Blob.
func CheckBlobName(name string) error {
	if name == "" || path.Clean(name) != name || path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") || name == "." ||
		strings.ContainsFunc(name, func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-", r))
		}) {
		return fmt.Errorf("recess: %q is not a valid name of a blob", name)
	}
	return nil
}

func (b *localBlob) path(name string) (string, error) {
	if err := CheckBlobName(name); err != nil {
		return "", err
	}
	return filepath.Join(b.root, filepath.FromSlash(name)), nil
}

func (b *localBlob) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	p, err := b.path(name)
	if err != nil {
		return err
	}
	if err := makeDir(b.disk, b.root, filepath.Dir(p)); err != nil {
		return err
	}
	f, err := b.disk.Create(p + partial)
	if err != nil {
		return err
	}
	n, err := io.Copy(io.NewOffsetWriter(f, 0), contextReader{ctx, r})
	if err == nil && n != size {
		err = fmt.Errorf("recess: %d bytes instead of %d", n, size)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = errors.Join(b.disk.Rename(p+partial, p), b.disk.SyncDir(filepath.Dir(p)))
	}
	if err != nil {
		return errors.Join(err, b.disk.Remove(p+partial))
	}
	return nil
}

// contextReader fails when its context ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// open opens the file of a name.
func (b *localBlob) open(name string) (file, error) {
	p, err := b.path(name)
	if err != nil {
		return nil, err
	}
	f, err := b.disk.Open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoBlob
	}
	return f, err
}

type sectionCloser struct {
	*io.SectionReader
	io.Closer
}

func (b *localBlob) Get(_ context.Context, name string) (io.ReadCloser, error) {
	f, err := b.open(name)
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return sectionCloser{io.NewSectionReader(f, 0, size), f}, nil
}

func (b *localBlob) ReadRange(_ context.Context, name string, p []byte, offset int64) error {
	f, err := b.open(name)
	if err != nil {
		return err
	}
	return errors.Join(readFull(f, p, offset), f.Close())
}

func (b *localBlob) List(ctx context.Context, prefix string, fn func(BlobInfo) error) error {
	return b.walk(ctx, "", prefix, fn)
}

func (b *localBlob) walk(ctx context.Context, dir, prefix string, fn func(BlobInfo) error) error {
	entries, err := b.disk.ReadDir(filepath.Join(b.root, filepath.FromSlash(dir)))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.name)
		if e.dir {
			// Descend only if the prefix can still match.
			if strings.HasPrefix(name+"/", prefix) || strings.HasPrefix(prefix, name+"/") {
				if err := b.walk(ctx, name, prefix, fn); err != nil {
					return err
				}
			}
			continue
		}
		if !strings.HasPrefix(name, prefix) || strings.HasSuffix(name, partial) {
			continue
		}
		info, err := b.Stat(ctx, name)
		if errors.Is(err, ErrNoBlob) {
			continue
		}
		if err != nil {
			return err
		}
		if err := fn(info); err != nil {
			return err
		}
	}
	return nil
}

func (b *localBlob) Delete(_ context.Context, name string) error {
	p, err := b.path(name)
	if err != nil {
		return err
	}
	if err := b.disk.Remove(p + partial); err != nil {
		return err
	}
	if _, _, err := b.disk.Stat(p); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(b.disk.Remove(p), b.disk.SyncDir(filepath.Dir(p)))
}

func (b *localBlob) Stat(_ context.Context, name string) (BlobInfo, error) {
	p, err := b.path(name)
	if err != nil {
		return BlobInfo{}, err
	}
	size, changed, err := b.disk.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return BlobInfo{}, ErrNoBlob
	}
	return BlobInfo{Name: name, Size: size, ModTime: changed}, err
}
