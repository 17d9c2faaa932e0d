package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// newKey makes a key on the data directory of a stopped server.
func newKey(t *testing.T, dir string, args ...string) client.CreatedAPIKey {
	t.Helper()
	out, errs, code := output(t, append([]string{"keys", "create", "--json", "--data", dir}, args...)...)
	var made client.CreatedAPIKey
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 0 {
		t.Fatalf("keys create: code %d, %v\n%s%s", code, err, out, errs)
	}
	return made
}

func TestKeysOnADataDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	out, errs, code := output(t, "keys", "create", "--data", dir, "--scopes", "server:admin", "--name", "first")
	first := strings.TrimSpace(out)
	if code != 0 || !strings.HasPrefix(first, "sgk_") || strings.Contains(first, "\n") || !strings.Contains(errs, "shown this once") {
		t.Fatalf("create: code %d\n%s%s", code, out, errs)
	}
	made := newKey(t, dir, "--scopes", "memory:read,memory:write", "--tenant", "acme", "--user", "ana", "--agent", "bot", "--namespaces", "a,b",
		"--authority", ".5", "--expires", "720h", "--name", "laptop")
	k := made.APIKey
	if k.Tenant != "acme" || *k.User != "ana" || k.Owner != "ana" || *k.Agent != "bot" || strings.Join(k.Namespaces, " ") != "a b" || k.Authority != .5 ||
		k.ExpiresAt == nil || k.ExpiresAt.Sub(k.CreatedAt).Hours() != 720 || strings.Join(k.Scopes, " ") != "MEMORY_READ MEMORY_WRITE" {
		t.Errorf("made %+v", k)
	}
	if out, errs, code := output(t, "keys", "revoke", "--data", dir, k.ID); code != 0 || !strings.Contains(out, k.ID+" is revoked") {
		t.Errorf("revoke: code %d\n%s%s", code, out, errs)
	}
	out, errs, code = output(t, "keys", "list", "--data", dir)
	if code != 0 || !strings.Contains(out, "first") || !strings.Contains(out, "server:admin") || !strings.Contains(out, "revoked 2") || strings.Contains(out, "sgk_") {
		t.Errorf("list: code %d\n%s%s", code, out, errs)
	}
	var listed []client.APIKey
	out, _, _ = output(t, "keys", "list", "--json", "--data", dir)
	if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed) != 2 || listed[1].RevokedAt == nil || listed[0].RevokedAt != nil {
		t.Errorf("list --json: %v\n%s", err, out)
	}
	if rows := ran(t, "audit", "export", "--format", "json", "--data", dir, "--verb", "createApiKey"); strings.Count(rows, "operator") != 2 || strings.Count(rows, "createApiKey") != 2 || !strings.Contains(rows, `"BEGUN"`) || !strings.Contains(rows, `"OK"`) {
		t.Errorf("the audit of the default tenant: %s", rows)
	}
	ran(t, "audit", "verify", "--data", dir)
	if info, err := os.Stat(filepath.Join(dir, "access", "pepper")); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 32 {
		t.Errorf("the pepper: %v, %v", info, err)
	}
}

func TestKeysThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"--scopes":            {},
		`"memory:all" is not`: {"--scopes", "memory:all"},
		"authority: must be":  {"--scopes", "memory:read", "--authority", "2"},
		"tenant: must be":     {"--scopes", "memory:read", "--tenant", "$server"},
		"namespaces: must be": {"--scopes", "memory:read", "--namespaces", "a b"},
		"--expires":           {"--scopes", "memory:read", "--expires", "1ms"},
		"--expires: must be":  {"--scopes", "memory:read", "--expires", "0s"},
		"--namespaces: must":  {"--scopes", "memory:read", "--namespaces", ""},
		"--user: must not":    {"--scopes", "memory:read", "--user", ""},
		"--agent: must not":   {"--scopes", "memory:read", "--agent", ""},
		"exclude each other":  {"--scopes", "memory:read", "--addr", "127.0.0.1:1"},
	} {
		out, errs, code := output(t, append([]string{"keys", "create", "--data", dir}, args...)...)
		if code == 0 || out != "" || !strings.Contains(errs, want) || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
			t.Errorf("%q: code %d\n%s%s", args, code, out, errs)
		}
	}
	if out, _, _ := output(t, "keys", "list", "--json", "--data", dir); strings.TrimSpace(out) != "[]" {
		t.Errorf("keys were made: %s", out)
	}
	if _, errs, code := output(t, "keys", "revoke", "--data", dir, "nothing"); code == 0 || !strings.Contains(errs, "there is no such key") {
		t.Errorf("revoke of an unknown key: code %d %s", code, errs)
	}
	if err := os.Chmod(filepath.Join(dir, "access", "pepper"), 0o644); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, args := range [][]string{{"list"}, {"revoke", "x"}} {
		_, errs, code := output(t, append(append([]string{"keys"}, args...), "--data", nowhere)...)
		if _, err := os.Stat(nowhere); code == 0 || !strings.Contains(errs, "has no store") || !os.IsNotExist(err) {
			t.Errorf("keys %s of a directory without a store: code %d, %s; the directory: %v", args[0], code, errs, err)
		}
	}
	if _, errs, code := output(t, "keys", "list", "--data", dir); code == 0 || !strings.Contains(errs, "chmod 600") {
		t.Errorf("a pepper that others can read: code %d %s", code, errs)
	}
}

// A server without authentication is the administrator of its keys. No key is in its log or in an export, and the data
// directory can't be opened beside it.
func TestKeysThroughARunningServer(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--log-level", "debug")
	out, errs, code := output(t, "keys", "create", "--addr", s.url, "--scopes", "memory:read", "--json")
	var made client.CreatedAPIKey
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 0 || made.APIKey.Tenant != "default" || made.APIKey.Owner != "loopback" {
		t.Fatalf("create: code %d, %v\n%s%s", code, err, out, errs)
	}
	if out, errs, code := output(t, "keys", "revoke", "--addr", s.url, made.APIKey.ID); code != 0 {
		t.Errorf("revoke: code %d\n%s%s", code, out, errs)
	}
	if out, errs, code := output(t, "keys", "list", "--addr", s.url); code != 0 || !strings.Contains(out, made.APIKey.ID) || !strings.Contains(out, "revoked") {
		t.Errorf("list: code %d\n%s%s", code, out, errs)
	}
	if _, errs, code := output(t, "keys", "list", "--data", dir); code == 0 || !strings.Contains(errs, "in use by another somnograph") {
		t.Errorf("on the data directory of a running server: code %d %s", code, errs)
	}
	remember(t, s.client(), "The winch sticks again.")
	_, _, export := s.get("/export")
	s.stop()
	for _, text := range []string{s.log.String(), export} {
		if strings.Contains(text, made.Key) || strings.Contains(text, made.APIKey.ID) || strings.Contains(text, "APIKEY") {
			t.Errorf("a key is in\n%s", text)
		}
	}
}

