package manifests

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImageRuns builds the image from scratch and runs it, if podman is installed.
func TestImageRuns(t *testing.T) {
	if _, err := exec.LookPath("podman"); err != nil {
		t.Skip("podman is not installed: no image is built or run")
	}
	cmd := exec.CommandContext(t.Context(), "../image")
	// The script builds a static binary of its own: the one under test may need a C library.
	// It makes its own temporary directory, because podman allows paths of 50 characters only.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "SOMNOGRAPH_") })
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
