// Package filetest searches the files of a store for what must not be in them.
package filetest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Found is the result of a search.
type Found struct {
	Files int      // how many files were searched
	Times int      // how often a mark was found
	In    []string // the paths of the files that hold a mark
}

// Marks searches all files below a directory for marks. A store may have the directory open: if a file is
// removed meanwhile, what it held may be in a new one, and the search begins again.
func Marks(t testing.TB, dir string, marks ...[]byte) Found {
	t.Helper()
	for {
		var found Found
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(path)
			before := found.Times
			for _, mark := range marks {
				found.Times += bytes.Count(b, mark)
			}
			if found.Files++; found.Times > before {
				found.In = append(found.In, path)
			}
			return err
		})
		switch {
		case err == nil:
			return found
		case !errors.Is(err, fs.ErrNotExist) || t.Context().Err() != nil:
			t.Fatal(err)
		}
	}
}
