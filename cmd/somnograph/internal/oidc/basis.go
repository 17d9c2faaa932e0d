package oidc

import (
	"crypto"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/go-jose/go-jose/v4"
)

// Basis is what a sign-in rests on. A session ends when its issuer withdraws the key or the configuration of the issuer changes, as
// the tokens of that issuer do.
type Basis struct {
	Config string `json:"config"` // SHA-256 of the configuration of the issuer, hexadecimal
	Key    string `json:"key"`    // thumbprint of the key that signed the ID token (RFC 7638, SHA-256), hexadecimal
}

// Holds reports whether a sign-in at an issuer still rests on its basis. Until the keys of the issuer have been read once, any key is
// taken as published.
func (v *Verifier) Holds(issuer string, b Basis) bool {
	s := v.issuers[issuer]
	return s != nil && s.ClientID != "" && b.Config == s.config && s.provider.publishes(b.Key)
}

// publishes reports a key, by its thumbprint, that the issuer published when its keys were last read.
func (p *provider) publishes(thumbprint string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetched.IsZero() || p.thumbprints[thumbprint]
}

// configOf is the sum of a configuration.
func configOf(i Issuer) (string, error) {
	text, err := json.Marshal(i)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// thumbprintsOf are the thumbprints of keys.
func thumbprintsOf(keys map[keyName]any) map[string]bool {
	all := map[string]bool{}
	for _, k := range keys {
		if x := thumbprintOf(k); x != "" {
			all[x] = true
		}
	}
	return all
}

// thumbprintOf is the thumbprint of a public key; empty for none.
func thumbprintOf(key any) string {
	sum, err := (&jose.JSONWebKey{Key: key}).Thumbprint(crypto.SHA256)
	if err != nil {
		return ""
	}
	return hex.EncodeToString(sum)
}
