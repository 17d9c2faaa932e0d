package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// The command lists an alarm of a server whose embedder is away, and ends it.
func TestAlarmsCommand(t *testing.T) {
	s := start(t, t.TempDir(), "--embedder-kind", "openai", "--embedder-url", "http://127.0.0.1:1/v1", "--embedder-model", "small", "--embedder-dimension", "64")
	var alarms []client.Alarm
	for len(alarms) == 0 { // the first refresh runs after the start
		if err := json.Unmarshal([]byte(succeed(t, "alarms", "--json", "--addr", s.url)), &alarms); err != nil {
			t.Fatal(err)
		}
	}
	a := alarms[0]
	if a.Indicator != "parts_away" || a.Severity != "WARNING" || a.ByHand {
		t.Errorf("alarm: %+v", a)
	}
	out := succeed(t, "alarms", "--addr", s.url)
	for _, want := range []string{"WARNING parts_away (EMBEDDER), since ", "id " + a.ID, "EMBEDDER does not answer.", "meanwhile: Searches find memories by their words; new memories", "to do: start the part again"} {
		if !strings.Contains(out, want) {
			t.Errorf("alarms: no %q in %s", want, out)
		}
	}
	if n := strings.Count(out, "Searches find memories by their words"); n != 1 {
		t.Errorf("alarms: what is different is said %d times in %s", n, out)
	}
	if out := succeed(t, "alarms", "reset", a.ID, "--addr", s.url); out != "parts_away has ended\n" {
		t.Errorf("alarms reset: %q", out)
	}
	if out := succeed(t, "alarms", "--addr", s.url); out != "no alarm\n" {
		t.Errorf("after reset: %q", out)
	}
	if out := succeed(t, "alarms", "--all", "--addr", s.url); !strings.Contains(out, ", until ") || !strings.Contains(out, a.ID) || strings.Contains(out, "meanwhile") || strings.Contains(out, "to do") {
		t.Errorf("alarms --all: %s", out)
	}
	if _, errs, code := output(t, "alarms", "reset", a.ID, "--addr", s.url); code != exitFailed || !strings.Contains(errs, "names no active alarm") {
		t.Errorf("a second reset: %d, %s", code, errs)
	}
}

// A server whose embedder is away starts again with the dimension of its data; a new one says which setting it needs.
func TestRestartWithoutTheEmbedder(t *testing.T) {
	dir := t.TempDir()
	away := []string{"--embedder-kind", "openai", "--embedder-url", "http://127.0.0.1:1/v1", "--embedder-model", "small"}
	s := start(t, dir, append(away, "--embedder-dimension", "64")...)
	id := remember(t, s.client(), "The sluice gate opens at low tide.")
	s.stop()
	again := start(t, dir, away...)
	if known, err := again.client().Knows(t.Context(), id); err != nil || !known {
		t.Errorf("after the restart: %t, %v", known, err)
	}
	_, errs, code := output(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--keys", t.TempDir()}, away...)...)
	if code != exitFailed || !strings.Contains(errs, "--embedder-dimension") {
		t.Errorf("a new data directory: %d, %s", code, errs)
	}
}
