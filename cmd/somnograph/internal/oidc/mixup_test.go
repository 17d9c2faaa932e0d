package oidc_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// A code is sent to the issuer of a sign-in only if the answer may come from it (RFC 9700, section 4.4): by the parameter iss, which an
// issuer that announces it may not leave out, and by the address to which the answer came.
func TestCodesOfOtherIssuersAreSentToNobody(t *testing.T) {
	const shared, own = "/signin/callback", "/signin/callback/first"
	for _, x := range []struct {
		name             string
		announces        bool
		callback         string // setting
		issuer, answered string // the answer
		reason           string
	}{
		{"an issuer that says nothing of iss", false, "", "", shared, "refuses the code"},
		{"its own iss", false, "", "itself", shared, "refuses the code"},
		{"another iss", false, "", "https://evil.example", shared, "comes from another issuer"},
		{"an announced iss", true, "", "itself", shared, "refuses the code"},
		{"no iss although it is announced", true, "", "", shared, "does not name its issuer"},
		{"its own address", false, "first", "", own, "refuses the code"},
		{"the shared address", false, "first", "", shared, "comes from another issuer"},
		{"the address of another issuer", false, "first", "", "/signin/callback/second", "comes from another issuer"},
		{"an address that it does not have", false, "", "itself", own, "comes from another issuer"},
	} {
		i := newIssuer(t)
		if x.announces {
			i.more = map[string]any{"authorization_response_iss_parameter_supported": true}
		}
		settings := map[string]any{"client-id": "somnograph"}
		if x.callback != "" {
			settings["callback"] = x.callback
		}
		w := newWorld(t, i, settings)
		a := oidc.Attempt{Issuer: i.url, Redirect: "https://memory.example" + w.SignIns()[0].Callback, State: strings.Repeat("s", 32), Nonce: strings.Repeat("n", 32), Verifier: strings.Repeat("v", 43)}
		if to, err := w.Begin(t.Context(), a); err != nil || x.callback != "" && !strings.Contains(to, "callback%2Ffirst&") {
			t.Errorf("%s: the sign-in begins at %s, %v", x.name, to, err)
		}
		answer := oidc.Answer{Code: "code", Issuer: strings.ReplaceAll(x.issuer, "itself", i.url), Callback: x.answered}
		_, _, err := w.Finish(t.Context(), a, answer)
		var r oidc.Refusal
		if !errors.As(err, &r) || !strings.Contains(err.Error(), x.reason) {
			t.Errorf("%s: %v, want %q", x.name, err, x.reason)
		}
		i.change(func() {
			if sent := i.codes > 0; sent != (x.reason == "refuses the code") {
				t.Errorf("%s: the code was sent: %v", x.name, sent)
			}
		})
	}
}

// The log warns of two issuers that can't be told apart.
func TestSharedAddressWithoutIssIsWarnedOf(t *testing.T) {
	for _, x := range []struct {
		announces, client bool
		callback          string
		warns             bool
	}{{false, true, "", true}, {true, true, "", false}, {false, true, "second", false}, {false, false, "", false}} {
		first, second := newIssuer(t), newIssuer(t)
		second.more = map[string]any{"authorization_response_iss_parameter_supported": x.announces}
		other := map[string]any{"issuer": second.url, "audience": "memory", "tenant": "beta"}
		if x.client {
			other["client-id"] = "somnograph"
		}
		if x.callback != "" {
			other["callback"] = x.callback
		}
		w := newWorld(t, first, map[string]any{"client-id": "somnograph"}, func(o *oidc.Options) {
			more, err := oidc.ParseIssuers(string(must(json.Marshal(other))))
			if err != nil {
				t.Fatal(err)
			}
			o.Issuers = append(o.Issuers, more...)
		})
		_, _ = w.Verify(t.Context(), w.token(t, map[string]any{"iss": second.url, "sub": "bo"})) // its keys are read then
		warned := slices.ContainsFunc(strings.Split(w.logged(), "\n"), func(line string) bool {
			return strings.Contains(line, "set callback") && strings.Contains(line, "issuer="+second.url)
		})
		if warned != x.warns {
			t.Errorf("%+v: %s", x, w.logged())
		}
	}
}

// Addresses that two issuers would share, that are no path of one part, or of issuers without a sign-in are refused.
func TestCallbacksAreChecked(t *testing.T) {
	issuer := func(url, more string) string {
		return `{"issuer": "` + url + `", "audience": "memory", "tenant": "` + url[8:9] + `"` + more + `}`
	}
	for _, x := range []struct{ text, reason string }{
		{"[" + issuer("https://a.example", `, "client-id": "x", "callback": "a"`) + "," + issuer("https://b.example", `, "client-id": "x", "callback": "a"`) + "]", "callback: is that of another issuer"},
		{issuer("https://a.example", `, "callback": "a"`), "callback: requires client-id"},
		{issuer("https://a.example", `, "client-id": "x", "callback": "../a"`), "callback: must be"},
		{issuer("https://a.example", `, "client-id": "x", "callback": "`+strings.Repeat("a", 65)+`"`), "callback: must be"},
	} {
		if _, err := oidc.ParseIssuers(x.text); err == nil || !strings.Contains(err.Error(), x.reason) {
			t.Errorf("%s: %v", x.text, err)
		}
	}
	if _, err := oidc.ParseIssuers("[" + issuer("https://a.example", `, "client-id": "x", "callback": "a"`) + "," + issuer("https://b.example", `, "client-id": "x"`) + "]"); err != nil {
		t.Error(err)
	}
}
