package oidc_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// A client that hangs up does not end the look at the issuer's keys that its token has caused: else anybody without a credential, with
// one token of an unknown key every ten seconds, keeps a new key from being read, and makes the issuer look lost.
func TestAClientThatHangsUpDoesNotEndTheLookAtTheKeys(t *testing.T) {
	i := newIssuer(t)
	w := newWorld(t, i, nil)
	if _, err := w.Verify(t.Context(), w.token(t, nil)); err != nil {
		t.Fatal(err)
	}
	i.change(func() {
		i.keys = append(i.keys, jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "new", Algorithm: "RS256", Use: "sig"})
	})
	w.advance(time.Minute)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Verify(gone, sign(t, jose.RS256, "forged", otherRSA(), w.claims(nil), nil))
	if err == nil {
		t.Fatal("a forged token is accepted")
	}
	if up := w.Up()[i.url]; !up || strings.Contains(w.logged(), "can't be reached") {
		t.Errorf("the issuer is up: %v; the log:\n%s", up, w.logged())
	}
	if _, err := w.Verify(t.Context(), sign(t, jose.RS256, "new", otherRSA(), w.claims(nil), nil)); err != nil {
		t.Errorf("a token of the issuer's new key: %v", err)
	}
}
