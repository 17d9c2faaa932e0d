// Package oidc accepts the bearer tokens of OpenID Connect issuers, and signs people in with
// their code flow.
//
// A token is a JWT (RFC 7519) in its compact form, signed by an issuer that the configuration
// names ([Issuer]): with RS256 or ES256 and a key that the issuer publishes, or with HS256 and a
// secret that both know. [Verifier.Verify] makes an engine.Caller of its claims. Nothing of a token
// is in an error: a [Refusal] is one of a few fixed texts.
package oidc
