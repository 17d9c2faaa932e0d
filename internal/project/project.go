// Package project finds out to which project a directory belongs.
package project

import (
	"os"
	"path/filepath"
	"strings"
)

// Of returns the project of a directory: the main working tree of the Git repository around it,
// so that all work trees of a repository are one project. It is derived from the common
// directory, as git rev-parse --git-common-dir prints it. Empty: the directory is in no
// repository.
func Of(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		git := filepath.Join(dir, ".git")
		switch info, err := os.Stat(git); {
		case err == nil && info.IsDir():
			return root(git)
		case err == nil:
			if common := commonDir(git); common != "" {
				return root(common)
			}
			return ""
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// root is the working tree of a common directory; a bare repository is its own.
func root(common string) string {
	if resolved, err := filepath.EvalSymlinks(common); err == nil {
		common = resolved
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return common
}

// commonDir follows the file .git of a work tree or a submodule: it names a directory, whose file
// commondir names the common one. A submodule has none: its directory is the common one.
func commonDir(file string) string {
	line, found := strings.CutPrefix(firstLine(file), "gitdir: ")
	if !found {
		return ""
	}
	own := within(filepath.Dir(file), line)
	if shared := firstLine(filepath.Join(own, "commondir")); shared != "" {
		return within(own, shared)
	}
	return own
}

// within resolves a path that may be relative to a directory.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// maxLine is the longest path in bytes that is read from a file.
const maxLine = 4096

// firstLine is the first line of a file; empty: it can't be read.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	raw := make([]byte, maxLine)
	n, err := f.Read(raw)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(raw[:n]), "\n")
	return strings.TrimSpace(line)
}
