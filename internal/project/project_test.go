package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestAllWorkTreesAreOneProject(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(top, "atlas")
	git := func(dir string, args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git(top, "init", "-q", main)
	git(main, "commit", "-q", "--allow-empty", "-m", "one")
	git(main, "worktree", "add", "-q", filepath.Join(top, "beside"), "-b", "beside")
	git(main, "worktree", "add", "-q", filepath.Join(main, "inside"), "-b", "inside")
	git(top, "init", "-q", "--bare", filepath.Join(top, "bare.git"))
	other := filepath.Join(top, "other")
	git(top, "init", "-q", other)
	git(other, "submodule", "--quiet", "add", main, "lib")
	deep := filepath.Join(top, "beside", "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(top, "broken")
	if err := os.MkdirAll(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, ".git"), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		main: main, deep: main, filepath.Join(main, "inside"): main, other: other,
		filepath.Join(other, "lib"): filepath.Join(other, ".git", "modules", "lib"), broken: "", top: "",
	} {
		if got := Of(dir); got != want {
			t.Errorf("the project of %s is %q, want %q", dir, got, want)
		}
	}
}
