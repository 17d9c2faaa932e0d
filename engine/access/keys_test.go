package access_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// keys is a Keys over a store in memory, with a clock that stands.
type keys struct {
	*access.Keys
	store graph.Store
	now   time.Time
}

func newKeys(t testing.TB) *keys {
	t.Helper()
	s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := &keys{store: s, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	k.Keys = k.under(t, bytes.Repeat([]byte{7}, access.MinPepper))
	return k
}

func (k *keys) under(t testing.TB, pepper []byte) *access.Keys {
	t.Helper()
	made, err := access.NewKeys(k.store, pepper, func() time.Time { return k.now }, rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (k *keys) mustCreate(t testing.TB, in access.Input) (*access.Key, string) {
	t.Helper()
	key, text, err := k.Create(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return key, text
}

func input() access.Input {
	return access.Input{Tenant: "acme", Owner: "ana", Scopes: []access.Scope{access.MemoryWrite, access.MemoryRead}}
}

func TestAKeyIsAcceptedUntilItIsRevokedOrExpires(t *testing.T) {
	k := newKeys(t)
	in := input()
	in.Name, in.User, in.Agent, in.Namespaces, in.TTL = "laptop", "ana", "bot", []string{"b", "a", "b"}, time.Hour
	made, text := k.mustCreate(t, in)
	got, err := k.Check(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	want := access.Key{
		ID: made.ID, Name: "laptop", Tenant: "acme", Owner: "ana", User: "ana", Agent: "bot", Namespaces: []string{"a", "b"},
		Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}, Authority: .8, CreatedAt: k.now, ExpiresAt: k.now.Add(time.Hour),
	}
	if !equal(*got, want) || !equal(*made, want) {
		t.Errorf("key = %+v\nwant  %+v", got, want)
	}
	forever, always := k.mustCreate(t, input())
	k.now = k.now.Add(time.Hour)
	refused(t, k.Keys, text)
	if _, err := k.Check(t.Context(), always); err != nil {
		t.Errorf("a key that does not expire: %v", err)
	}
	revoked, err := k.Revoke(t.Context(), forever.ID)
	if err != nil || !revoked.RevokedAt.Equal(k.now) {
		t.Errorf("revoke: %+v, %v", revoked, err)
	}
	refused(t, k.Keys, always)
	k.now = k.now.Add(time.Hour)
	if again, err := k.Revoke(t.Context(), forever.ID); err != nil || !again.RevokedAt.Equal(revoked.RevokedAt) {
		t.Errorf("revoke again: %+v, %v", again, err)
	}
	all, err := k.List(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != made.ID || all[1].RevokedAt.IsZero() {
		t.Errorf("list: %+v, %v", all, err)
	}
}

func equal(a, b access.Key) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Tenant == b.Tenant && a.Owner == b.Owner && a.User == b.User && a.Agent == b.Agent &&
		strings.Join(a.Namespaces, ",") == strings.Join(b.Namespaces, ",") && access.Names(a.Scopes) == access.Names(b.Scopes) &&
		a.Authority == b.Authority && a.CreatedAt.Equal(b.CreatedAt) && a.ExpiresAt.Equal(b.ExpiresAt) && a.RevokedAt.Equal(b.RevokedAt)
}

func refused(t testing.TB, k *access.Keys, text string) {
	t.Helper()
	if key, err := k.Check(context.Background(), text); graph.CodeOf(err) != graph.CodeUnauthenticated || key != nil {
		t.Errorf("%q: %+v, %v", text, key, err)
	} else if strings.Contains(err.Error(), text) && text != "" {
		t.Errorf("the error quotes the key: %v", err)
	}
}

// A key with one other byte is refused, also where the check is right.
func TestOtherTextsAreRefused(t *testing.T) {
	k := newKeys(t)
	_, text := k.mustCreate(t, input())
	_, other := k.mustCreate(t, input())
	for i := range len(text) {
		x := byte('x')
		if text[i] == x {
			x = 'y'
		}
		refused(t, k.Keys, text[:i]+string(x)+text[i+1:])
	}
	for _, s := range []string{"", "sgk_", text + "x", text[:len(text)-1], "Bearer " + text, strings.ToUpper(text), strings.Repeat("z", len(text))} {
		refused(t, k.Keys, s)
	}
	// The id of one key with the secret of another, as long as the check is that of neither.
	if access.Looks(text[:27] + other[27:]) {
		t.Error("the check of another key fits")
	}
	refused(t, k.under(t, bytes.Repeat([]byte{8}, access.MinPepper)), text)
}

// Keys of any id and secret have one form, and no two are equal.
func TestKeysHaveOneForm(t *testing.T) {
	k := newKeys(t)
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		k.now = time.UnixMilli(rapid.Int64Range(0, 1<<48-1).Draw(t, "now")).UTC()
		key, text, err := k.Create(context.Background(), input())
		if err != nil {
			t.Fatal(err)
		}
		if len(text) != 63 || !strings.HasPrefix(text, "sgk_"+key.ID+"_") || !access.Looks(text) || seen[text] {
			t.Fatalf("%q is not the key %s", text, key.ID)
		}
		seen[text] = true
		if got, err := k.Check(context.Background(), text); err != nil || got.ID != key.ID {
			t.Fatalf("%q: %+v, %v", text, got, err)
		}
	})
}

// No secret is in the store.
func TestTheStoreHasNoSecret(t *testing.T) {
	k := newKeys(t)
	key, text := k.mustCreate(t, input())
	err := k.store.View(t.Context(), graph.ServerScope(), func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteAPIKey, "", false, 0)
		if err != nil || len(notes) != 1 {
			t.Fatalf("notes: %v, %v", notes, err)
		}
		secret := strings.TrimPrefix(text, "sgk_"+key.ID+"_")
		if bytes.Contains(notes[0].Data, []byte(secret[:8])) {
			t.Errorf("the note has the secret: %s", notes[0].Data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadInputNamesTheField(t *testing.T) {
	k := newKeys(t)
	two := 2.0
	for field, change := range map[string]func(*access.Input){
		"tenant":     func(in *access.Input) { in.Tenant = graph.ServerScope().Tenant },
		"owner":      func(in *access.Input) { in.Owner = "" },
		"scopes":     func(in *access.Input) { in.Scopes = nil },
		"user":       func(in *access.Input) { in.User = "a\nb" },
		"agent":      func(in *access.Input) { in.Agent = strings.Repeat("a", 513) },
		"namespaces": func(in *access.Input) { in.Namespaces = []string{"a b"} },
		"authority":  func(in *access.Input) { in.Authority = &two },
		"ttlSeconds": func(in *access.Input) { in.TTL = time.Millisecond },
	} {
		in := input()
		change(&in)
		_, _, err := k.Create(t.Context(), in)
		if graph.CodeOf(err) != graph.CodeInvalidRequest || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, blank := range []string{" ", "\u200b", "\u2800\u200b"} {
		in := input()
		in.User = blank
		if _, _, err := k.Create(t.Context(), in); graph.CodeOf(err) != graph.CodeInvalidRequest || !strings.Contains(err.Error(), "user") {
			t.Errorf("the user %q: %v", blank, err)
		}
	}
	for range 20 { // a user is the owner if no other is given: the field that was given is named, each time
		in := input()
		in.User, in.Owner = "a\nb", "a\nb"
		if err := in.Validate(); err == nil || !strings.Contains(err.Error(), "user") || strings.Contains(err.Error(), "owner") {
			t.Errorf("a user who is the owner: %v", err)
		}
	}
	if all, err := k.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("refused keys were stored: %v, %v", all, err)
	}
	for _, id := range []string{"", "x", strings.Repeat("z", 22), strings.Repeat("0", 22)} {
		if _, err := k.Revoke(t.Context(), id); graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("revoke %q: %v", id, err)
		}
	}
}

func TestScopes(t *testing.T) {
	scopes, err := access.ParseScopes("scopes", []string{"memory:read", " server:admin"})
	if err != nil || len(scopes) != 2 || scopes[1] != access.ServerAdmin {
		t.Errorf("%v, %v", scopes, err)
	}
	if _, err := access.ParseScopes("scopes", []string{"memory:everything"}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("an unknown scope: %v", err)
	}
	for _, x := range []struct {
		has, asked access.Scope
		want       bool
	}{
		{access.MemoryAdmin, access.MemoryShare, true}, {access.MemoryAdmin, access.MemoryCurate, true},
		{access.MemoryAdmin, access.MemoryRead, false}, {access.MemoryAdmin, access.ServerAdmin, false},
		{access.ServerAdmin, access.MemoryAdmin, false}, {access.MemoryCurate, access.MemoryShare, false}, {access.MemoryRead, access.MemoryRead, true},
	} {
		if got := access.Grants([]access.Scope{x.has}, x.asked); got != x.want {
			t.Errorf("%s grants %s: %v", x.has, x.asked, got)
		}
	}
}
