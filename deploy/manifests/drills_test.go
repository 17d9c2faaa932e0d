package manifests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrills runs each drill of deploy/drills against the program.
func TestDrills(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	drills, err := filepath.Glob("../drills/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, path := range drills {
		name := strings.TrimSuffix(filepath.Base(path), ".sh")
		if name == "lib" {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), path)
			cmd.Env = append(os.Environ(), "SOMNOGRAPH_BIN="+program(t), "TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "expected: ") {
				t.Errorf("the drill does not say what to expect:\n%s", out)
			}
		})
	}
	if ran < 6 {
		t.Errorf("only %d drills ran", ran)
	}
}

// TestADrillFails: a drill whose expectation does not hold ends with another code than 0.
func TestADrillFails(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	spoilt := filepath.Join(t.TempDir(), "spoilt") // a program that accepts everything and does nothing
	if err := os.WriteFile(spoilt, []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kill", "key-revoked"} {
		cmd := exec.CommandContext(t.Context(), "../drills/"+name+".sh")
		cmd.Env = append(os.Environ(), "SOMNOGRAPH_BIN="+spoilt, "TMPDIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%s succeeds with a program that does nothing:\n%s", name, out)
		}
	}
}
