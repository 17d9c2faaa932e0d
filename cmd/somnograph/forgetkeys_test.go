package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// forget says how many API keys it deletes, before and afterwards, and its receipt keeps the number.
func TestForgetCountsTheKeysOfTheUser(t *testing.T) {
	s := start(t, t.TempDir())
	for _, user := range []string{"ana", "ana", "bo"} {
		succeed(t, "keys", "create", "--addr", s.url, "--scopes", "memory:read", "--user", user)
	}
	succeed(t, "remember", "Ana sings in the choir.", "--user", "ana", "--consent", "explicit", "--addr", s.url)
	forget := func(args ...string) string {
		return succeed(t, append([]string{"forget", "--user", "ana", "--addr", s.url}, args...)...)
	}
	if out := forget("--dry-run"); out != "1 memory and 2 API keys of the user would be erased\n" {
		t.Errorf("before: %s", out)
	}
	var r client.Receipt
	if err := json.Unmarshal([]byte(forget("--yes", "--json")), &r); err != nil || r.APIKeys != 2 || r.Count != 1 {
		t.Fatalf("the erasure: %+v, %v", r, err)
	}
	var out struct{ DeletionReceipt struct{ APIKeys int } }
	if err := s.client().Do(t.Context(), `query($id:ID!){deletionReceipt(id:$id){apiKeys}}`, map[string]any{"id": r.ID}, &out); err != nil || out.DeletionReceipt.APIKeys != 2 {
		t.Errorf("its receipt: %+v, %v", out, err)
	}
	if out := forget("--yes"); !strings.HasPrefix(out, "0 memories erased\n") {
		t.Errorf("again: %s", out)
	}
	succeed(t, "remember", "Bo rows.", "--user", "bo", "--consent", "explicit", "--addr", s.url)
	if out := succeed(t, "forget", "--user", "bo", "--yes", "--addr", s.url); !strings.HasPrefix(out, "1 memory and 1 API key of the user erased\n") {
		t.Errorf("the other user: %s", out)
	}
}

// An erasure of a whole tenant deletes the keys that are bound to users, and keeps the others, so that an administrator still comes in.
func TestForgettingATenantDeletesTheKeysOfUsers(t *testing.T) {
	s := start(t, t.TempDir())
	for _, args := range [][]string{{"--user", "ana"}, {"--user", "bo"}, {"--name", "service"}} {
		succeed(t, append([]string{"keys", "create", "--addr", s.url, "--scopes", "memory:read"}, args...)...)
	}
	var out struct {
		Forget struct{ Receipt struct{ APIKeys int } }
	}
	for _, dry := range []string{"true", "false"} {
		if err := s.client().Do(t.Context(), `mutation { forget(input: {tenant: true, dryRun: `+dry+`}) { receipt { apiKeys } } }`, nil, &out); err != nil || out.Forget.Receipt.APIKeys != 2 {
			t.Errorf("dry run %s: %+v, %v", dry, out, err)
		}
	}
	if list := succeed(t, "keys", "list", "--addr", s.url); strings.Contains(list, "ana") || !strings.Contains(list, "service") {
		t.Error(list)
	}
}

// The start after a restore erases again what was erased since the backup, and deletes the keys of nobody else.
func TestKeysOfOthersStayAfterARestore(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	for _, user := range []string{"ana", "bo"} {
		p.succeeds("keys", "create", "--addr", s.url, "--scopes", "memory:read", "--user", user)
		p.succeeds("remember", user+" sings in the choir.", "--user", user, "--consent", "explicit", "--addr", s.url)
	}
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	p.succeeds("forget", "--user", "ana", "--yes", "--addr", s.url)
	s.stop()
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), "--keys", p.at("keys"))
	if list := succeed(t, "keys", "list", "--addr", s.url); strings.Contains(list, "ana") || !strings.Contains(list, "bo") {
		t.Errorf("after the restore: %s", list)
	}
	s.stop()
}
