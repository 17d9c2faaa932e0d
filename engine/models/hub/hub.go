// Package hub downloads models from the Hugging Face hub, or from a mirror with the same
// paths. A downloaded model stays in a directory, and later calls make no network request.
package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Address is the URL of the hub.
const Address = "https://huggingface.co"

// Hub downloads from one URL into one directory. Several processes may share the directory:
// files appear in it only when complete.
type Hub struct {
	URL   string // empty: Address
	Token string // secret, for models that require one; sent to URL only
	Dir   string // root directory of the downloaded models
	// Progress receives the bytes of a file so far and in total (0: unknown). May be nil.
	Progress func(file string, done, total int64)
	// Stall is the idle timeout of a download. Zero: 30 s.
	Stall time.Duration
}

// namePattern is owner/model with an optional @revision.
var namePattern = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]{0,95})/([A-Za-z0-9][A-Za-z0-9._-]{0,95})(?:@([A-Za-z0-9][A-Za-z0-9._-]{0,127}))?$`)

// errAbsent means that the hub has no such file.
var errAbsent = errors.New("the hub has no such model, revision or file")

// File is a file of a model, with its maximum size in bytes.
type File struct {
	Name string
	Most int64
}

// Fetch returns a directory with the files of a model, "owner/model" or "owner/model@revision"
// (branch, tag or commit; default "main"). Existing files are not downloaded again, even if
// the branch has changed: remove the directory to update the model. All files come from one
// folder, the first of folders that contains the first file ("" is the top level).
func (h Hub) Fetch(ctx context.Context, name string, files []File, folders ...string) (string, error) {
	m := namePattern.FindStringSubmatch(name)
	if m == nil {
		return "", fmt.Errorf("hub: %q is not the name of a model: want owner/model or owner/model@revision", name)
	}
	owner, model, revision := m[1], m[2], m[3]
	if revision == "" {
		revision = "main"
	}
	base, err := h.base()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(h.Dir, owner+"--"+model, revision)
	if complete(dir, files) {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("hub: the directory for models: %w", err)
	}
	for _, folder := range folders {
		at := base.JoinPath(owner, model, "resolve", revision, folder)
		if err = h.all(ctx, at, dir, files); !errors.Is(err, errAbsent) {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("hub: %s: %w", name, err)
	}
	return dir, nil
}

// all downloads the missing files.
func (h Hub) all(ctx context.Context, at *url.URL, dir string, files []File) error {
	for i, f := range files {
		if _, err := os.Stat(filepath.Join(dir, f.Name)); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err := h.file(ctx, at.JoinPath(f.Name), dir, f)
		switch {
		case err == nil:
		case i > 0 && errors.Is(err, errAbsent):
			return fmt.Errorf("the hub has no %s next to %s", f.Name, files[0].Name)
		default:
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// base returns the parsed URL of the hub.
func (h Hub) base() (*url.URL, error) {
	if h.URL == "" {
		h.URL = Address
	}
	u, err := url.Parse(h.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, errors.New("hub: the URL must begin with https:// or http:// and name a host")
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	return u, nil
}

func complete(dir string, files []File) bool {
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(dir, f.Name)); err != nil {
			return false
		}
	}
	return true
}
