package manifests

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// dockerfile parses the Dockerfile as BuildKit does.
func dockerfile(t *testing.T) []instructions.Stage {
	t.Helper()
	parsed, err := parser.Parse(strings.NewReader(read(t, "Dockerfile")))
	if err != nil {
		t.Fatal(err)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(stages) != 2 {
		t.Fatalf("%d stages", len(stages))
	}
	return stages
}

// command returns the entry point of the image and its default arguments.
func command(t *testing.T) (entry, args []string) {
	t.Helper()
	for _, c := range dockerfile(t)[1].Commands {
		switch c := c.(type) {
		case *instructions.EntrypointCommand:
			entry = c.CmdLine
		case *instructions.CmdCommand:
			args = c.CmdLine
		}
	}
	return entry, args
}

func TestImage(t *testing.T) {
	stages := dockerfile(t)
	for _, s := range stages {
		if err := checkImage(s.BaseName); err != nil {
			t.Error(err)
		}
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	if wanted == nil || !strings.HasPrefix(stages[0].BaseName, "golang:"+string(wanted[1])+".") {
		t.Errorf("built with %s, go.mod says %s", stages[0].BaseName, wanted)
	}
	user, volumes, healthy := "", []string{}, []string{}
	for _, c := range stages[1].Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.VolumeCommand:
			volumes = append(volumes, c.Volumes...)
		case *instructions.CopyCommand:
			if c.From != stages[0].Name {
				t.Errorf("copies from stage %q", c.From)
			}
		case *instructions.HealthCheckCommand:
			healthy = c.Health.Test
		case *instructions.RunCommand:
			t.Error("RUN in an image without a shell")
		}
	}
	if user != "65532:65532" || !slices.Equal(volumes, []string{"/data", "/keys"}) {
		t.Errorf("user %q, volumes %q", user, volumes)
	}
	// The check runs in the container, where the server listens on the default address.
	if !slices.Equal(healthy, []string{"CMD", "/somnograph", "ready"}) {
		t.Errorf("health check %q", healthy)
	}
	if entry, args := command(t); !slices.Equal(entry, []string{"/somnograph"}) || len(args) == 0 || args[0] != "serve" {
		t.Errorf("command %q %q", entry, args)
	}
}

// The program is not built from anything that .dockerignore excludes.
func TestDockerignoreKeepsBuildInputs(t *testing.T) {
	const module = "github.com/somnograph/somnograph/"
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/somnograph")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{"web/dist", "go.mod", "go.sum"}
	for line := range strings.Lines(string(out)) {
		if path, ours := strings.CutPrefix(strings.TrimSpace(line), module); ours {
			packages = append(packages, path)
		}
	}
	if len(packages) < 20 {
		t.Fatalf("too few packages: %q", packages)
	}
	for line := range strings.Lines(read(t, "Dockerfile.dockerignore")) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		anywhere, deep := strings.CutPrefix(pattern, "**/")
		for _, p := range packages {
			if !deep && (p == pattern || strings.HasPrefix(p, pattern+"/")) || deep && slices.Contains(strings.Split(p, "/"), anywhere) {
				t.Errorf("%s excludes %s", pattern, p)
			}
		}
	}
}
