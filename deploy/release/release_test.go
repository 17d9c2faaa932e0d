package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
	registry "github.com/modelcontextprotocol/registry/pkg/api/v0"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

const root = "../.."

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// strict decodes JSON without unknown fields.
func strict(t *testing.T, file string, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(read(t, file)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// goreleaser's own loader refuses unknown fields.
func TestGoreleaser(t *testing.T) {
	c, err := config.Load(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Version != 2 || len(c.Builds) != 1 || len(c.DockersV2) != 1 || len(c.Casks) != 1 || len(c.Brews) != 0 || len(c.Dockers) != 0 {
		t.Fatalf("version %d, %d builds, %d images, %d casks", c.Version, len(c.Builds), len(c.DockersV2), len(c.Casks))
	}
	var made []string
	for _, system := range c.Builds[0].Goos {
		for _, cpu := range c.Builds[0].Goarch {
			made = append(made, system+"_"+cpu)
		}
	}
	slices.Sort(made)
	if want := slices.Sorted(slices.Values(platforms)); !slices.Equal(made, want) {
		t.Errorf("built for %v, want %v", made, want)
	}
	if !slices.ContainsFunc(c.Archives, func(a config.Archive) bool {
		return slices.Equal(a.Formats, []string{"gz"}) && a.NameTemplate == "somnograph_{{ .Version }}_{{ .Os }}_{{ .Arch }}"
	}) {
		t.Error("npx somnograph finds no file: it asks for somnograph_VERSION_OS_ARCH.gz")
	}
	if c.Checksum.Algorithm != "sha256" || !slices.Contains(c.Builds[0].Ldflags, "-s -w -X main.version={{ .Version }}") {
		t.Errorf("checksums %q, linker flags %v", c.Checksum.Algorithm, c.Builds[0].Ldflags)
	}
	image := c.DockersV2[0]
	if _, err := os.Stat(filepath.Join(root, image.Dockerfile)); err != nil {
		t.Error(err)
	}
	if got := image.Labels["io.modelcontextprotocol.server.name"]; got != server(t).Name {
		t.Errorf("the image is labelled %q", got)
	}
}

// The archives contain the manual pages that a command before the builds writes.
func TestManualPages(t *testing.T) {
	c, err := config.Load(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const dir = "build/man"
	if !slices.ContainsFunc(c.Before.Hooks, func(h string) bool { return strings.HasSuffix(h, " ./cmd/somnograph man "+dir) }) {
		t.Errorf("no command writes %s: %q", dir, c.Before.Hooks)
	}
	if !slices.ContainsFunc(c.Archives[0].Files, func(f config.File) bool { return f.Source == dir+"/*.1" && f.Destination == "man/man1" }) {
		t.Errorf("the archive has %+v", c.Archives[0].Files)
	}
	binary := os.Getenv("SOMNOGRAPH_BIN")
	if binary == "" {
		binary = filepath.Join(root, "bin/somnograph")
	}
	out := t.TempDir()
	if said, err := exec.Command(binary, "man", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	pages, err := filepath.Glob(filepath.Join(out, "*.1"))
	if err != nil || len(pages) < 20 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
}

func server(t *testing.T) registry.ServerJSON {
	t.Helper()
	var s registry.ServerJSON
	strict(t, "server.json", &s)
	return s
}

// The schema is that of the registry's module, in the version that the file names.
func TestServerJSON(t *testing.T) {
	s := server(t)
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/registry").Output()
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`\d{4}-\d\d-\d\d`).FindString(s.Schema)
	schema, err := jsonschema.Compile(filepath.Join(strings.TrimSpace(string(dir)), "internal/validators/schemas", version+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	strict(t, "server.json", &value)
	if err := schema.Validate(value); err != nil {
		t.Errorf("%#v", err)
	}
	value["description"] = ""
	if schema.Validate(value) == nil {
		t.Error("the schema accepts an empty description")
	}
	var npm struct{ Name, McpName string }
	if err := json.Unmarshal(read(t, "clients/typescript/package.json"), &npm); err != nil || npm.McpName != s.Name || npm.Name != s.Packages[0].Identifier {
		t.Errorf("package.json says %+v, server.json %s and %s", npm, s.Name, s.Packages[0].Identifier)
	}
}

// The fields of a plugin and of a marketplace as Claude Code documents them.
type (
	author struct {
		Name  string `json:"name"`
		Email string `json:"email"`
		URL   string `json:"url"`
	}
	plugin struct {
		Name        string   `json:"name"`
		Version     string   `json:"version"`
		Description string   `json:"description"`
		Author      author   `json:"author"`
		Homepage    string   `json:"homepage"`
		Repository  string   `json:"repository"`
		License     string   `json:"license"`
		Keywords    []string `json:"keywords"`
		MCPServers  map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	marketplace struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Owner       author `json:"owner"`
		Plugins     []struct {
			Name        string `json:"name"`
			Source      string `json:"source"`
			Description string `json:"description"`
			Version     string `json:"version"`
			License     string `json:"license"`
			Category    string `json:"category"`
		} `json:"plugins"`
	}
)

func TestClaudePlugin(t *testing.T) {
	var m marketplace
	strict(t, ".claude-plugin/marketplace.json", &m)
	if len(m.Plugins) != 1 || m.Owner.Name == "" || !strings.HasPrefix(m.Plugins[0].Source, "./") {
		t.Fatalf("%+v", m)
	}
	var p plugin
	strict(t, filepath.Join(m.Plugins[0].Source, ".claude-plugin/plugin.json"), &p)
	if p.Name != m.Plugins[0].Name || !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(p.Name) || p.Version != m.Plugins[0].Version {
		t.Errorf("plugin %s %s, in the marketplace %s %s", p.Name, p.Version, m.Plugins[0].Name, m.Plugins[0].Version)
	}
	if got := fmt.Sprint(p.MCPServers["somnograph"]); got != "{npx [-y somnograph mcp]}" {
		t.Errorf("the plugin starts %s", got)
	}
}

// The arguments that manifests pass are those of the program.
func TestArguments(t *testing.T) {
	program := os.Getenv("SOMNOGRAPH_BIN")
	if program == "" {
		program = filepath.Join(t.TempDir(), "somnograph")
		build := exec.Command("go", "build", "-o", program, "./cmd/somnograph")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	help, err := exec.Command(program, "mcp", "--help").CombinedOutput()
	if err != nil {
		t.Fatalf("somnograph mcp --help: %v", err)
	}
	for _, p := range server(t).Packages {
		for i, a := range p.PackageArguments {
			if i == 0 && a.Value != "mcp" || a.Name != "" && !bytes.Contains(help, []byte(a.Name+" ")) {
				t.Errorf("%s: argument %+v", p.RegistryType, a)
			}
		}
	}
}

// The image of a release runs as that of deploy/Dockerfile does.
func TestImage(t *testing.T) {
	last := func(file string) (kept []string) {
		stage := strings.Split(string(read(t, file)), "\nFROM ")
		for line := range strings.Lines(stage[len(stage)-1]) {
			if regexp.MustCompile(`^(gcr\.io|USER|ENV|VOLUME|HEALTHCHECK|ENTRYPOINT|CMD)`).MatchString(line) {
				kept = append(kept, line)
			}
		}
		return kept
	}
	if a, b := last("deploy/Dockerfile"), last("deploy/release/Dockerfile"); !slices.Equal(a, b) || len(a) != 7 {
		t.Errorf("deploy/Dockerfile has\n%v\nthe release\n%v", a, b)
	}
}

// A release changes its version in every file and nothing else.
func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	for _, file := range append([]string{releaseFile}, versioned...) {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), read(t, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := versionOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := "" // as sha256sum prints it
	for i, platform := range append(platforms, "plan9_386") {
		list += fmt.Sprintf("%064x  somnograph_7.8.9-rc.1_%s.gz\n%064x  somnograph_7.8.9-rc.1_%s.tar.gz\n", i+1, platform, i+100, platform)
	}
	sums := filepath.Join(dir, "checksums.txt")
	if err := os.WriteFile(sums, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, "7.8.9-rc.1", sums); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"server.json": 3, "clients/typescript/package-lock.json": 2}
	for _, file := range versioned {
		after, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(after), "7.8.9-rc.1"); n != max(1, want[file]) {
			t.Errorf("%s has the version %d times", file, n)
		}
		if back := strings.ReplaceAll(string(after), "7.8.9-rc.1", old); back != string(read(t, file)) {
			t.Errorf("%s differs in more than the version", file)
		}
	}
	var r release
	text, err := os.ReadFile(filepath.Join(dir, releaseFile))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || r.Version != "7.8.9-rc.1" || !strings.HasSuffix(r.Base, "/v7.8.9-rc.1/") || len(slices.Collect(maps.Keys(r.SHA256))) != len(platforms) {
		t.Errorf("%+v, %v", r, err)
	}
	for version, checksums := range map[string]string{"7.8": list, "7.8.9": list, "7.8.9-rc.1": list[70:], "7.8.9-rc.2": "no checksum\n"} {
		if err := os.WriteFile(sums, []byte(checksums), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run(dir, version, sums); err == nil {
			t.Errorf("version %s is released with %.80q", version, checksums)
		}
	}
}
