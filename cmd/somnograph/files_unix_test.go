//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOtherUsersCannotReadTheFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := start(t, dir)
	remember(t, s.client(), "The winch sticks again.")
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if files++; info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil || files < 5 {
		t.Errorf("%d files, %v", files, err)
	}
	s.stop()
	if strings.Contains(s.log.String(), "chmod 700") {
		t.Errorf("the log warns of a directory of its own:\n%s", s.log)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s = start(t, dir)
	s.stop()
	if !strings.Contains(s.log.String(), "chmod 700") {
		t.Errorf("the log does not warn:\n%s", s.log)
	}
}
