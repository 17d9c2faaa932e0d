// Package hub fetches models from the Hugging Face hub, or from a mirror that serves its
// paths, once: what was fetched stays in a directory, and from then on nothing asks the
// network.
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

// Address is where the hub is.
const Address = "https://huggingface.co"

// Hub fetches from one address into one directory. Several processes may share the
// directory: a file is there whole or not at all.
type Hub struct {
	URL   string // empty: Address
	Token string // secret, for models that want one; it goes to the URL alone
	Dir   string // what was fetched stays under it
	// Progress is told now and then how many bytes of a file have come, of how many
	// (0: the hub doesn't say). May be nil.
	Progress func(file string, done, total int64)
	// Stall is how long a download may bring nothing. Zero: 30 s.
	Stall time.Duration
}

// namePattern is owner/model, with @revision behind it where one is meant.
var namePattern = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]{0,95})/([A-Za-z0-9][A-Za-z0-9._-]{0,95})(?:@([A-Za-z0-9][A-Za-z0-9._-]{0,127}))?$`)

// errAbsent says that the hub has no such file.
var errAbsent = errors.New("the hub has no such model, revision or file")

// File is one file of a model, with the most bytes that it may have.
type File struct {
	Name string
	Most int64
}

// Fetch answers a directory with the files of a model, "owner/model" or
// "owner/model@revision" (a branch, a tag or a commit; without one "main"). Files that are
// there already are taken as they are: a branch that moves on is fetched again only when
// its directory is removed. All files are taken from one folder of the model: the first
// of the folders that has the first file ("" is the top).
func (h Hub) Fetch(ctx context.Context, name string, files []File, folders ...string) (string, error) {
	m := namePattern.FindStringSubmatch(name)
	if m == nil {
		return "", fmt.Errorf("hub: %q is no model: want owner/model or owner/model@revision", name)
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

// all fetches the files that are not there.
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
			return fmt.Errorf("the hub has no %s beside %s", f.Name, files[0].Name)
		default:
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// base is the address.
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
