package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// versioned are the files that name the version of the release, relative to the root.
var versioned = []string{
	"server.json", ".claude-plugin/marketplace.json", "deploy/claude/.claude-plugin/plugin.json",
	"clients/typescript/package.json", "clients/typescript/package-lock.json", "clients/python/pyproject.toml",
}

// releaseFile tells npx somnograph which files belong to the release.
const releaseFile = "clients/typescript/bin/release.json"

const downloads = "https://github.com/somnograph/somnograph/releases/download/"

// release is the content of releaseFile.
type release struct {
	Version string            `json:"version"`
	Base    string            `json:"base"`   // address of the directory with the files
	SHA256  map[string]string `json:"sha256"` // of each file that holds one compressed binary
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: release VERSION CHECKSUMS")
		os.Exit(2)
	}
	if err := run("../..", os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root, version, checksums string) error {
	f, err := os.Open(checksums)
	if err != nil {
		return err
	}
	defer f.Close()
	sums, err := binaries(f, version)
	if err != nil {
		return fmt.Errorf("%s: %w", checksums, err)
	}
	return prepare(root, version, sums)
}

// binaries returns the checksums of the files that hold one compressed binary each. r has lines
// of sha256sum. All six platforms must be there.
func binaries(r io.Reader, version string) (map[string]string, error) {
	want := map[string]bool{}
	for _, platform := range platforms {
		want[fmt.Sprintf("somnograph_%s_%s.gz", version, platform)] = true
	}
	sums := map[string]string{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		sum, name, found := strings.Cut(lines.Text(), "  ")
		if !found || !checksum.MatchString(sum) {
			return nil, fmt.Errorf("%q is not a checksum and a name", lines.Text())
		}
		if want[name] {
			sums[name] = sum
			delete(want, name)
		}
	}
	for name := range maps.Keys(want) {
		return nil, fmt.Errorf("%s is missing", name)
	}
	return sums, lines.Err()
}

var (
	platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"}
	checksum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	semantic  = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)
)

// prepare writes the version into all files that name it, and the checksums.
func prepare(root, version string, sums map[string]string) error {
	if !semantic.MatchString(version) {
		return fmt.Errorf("version %q: must be like 1.2.0", version)
	}
	old, err := versionOf(root)
	if err != nil {
		return err
	}
	// The version of the release, not that of a dependency: it follows the name of a package of
	// ours, or stands by itself.
	name := regexp.MustCompile(`("version": "|^version = "|somnograph:)` + regexp.QuoteMeta(old) + `"`)
	for _, file := range versioned {
		path := filepath.Join(root, file)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		limit := len(lines)
		if strings.HasSuffix(file, "package-lock.json") {
			limit = min(limit, 12) // dependencies follow
		}
		for i := range lines[:limit] {
			lines[i] = name.ReplaceAllString(lines[i], "${1}"+version+`"`)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(release{Version: version, Base: downloads + "v" + version + "/", SHA256: sums}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, releaseFile), append(text, '\n'), 0o644)
}

// versionOf returns the version of the latest release.
func versionOf(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, releaseFile))
	if err != nil {
		return "", err
	}
	var r release
	err = json.Unmarshal(text, &r)
	return r.Version, err
}
