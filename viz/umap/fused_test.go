package umap

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Products and sums must be rounded separately, else the bytes of a map depend on the
// processor. The compiler fuses them on arm64 and for GOAMD64=v3 unless there is a conversion
// between them. The test inspects the generated assembly.
func TestNothingIsFused(t *testing.T) {
	fused := regexp.MustCompile(`\b(FN?M(ADD|SUB)[SD]|VFN?M(ADD|SUB)\w+)\b`)
	for _, env := range []string{"GOARCH=arm64", "GOARCH=amd64 GOAMD64=v3"} {
		cmd := exec.Command("go", "build", "-gcflags=-S", ".")
		cmd.Env = append(os.Environ(), strings.Fields(env)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", env, err, out)
		}
		if !strings.Contains(string(out), "umap.advance STEXT") {
			t.Fatalf("%s: the compiler did not show its work: %.300s", env, out)
		}
		for _, line := range strings.Split(string(out), "\n") {
			if fused.MatchString(line) {
				t.Errorf("%s: %s", env, strings.TrimSpace(line))
			}
		}
	}
}
