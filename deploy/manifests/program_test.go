package manifests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
)

// program returns the path of the binary under test: SOMNOGRAPH_BIN, or one built from the sources.
func program(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var built string // directory of the binary that build makes

var build = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("SOMNOGRAPH_BIN"); given != "" {
		return filepath.Abs(given)
	}
	path := filepath.Join(built, "somnograph")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/somnograph")
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "manifests-")
	if err != nil {
		panic(err)
	}
	built = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// configured returns what somnograph config prints for the arguments of serve and an
// environment.
func configured(ctx context.Context, t *testing.T, args []string, environ map[string]string) (string, error) {
	t.Helper()
	if len(args) == 0 || args[0] != "serve" {
		t.Fatalf("started with %q", args)
	}
	cmd := exec.CommandContext(ctx, program(t), append([]string{"config"}, args[1:]...)...)
	cmd.Env = []string{}
	for k, v := range environ {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestProgramAcceptsSettings(t *testing.T) {
	found := 0
	check := func(at string, args []string, environ map[string]string) {
		t.Helper()
		found++
		out, err := configured(t.Context(), t, args, environ)
		if err != nil {
			t.Errorf("%s: %v: %s", at, err, out)
		}
		for k, v := range environ {
			if !strings.Contains(out, k) || !strings.Contains(out, v) {
				t.Errorf("%s: %s=%s has no effect: %s", at, k, v, out)
			}
		}
		if !strings.Contains(out, "/data") {
			t.Errorf("%s: its data directory is not in the volume", at)
		}
	}
	w := kubernetes(t)
	for _, x := range w.workloads {
		for _, c := range x.containers() {
			if c.Name == "somnograph" {
				check("kubernetes", c.Args, environment(w, c))
			}
		}
	}
	_, args := command(t)
	for _, file := range composeFiles {
		for name, s := range composed(t, file).Services {
			if isOurs(s) {
				check(file+": "+name, args, mapped(s.Environment))
			}
		}
	}
	if found != 4 {
		t.Errorf("found %d Somnographs, want 4", found)
	}
	for k, v := range map[string]string{"SOMNOGRAPH_STORES": "dgraph", "SOMNOGRAPH_ADDR": "0.0.0.0:8420"} {
		if out, err := configured(t.Context(), t, args, map[string]string{k: v}); err == nil {
			t.Errorf("%s=%s was accepted: %s", k, v, out)
		}
	}
}

func mapped(e types.MappingWithEquals) map[string]string {
	m := map[string]string{}
	for k, v := range e {
		if v != nil {
			m[k] = *v
		}
	}
	return m
}
