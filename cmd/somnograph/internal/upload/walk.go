package upload

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	ignore "github.com/sabhiram/go-gitignore"
)

// File is a file to ingest.
type File struct {
	Name string // on disk
	Path string // of the document: Name with slashes, cleaned
	Size int64
}

// Find returns the files that arguments name, sorted and each once: a file as it is, the files of a
// folder and of the folders in it, and what matches a pattern (*, ?, [a-z], {a,b}, ** for any
// folders). Of a folder it leaves out what is hidden, symbolic links, and with gitignore what
// the .gitignore files there and above in the repository exclude. An argument that names nothing is
// an error.
func Find(args []string, gitignore bool) ([]File, error) {
	found := map[string]File{}
	for _, arg := range args {
		names := []string{arg}
		if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?[{") {
			if names, err = doublestar.FilepathGlob(arg); err != nil {
				return nil, fmt.Errorf("%s: %w", arg, err)
			}
			if len(names) == 0 {
				return nil, fmt.Errorf("%s matches no file", arg)
			}
		}
		for _, name := range names {
			if err := collect(found, name, gitignore); err != nil {
				return nil, err
			}
		}
	}
	files := make([]File, 0, len(found))
	for _, f := range found {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// collect adds a file, or the files below a folder.
func collect(found map[string]File, root string, gitignore bool) error {
	var rules rules
	if gitignore {
		rules = rulesAbove(root)
	}
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != root && (strings.HasPrefix(d.Name(), ".") || gitignore && rules.exclude(name, d.IsDir())) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if gitignore {
				rules.read(name)
			}
			return nil
		}
		info, err := d.Info()
		if name == root {
			info, err = os.Stat(name) // an argument may be a link
		}
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			path := filepath.ToSlash(filepath.Clean(name))
			found[path] = File{name, path, info.Size()}
		}
		return nil
	})
}

// rules are the .gitignore files that apply, the outermost first.
type rules []rule

type rule struct {
	dir string // absolute
	*ignore.GitIgnore
}

// rulesAbove reads the .gitignore files above a folder, up to the root of its repository.
func rulesAbove(root string) rules {
	dir, err := filepath.Abs(root)
	if err != nil {
		return nil
	}
	var above []string
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		above = append(above, parent)
		if _, err := os.Stat(filepath.Join(parent, ".git")); err == nil {
			break
		}
		if parent == filepath.Dir(parent) {
			return nil // in no repository
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return nil // a repository of its own
	}
	var r rules
	for _, dir := range slices.Backward(above) {
		r.read(dir)
	}
	return r
}

// read adds the .gitignore of a folder, if there is one.
func (r *rules) read(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	g, err := ignore.CompileIgnoreFile(filepath.Join(abs, ".gitignore"))
	if err == nil {
		*r = append(*r, rule{abs, g})
	}
}

// exclude reports whether a file or folder is excluded. The innermost .gitignore with a pattern for
// it decides.
func (r rules) exclude(name string, dir bool) bool {
	abs, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	for _, x := range slices.Backward(r) {
		within, err := filepath.Rel(x.dir, abs)
		if err != nil || !filepath.IsLocal(within) {
			continue
		}
		within = filepath.ToSlash(within)
		if dir {
			within += "/"
		}
		if excluded, pattern := x.MatchesPathHow(within); pattern != nil {
			return excluded
		}
	}
	return false
}
