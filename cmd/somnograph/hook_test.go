package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The hook that init writes for the start of a session is a command. It is run as Claude Code runs it: by a shell, with
// the event on standard input.
func TestTheHookOfASessionStart(t *testing.T) {
	s := start(t, t.TempDir())
	succeed(t, "remember", "--addr", s.url, "--namespace", "my-app/work", "--user", "ana b", "Always write commit messages in English.")
	home := t.TempDir()
	cmd := command(t, "init", "claude-code", "--hooks", "--addr", s.url, "--namespace", "my-app/work", "--user", "ana b")
	cmd.Env = append(cmd.Env, "HOME="+home, "USERPROFILE="+home, "CLAUDE_CONFIG_DIR=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(filepath.Join(home, ".claude", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct{ Type, Command string }
		}
	}
	if err := json.Unmarshal(raw, &settings); err != nil {
		t.Fatal(err)
	}
	hook := settings.Hooks["SessionStart"][0].Hooks[0]
	if hook.Type != "command" {
		t.Fatalf("the hook is %+v", hook)
	}
	run := func(event string) (string, error) {
		shell := exec.Command("sh", "-c", hook.Command)
		shell.Env = append(os.Environ(), commandVariable+"=1")
		shell.Stdin = strings.NewReader(event)
		out, err := shell.CombinedOutput()
		return string(out), err
	}
	event := `{"session_id": "5a1f0a52", "cwd": "/nowhere", "hook_event_name": "SessionStart", "source": "startup"}`
	out, err := run(event)
	var answer struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err != nil || json.Unmarshal([]byte(out), &answer) != nil || answer.HookSpecificOutput.HookEventName != "SessionStart" ||
		!strings.Contains(answer.HookSpecificOutput.AdditionalContext, "commit messages in English") {
		t.Errorf("the answer is %q, %v", out, err)
	}
	for event, want := range map[string]string{"": "needs an event", "x": "the body must be a JSON object", `{"session_id": "s"}`: "hook_event_name"} {
		if out, err := run(event); err == nil || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%q: %v, %q, want %q", event, err, out, want)
		}
	}
	s.stop()
	if out, err := run(event); err == nil || !strings.Contains(out, "no server answers at") {
		t.Errorf("without a server: %v, %q", err, out)
	}
	for want, args := range map[string][]string{"known are those of": {"cursor"}, "the name of an agent": {}, "--namespace must be": {"claude-code", "--namespace", "a b"}} {
		if _, errs, code := output(t, append([]string{"hook"}, args...)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("hook %v: code %d, %s", args, code, errs)
		}
	}
}

// A server that asks for a key says so.
func TestTheHookNeedsAKey(t *testing.T) {
	s := start(t, t.TempDir(), "--auth", "keys")
	_, errs, code := piped(t, `{"session_id": "s", "hook_event_name": "SessionStart"}`, "hook", "claude-code", "--addr", s.url)
	if code != exitFailed || !strings.Contains(errs, "set SOMNOGRAPH_KEY") {
		t.Errorf("code %d, %s", code, errs)
	}
}
