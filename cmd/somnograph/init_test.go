package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInitShowsWritesAndUndoes(t *testing.T) {
	home := t.TempDir()
	start := func(args ...string) (string, string, int) {
		cmd := command(t, append([]string{"init"}, args...)...)
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME=", "USERPROFILE="+home)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run() // the exit code tells
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	path := filepath.Join(home, ".cursor", "mcp.json")
	if out, errs, code := start("cursor", "--dry-run"); code != exitOK || !strings.Contains(out, `+     "somnograph": {`) {
		t.Errorf("--dry-run: code %d\n%s%s", code, out, errs)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("--dry-run wrote the file: %v", err)
	}
	if out, errs, code := start("cursor", "--namespace", "work", "--data", "memory"); code != exitOK || !strings.Contains(out, "written") {
		t.Errorf("init: code %d\n%s%s", code, out, errs)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	entry := file.MCPServers["somnograph"]
	if entry.Command != exe || len(entry.Args) != 5 || entry.Args[0] != "mcp" || !filepath.IsAbs(entry.Args[2]) || entry.Args[4] != "work" {
		t.Errorf("the entry is %+v", entry)
	}
	if out, _, code := start("cursor", "--undo"); code != exitOK || !strings.Contains(out, `-     "somnograph": {`) {
		t.Errorf("--undo: code %d\n%s", code, out)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("--undo left the file that init made: %v", err)
	}
	if out, _, code := start("cursor", "--undo"); code != exitOK || !strings.Contains(out, "needs no change") {
		t.Errorf("--undo again: code %d\n%s", code, out)
	}
	settings := filepath.Join(home, ".claude", "settings.json")
	if out, errs, code := start("claude-code", "--hooks", "--namespace", "my-app/work", "--user", "ana b"); code != exitOK || strings.Count(out, "http://127.0.0.1:8420/hooks/claude-code/my-app%2Fwork?user=ana+b") != 4 || !strings.Contains(out, " hook claude-code --addr 127.0.0.1:8420 --namespace my-app/work --user 'ana b'") {
		t.Errorf("--hooks: code %d\n%s%s", code, out, errs)
	}
	if out, errs, code := start("claude-code", "--hooks", "--undo"); code != exitOK {
		t.Errorf("--hooks --undo: code %d\n%s%s", code, out, errs)
	}
	if _, err := os.Stat(settings); !os.IsNotExist(err) {
		t.Errorf("--undo left the settings that init made: %v", err)
	}
	for _, args := range [][]string{{}, {"emacs"}, {"cursor", "--hooks"}, {"claude-code", "--hooks", "--data", "d"}, {"claude-code", "--hooks", "--addr", "http://u:p@h"}, {"cursor", "--profile", "tiny"}, {"cursor", "--addr", "::"}, {"cursor", "--addr", "127.0.0.1:1", "--data", "d"}, {"cursor", "--namespace", "a b"}} {
		if _, errs, code := start(args...); code != exitUsage || strings.Count(errs, "\n") != 1 {
			t.Errorf("init %v: code %d, %q", args, code, errs)
		}
	}
}

// The desktop starts agents without the PATH of a shell: their files name the program by its path. A link is not followed, so
// that it may lead to another version later.
func TestInitNamesTheCommand(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, home := t.TempDir(), t.TempDir()
	link := filepath.Join(dir, "somnograph")
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]string{"claude-desktop": link, "cursor": link, "vscode": link, "claude-code": "somnograph", "codex": "somnograph"} {
		cmd := command(t, "init", agent, "--dry-run")
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME=", "USERPROFILE="+home, "PATH="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), `"`+want+`"`) {
			t.Errorf("%s: %v, want the command %s:\n%s", agent, err, want, out)
		}
	}
}
