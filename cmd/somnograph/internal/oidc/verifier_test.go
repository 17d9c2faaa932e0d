package oidc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine/access"
)

func TestTheCallerComesFromTheClaims(t *testing.T) {
	w := newWorld(t, newIssuer(t), map[string]any{"agent-claim": "agent", "audience": []string{"other", "memory"}})
	for name, token := range map[string]string{
		"RS256":                     w.token(t, map[string]any{"agent": "bot"}),
		"ES256":                     sign(t, jose.ES256, "ec", ecKey(), w.claims(map[string]any{"agent": "bot"}), map[jose.HeaderKey]any{"typ": "at+jwt"}),
		"no kid where one key fits": sign(t, jose.ES256, "", ecKey(), w.claims(map[string]any{"agent": "bot"}), nil),
	} {
		c, err := w.Verify(t.Context(), token)
		if err != nil || c.Tenant != "acme" || c.User != "ana" || c.Name != "ana" || c.Agent != "bot" || c.Namespaces != nil || c.Grant != .8 || c.Admin || c.Sources ||
			!c.May(access.MemoryRead) || c.May(access.MemoryShare) || !strings.HasPrefix(c.Credential, "token-") || strings.Contains(token, c.Credential[6:]) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// A token without a user acts for any user only where the configuration says so, and is then a principal by issuer and
// subject.
func TestTokensWithoutAUser(t *testing.T) {
	i := newIssuer(t)
	settings := map[string]any{"user-claim": "person", "scopes": []string{"memory:read"}, "authority": .5}
	strict := newWorld(t, i, settings)
	refusedFor(t, strict, "without a user", strict.token(t, nil), "claim")
	settings["user-optional"] = true
	w := newWorld(t, i, settings)
	c, err := w.Verify(t.Context(), w.token(t, map[string]any{"scope": nil}))
	if err != nil || c.User != "" || c.Name != i.url+"#ana" || c.Grant != .5 || fmt.Sprint(c.Scopes) != "[memory:read]" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = w.Verify(t.Context(), w.token(t, map[string]any{"person": "tomas"})); err != nil || c.User != "tomas" || c.Name != "tomas" {
		t.Errorf("%+v, %v", c, err)
	}
	refusedFor(t, w, "an empty user", w.token(t, map[string]any{"person": ""}), "claim")
	settings["user-claim"], settings["user-optional"] = "", false
	w = newWorld(t, i, settings)
	if c, err = w.Verify(t.Context(), w.token(t, map[string]any{"person": "tomas"})); err != nil || c.User != "" {
		t.Errorf("%+v, %v", c, err)
	}
}

// An issuer with a secret has tokens with HS256 and no others, and is never asked for keys.
func TestTokensWithASecret(t *testing.T) {
	i := newIssuer(t)
	secret := strings.Repeat("s", 40)
	w := newWorld(t, i, map[string]any{"secret-file": secretFile(t, secret)})
	if _, err := w.Verify(t.Context(), sign(t, jose.HS256, "any", []byte(secret), w.claims(nil), nil)); err != nil {
		t.Error(err)
	}
	refusedFor(t, w, "another secret", sign(t, jose.HS256, "", []byte(strings.Repeat("t", 40)), w.claims(nil), nil), "signature")
	refusedFor(t, w, "RS256", w.token(t, nil), "algorithm")
	refusedFor(t, w, "HS512", sign(t, jose.HS512, "", []byte(secret+secret), w.claims(nil), nil), "algorithm")
	if n := i.fetched(); n != 0 {
		t.Errorf("%d fetches of keys", n)
	}
	for name, path := range map[string]string{"short": secretFile(t, "short"), "absent": "/nowhere", "empty": secretFile(t, "")} {
		issuers, err := oidc.ParseIssuers(fmt.Sprintf(`{issuer: %q, audience: a, tenant: t, secret-file: %q}`, i.url, path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := oidc.New(oidc.Options{Issuers: issuers, Now: time.Now}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	open := secretFile(t, secret)
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	issuers, _ := oidc.ParseIssuers(fmt.Sprintf(`{issuer: %q, audience: a, tenant: t, secret-file: %q}`, i.url, open))
	if _, err := oidc.New(oidc.Options{Issuers: issuers, Now: time.Now}); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a secret that others may read: %v", err)
	}
}

// A new key is fetched when a token has it, at most once in ten seconds for all tokens together.
func TestANewKeyIsFetchedOnce(t *testing.T) {
	i := newIssuer(t)
	w := newWorld(t, i, nil)
	withdrawn, err := w.Verify(t.Context(), w.token(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	stays, err := w.Verify(t.Context(), sign(t, jose.ES256, "ec", ecKey(), w.claims(nil), nil))
	if err != nil || !stays.Stands() || !withdrawn.Stands() {
		t.Fatalf("%v, tokens do not stand", err)
	}
	w.advance(time.Minute)
	before := i.fetched()
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			refusedFor(t, w, "an unknown key", sign(t, jose.RS256, fmt.Sprintf("unknown%d", n), otherRSA(), w.claims(nil), nil), "no such key")
		})
	}
	all.Wait()
	if n := i.fetched() - before; n != 1 {
		t.Errorf("50 unknown keys caused %d fetches", n)
	}
	i.change(func() {
		i.keys[0] = jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "new", Algorithm: "RS256", Use: "sig"}
	})
	fresh := sign(t, jose.RS256, "new", otherRSA(), w.claims(nil), nil)
	refusedFor(t, w, "a new key too soon after the last fetch", fresh, "no such key")
	w.advance(10 * time.Second)
	if _, err := w.Verify(t.Context(), fresh); err != nil {
		t.Errorf("a new key: %v", err)
	}
	refusedFor(t, w, "the withdrawn key", w.token(t, nil), "no such key")
	if withdrawn.Stands() || !stays.Stands() {
		t.Errorf("a token of the withdrawn key stands: %v; of one that stays: %v", withdrawn.Stands(), stays.Stands())
	}
	i.change(func() { i.keys[0].Key, i.keys[0].KeyID = rsaKey().Public(), "renamed" })
	w.advance(10 * time.Second)
	refusedFor(t, w, "an unknown key", sign(t, jose.RS256, "unknown", otherRSA(), w.claims(nil), nil), "no such key") // the keys are read again
	refusedFor(t, w, "the key under its former id", w.token(t, nil), "no such key")
	if withdrawn.Stands() || !stays.Stands() {
		t.Errorf("a token of a key with another id stands: %v; of one that stays: %v", withdrawn.Stands(), stays.Stands())
	}
	if _, err := w.Verify(t.Context(), sign(t, jose.ES256, "ec", ecKey(), w.claims(nil), nil)); err != nil {
		t.Errorf("a key that stays: %v", err)
	}
}

// The first look at the keys of an issuer is nobody's: the token that waited for it does not keep the next one from asking for a new key.
func TestTheFirstLookAtTheKeysIsNobodys(t *testing.T) {
	i := newIssuer(t)
	w := newWorld(t, i, nil)
	refusedFor(t, w, "an unknown key first of all", sign(t, jose.RS256, "unknown", otherRSA(), w.claims(nil), nil), "no such key")
	i = newIssuer(t)
	w = newWorld(t, i, nil)
	if _, err := w.Verify(t.Context(), w.token(t, nil)); err != nil {
		t.Fatal(err)
	}
	i.change(func() {
		i.keys = append(i.keys, jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "new", Algorithm: "RS256", Use: "sig"})
	})
	if _, err := w.Verify(t.Context(), sign(t, jose.RS256, "new", otherRSA(), w.claims(nil), nil)); err != nil {
		t.Errorf("a new key just after the first look: %v", err)
	}
}

// eventually waits for a condition that background work makes true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// The keys are read again by themselves, so that a withdrawn one ends, and an issuer that is down at the start is tried
// until it answers.
func TestAnIssuerThatIsDown(t *testing.T) {
	i := newIssuer(t)
	i.down = true
	w := newWorld(t, i, nil, func(o *oidc.Options) { o.Every, o.Retry = time.Millisecond, time.Millisecond })
	token := w.token(t, nil)
	if _, err := w.Verify(t.Context(), token); !errors.Is(err, oidc.ErrUnavailable) {
		t.Errorf("an issuer that is down: %v", err)
	}
	eventually(t, "the outage is not in the log", func() bool { return strings.Contains(w.logged(), "can't be reached") && !w.Up()[i.url] })
	i.change(func() { i.down = false })
	eventually(t, "the issuer's keys are not read", func() bool { return w.Up()[i.url] })
	if _, err := w.Verify(t.Context(), token); err != nil {
		t.Errorf("after the outage: %v", err)
	}
	i.change(func() { i.down = true })
	eventually(t, "the second outage is not seen", func() bool { return !w.Up()[i.url] })
	if _, err := w.Verify(t.Context(), token); err != nil {
		t.Errorf("the last keys are not used: %v", err)
	}
	if _, err := w.Verify(t.Context(), sign(t, jose.RS256, "new", otherRSA(), w.claims(nil), nil)); !errors.Is(err, oidc.ErrUnavailable) {
		t.Errorf("an unknown key while the issuer is down: %v", err)
	}
	if n := strings.Count(w.logged(), "can't be reached"); n != 2 {
		t.Errorf("two outages are %d lines of the log", n)
	}
	w.advance(25 * time.Hour)
	late := w.token(t, nil)
	eventually(t, "keys that are too old are used", func() bool { _, err := w.Verify(t.Context(), late); return errors.Is(err, oidc.ErrUnavailable) })
	i.change(func() { i.down, i.keys = false, i.keys[1:] })
	eventually(t, "a withdrawn key is accepted", func() bool { var r oidc.Refusal; _, err := w.Verify(t.Context(), late); return errors.As(err, &r) })
}

// Keys that an issuer should not publish, or that are not for signatures, are ignored.
func TestUnfitKeysAreIgnored(t *testing.T) {
	i := newIssuer(t)
	secret := []byte(strings.Repeat("s", 40))
	i.keys = append(i.keys,
		jose.JSONWebKey{Key: secret, KeyID: "oct", Algorithm: "HS256"},
		jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "enc", Use: "enc"},
		jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "ps", Algorithm: "PS256"},
		jose.JSONWebKey{Key: otherRSA(), KeyID: "private"},
	)
	w := newWorld(t, i, nil)
	if _, err := w.Verify(t.Context(), w.token(t, nil)); err != nil {
		t.Fatal(err)
	}
	for _, kid := range []string{"enc", "ps", "private"} {
		refusedFor(t, w, kid, sign(t, jose.RS256, kid, otherRSA(), w.claims(nil), nil), "no such key")
	}
	refusedFor(t, w, "a published secret", sign(t, jose.HS256, "oct", secret, w.claims(nil), nil), "algorithm")
}