func TestKeysOfSealedDataAreReplaced(t *testing.T) {
	t.Setenv("SOMNOGRAPH_SEAL", "off")
	dir := filepath.Join(t.TempDir(), "data")
	newKey(t, dir, "--scopes", "memory:read")
	if _, errs, code := output(t, "keys", "rotate", "--data", dir); code == 0 || !strings.Contains(errs, "is not sealed") {
		t.Errorf("a store that is not sealed: code %d\n%s", code, errs)
	}
	t.Setenv("SOMNOGRAPH_SEAL", "new")
	dir = filepath.Join(t.TempDir(), "data")
	newKey(t, dir, "--scopes", "memory:read")
	for _, args := range [][]string{nil, {"--later"}} {
		if out, errs, code := output(t, append([]string{"keys", "rotate", "--data", dir}, args...)...); code != 0 || !strings.Contains(out, "Back up ") {
			t.Errorf("rotate %v: code %d\n%s%s", args, code, out, errs)
		}
	}
	if out := ran(t, "keys", "list", "--data", dir); !strings.Contains(out, "memory:read") {
		t.Errorf("after rotations: %s", out)
	}
	ran(t, "audit", "verify", "--data", dir)
	ran(t, "keys", "rotate", "--data", dir, "--kinds", "audit,proofs,backups")
	ran(t, "keys", "rotate", "--data", dir, "--kinds", "audit")
	if out := ran(t, "audit", "verify", "--data", dir); !strings.Contains(out, "the audit is intact") {
		t.Errorf("after the keys of the audit were replaced: %s", out)
	}
	if _, errs, code := output(t, "keys", "rotate", "--data", dir, "--kinds", "all"); code == 0 || !strings.Contains(errs, "--kinds") {
		t.Errorf("unknown kinds: code %d\n%s", code, errs)
	}
	for _, args := range [][]string{{}, {"--data", dir, "--addr", "127.0.0.1:1"}} {
		if _, errs, code := output(t, append([]string{"keys", "rotate"}, args...)...); code == 0 || !strings.Contains(errs, "needs --addr") {
			t.Errorf("rotate %v: code %d, %s", args, code, errs)
		}
	}
	for _, args := range [][]string{{"--kinds", "audit"}, {"--addr", "127.0.0.1:1", "--kinds", "audit"}, {"--addr", "127.0.0.1:1", "--later"}, {"--later"}, {"--data", filepath.Join(t.TempDir(), "none")}} {
		if _, errs, code := output(t, append([]string{"keys", "rotate"}, args...)...); code == 0 || errs == "" {
			t.Errorf("rotate %v: code %d", args, code)
		}
	}
}

// An administrator of the server replaces the keys of sealed data while it serves, with rows in the audit. Other
// keys may not, and a store that is not sealed has none.
func TestKeysOfARunningServerAreReplacedByACommand(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:admin,audit:read,server:admin").Key
	user := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:admin", "--name", "u").Key
	s := start(t, dir, "--auth", "keys")
	id := remember(t, s.withKey(admin), "The tide gate opens at four.")
	t.Setenv("SOMNOGRAPH_KEY", user)
	if _, errs, code := output(t, "keys", "rotate", "--addr", s.url); code == 0 || !strings.Contains(errs, "server:admin") {
		t.Errorf("with a key without the scope: code %d, %s", code, errs)
	}
	t.Setenv("SOMNOGRAPH_KEY", admin)
	stop, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		c := s.withKey(admin)
		for n := 0; ; n++ {
			select {
			case <-stop:
				failed <- nil
				return
			default:
			}
			var out any
			err := c.Do(context.Background(), `mutation($t:String!){remember(input:{content:$t,consent:EXPLICIT,onDuplicate:INSERT}){memory{id}}}`, map[string]any{"t": "Buoy number " + strconv.Itoa(n) + " is lit."}, &out)
			if err == nil {
				err = c.Do(context.Background(), `query($id:ID!){memory(id:$id){content}}`, map[string]any{"id": id}, &out)
			}
			if err != nil {
				failed <- err
				return
			}
		}
	}()
	for range 2 {
		if out, errs, code := output(t, "keys", "rotate", "--addr", s.url); code != 0 || !strings.Contains(out, "Back up ") {
			t.Errorf("code %d, %s%s", code, out, errs)
		}
	}
	close(stop)
	if err := <-failed; err != nil {
		t.Errorf("meanwhile: %v", err)
	}
	rows := succeed(t, "audit", "export", "--addr", s.url)
	if strings.Count(rows, "rotateKeys") < 3 || !strings.Contains(rows, "BEGUN") {
		t.Errorf("the audit:\n%s", rows)
	}
	s.stop()
	s = start(t, dir, "--auth", "keys")
	var out any
	if err := s.withKey(admin).Do(t.Context(), `query($id:ID!){memory(id:$id){content}}`, map[string]any{"id": id}, &out); err != nil || !strings.Contains(fmt.Sprint(out), "tide gate") {
		t.Errorf("after a restart: %v, %v", out, err)
	}
	s.stop()
	plain := start(t, t.TempDir(), "--seal=off")
	t.Setenv("SOMNOGRAPH_KEY", "")
	if _, errs, code := output(t, "keys", "rotate", "--addr", plain.url); code == 0 || !strings.Contains(errs, "is not sealed") {
		t.Errorf("a store that is not sealed: code %d, %s", code, errs)
	}
	plain.stop()
}
