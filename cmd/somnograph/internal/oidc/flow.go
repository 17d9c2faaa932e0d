package oidc

import (
	"context"
	"crypto/subtle"
	"slices"

	upstream "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/somnograph/somnograph/engine"
)

// CallbackPath is the path to which issuers send their answers, and the beginning of those that one issuer has for itself.
const CallbackPath = "/signin/callback"

// SignIn is an issuer at which people can sign in.
type SignIn struct {
	Issuer   string // URL
	Name     string // for people
	Callback string // the path of its redirect URI
}

// SignIns lists the issuers at which people can sign in.
func (v *Verifier) SignIns() []SignIn {
	var all []SignIn
	for _, s := range v.order {
		if s.ClientID != "" {
			all = append(all, SignIn{s.Issuer.Issuer, s.Name, s.callback()})
		}
	}
	return all
}

// Attempt is one sign-in that has begun. State, Nonce and Verifier are random texts of at least 32
// characters that only the browser with the attempt and this server know.
type Attempt struct {
	Issuer   string
	Redirect string // the redirect URI
	State    string
	Nonce    string
	Verifier string // of PKCE
}

// Answer is what an issuer answers to a sign-in through the browser.
type Answer struct {
	Code     string
	Issuer   string // the parameter iss (RFC 9207); empty: it had none
	Callback string // the path to which it was sent
}

// Begin returns the address at the issuer to which the browser has to go. The error is a Refusal
// if nobody signs in at the issuer, or ErrUnavailable.
func (v *Verifier) Begin(ctx context.Context, a Attempt) (string, error) {
	_, c, err := v.client(ctx, a)
	if err != nil {
		return "", err
	}
	return c.AuthCodeURL(a.State, upstream.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

// client is the configuration of this server as a client of the attempt's issuer.
func (v *Verifier) client(ctx context.Context, a Attempt) (*source, *oauth2.Config, error) {
	s := v.issuers[a.Issuer]
	if s == nil || s.ClientID == "" {
		return nil, nil, unknownIssuer
	}
	e, err := s.provider.endpoints(ctx)
	if err != nil {
		return nil, nil, err
	}
	return s, &oauth2.Config{ClientID: s.ClientID, ClientSecret: string(s.client), Endpoint: e, RedirectURL: a.Redirect, Scopes: s.scopes}, nil
}

// Finish exchanges the code of an attempt for tokens and returns the caller whom they describe. It
// is described by the access token if that is a JWT for this server, else by the ID token. Credential
// is not set. The session of the caller rests on the basis, see [Verifier.Holds]. A code is sent to no issuer but the one that the answer comes from,
// as far as the answer tells (RFC 9700, section 4.4). The error is a Refusal or ErrUnavailable.
func (v *Verifier) Finish(ctx context.Context, a Attempt, answer Answer) (engine.Caller, Basis, error) {
	s, client, err := v.client(ctx, a)
	switch {
	case err != nil:
		return engine.Caller{}, Basis{}, err
	case answer.Callback != s.callback() || answer.Issuer != "" && answer.Issuer != a.Issuer:
		return engine.Caller{}, Basis{}, otherIssuer
	case answer.Issuer == "" && s.provider.announces():
		return engine.Caller{}, Basis{}, noIssuer
	}
	tokens, err := client.Exchange(upstream.ClientContext(ctx, s.provider.client), answer.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return engine.Caller{}, Basis{}, refusedCode
	}
	raw, _ := tokens.Extra("id_token").(string)
	named, h, err := v.sourceOf(raw)
	if err != nil {
		return engine.Caller{}, Basis{}, err
	}
	if named != s {
		return engine.Caller{}, Basis{}, unknownIssuer
	}
	id, err := s.authentic(ctx, raw, h, []string{s.ClientID}, v.options.Now())
	if err != nil {
		return engine.Caller{}, Basis{}, err
	}
	azp, _, err := id.claims.text("azp")
	aud, _, _ := id.claims.words("aud", false) // authentic has read it
	switch {
	case err != nil:
		return engine.Caller{}, Basis{}, err
	case azp != "" && azp != s.ClientID || azp == "" && len(aud) > 1:
		return engine.Caller{}, Basis{}, wrongAudience
	case subtle.ConstantTimeCompare([]byte(id.id.Nonce), []byte(a.Nonce)) != 1:
		return engine.Caller{}, Basis{}, wrongNonce
	case id.id.AccessTokenHash != "" && id.id.VerifyAccessToken(tokens.AccessToken) != nil:
		return engine.Caller{}, Basis{}, wrongSig
	}
	described := id
	if access, ok := s.accessToken(ctx, v, tokens.AccessToken); ok && access.id.Subject == id.id.Subject {
		described = access
	}
	key, err := s.provider.key(ctx, h)
	if err != nil {
		return engine.Caller{}, Basis{}, err
	}
	c, err := s.callerOf(described.claims)
	c.Until = described.until
	return c, Basis{s.config, thumbprintOf(key)}, err
}

// accessToken reads an access token that is a JWT of the issuer for this server.
func (s *source) accessToken(ctx context.Context, v *Verifier, token string) (authenticated, bool) {
	if !Looks(token) {
		return authenticated{}, false
	}
	named, h, err := v.sourceOf(token)
	if err != nil || named != s {
		return authenticated{}, false
	}
	a, err := s.authentic(ctx, token, h, s.Audience, v.options.Now())
	return a, err == nil
}

// Known reports whether people can sign in at an issuer.
func (v *Verifier) Known(issuer string) bool {
	return slices.ContainsFunc(v.SignIns(), func(s SignIn) bool { return s.Issuer == issuer })
}