// An issuer whose configuration is that of another one, or that names an endpoint without TLS, is not used.
func TestUnsafeConfigurationsAreNotUsed(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"another issuer": {"issuer": "https://evil.example"}, "keys without TLS": {"jwks_uri": "http://192.0.2.1/keys"},
		"keys of a file": {"jwks_uri": "file:///etc/passwd"}, "tokens without TLS": {"token_endpoint": "http://192.0.2.1/token"},
	} {
		i := newIssuer(t)
		i.more = more
		w := newWorld(t, i, nil)
		if _, err := w.Verify(t.Context(), w.token(t, nil)); !errors.Is(err, oidc.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseIssuers(t *testing.T) {
	good := `{issuer: https://id.example, audience: memory, tenant: acme}`
	all, err := oidc.ParseIssuers("- " + good + "\n- {issuer: https://b.example/x, audience: [a, b], tenant-claim: org, tenants: beta, grants: {staff: [memory:read]}}")
	if err != nil || len(all) != 2 || all[0].Name != "id.example" || *all[0].UserClaim != "sub" || all[0].ScopesClaim != "scope" || len(all[0].Ceiling) != 6 || len(all[1].Audience) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if one, err := oidc.ParseIssuers(good); err != nil || len(one) != 1 {
		t.Errorf("%+v, %v", one, err)
	}
	if none, err := oidc.ParseIssuers(" "); err != nil || none != nil {
		t.Errorf("%+v, %v", none, err)
	}
	for text, want := range map[string]string{
		"x": "list of issuers", "[": "list of issuers", "[1]": "list of issuers",
		`{issuer: http://id.example, audience: a, tenant: t}`:                                "https",
		`{issuer: "https://u:p@id.example", audience: a, tenant: t}`:                         "https URL",
		`{issuer: "https://id.example?x=1", audience: a, tenant: t}`:                         "https URL",
		`{issuer: https://id.example, tenant: t}`:                                            "audience",
		`{issuer: https://id.example, audience: "", tenant: t}`:                              "audience",
		`{issuer: https://id.example, audience: a}`:                                          "tenant",
		`{issuer: https://id.example, audience: a, tenant: t, tenant-claim: org}`:            "tenant",
		`{issuer: https://id.example, audience: a, tenant: "a b"}`:                           "tenant",
		`{issuer: https://id.example, audience: a, tenant: t, colour: red}`:                  "colour",
		`{issuer: https://id.example, audience: a, tenant: t, authority: 2}`:                 "authority",
		`{issuer: https://id.example, audience: a, tenant: t, scopes: [memory:all]}`:         "scopes",
		`{issuer: https://id.example, audience: a, tenant: t, scopes: [server:admin]}`:       "ceiling",
		`{issuer: https://id.example, audience: a, tenant: t, grants: {x: [server:admin]}}`:  "ceiling",
		`{issuer: https://id.example, audience: a, tenant: t, client-secret-file: x}`:        "client-id",
		`{issuer: https://id.example, audience: a, tenant: t, client-id: c, secret-file: x}`: "secret-file",
		"[" + good + "," + good + "]":                                                        "twice",
		"[" + good + ", {issuer: https://b.example, audience: a, tenant-claim: org}]":        "tenants",
	} {
		if all, err := oidc.ParseIssuers(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v; want %q", text, all, err, want)
		}
	}
	// A list in JSON is one in YAML.
	raw := must(json.Marshal([]map[string]any{{"issuer": "https://id.example", "audience": "memory", "tenant": "acme"}}))
	if all, err := oidc.ParseIssuers(string(raw)); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
