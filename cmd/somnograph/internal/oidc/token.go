package oidc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Refusal says why a token is refused, for the log. It is one of a few fixed texts and quotes
// nothing of the token.
type Refusal string

// Error implements error.
func (r Refusal) Error() string { return string(r) }

// Reasons to refuse a token.
const (
	malformed     Refusal = "the token is not a signed JWT in compact form"
	tooLarge      Refusal = "the token is too large"
	wrongType     Refusal = "the token is of another type: encrypted, nested, bound to a key, or with critical extensions"
	wrongAlg      Refusal = "the algorithm is not accepted for this issuer"
	unknownIssuer Refusal = "the issuer is not configured"
	unknownKey    Refusal = "the issuer publishes no such key"
	wrongSig      Refusal = "the signature is wrong"
	wrongAudience Refusal = "the token is for another audience"
	expired       Refusal = "the token has expired, or has no time of expiry"
	notYet        Refusal = "the token is not valid yet"
	wrongClaim    Refusal = "a claim is missing, has another type or a value that is not allowed"
	blankClaim    Refusal = "a claim that names the subject, the user or the agent is empty, or has only blanks and characters that a reader does not see"
	wrongTenant   Refusal = "the tenant is not allowed for this issuer"
	noScope       Refusal = "the token grants no scope"
	wrongNonce    Refusal = "the token belongs to another sign-in"
	otherIssuer   Refusal = "the answer to the sign-in comes from another issuer"
	noIssuer      Refusal = "the answer to the sign-in does not name its issuer (iss), which the issuer announces"
	refusedCode   Refusal = "the issuer refuses the code of the sign-in"
)

// MaxToken is the largest token in bytes.
const MaxToken = 16 << 10

// skew is how far the clocks of an issuer and this server may differ.
const skew = 60 * time.Second

// header is the part of a token's header that is looked at. Keys that it names or contains (jku,
// jwk, x5u, x5c) are ignored: keys come from the configured issuer only.
type header struct {
	alg, kid string
}

// Looks reports whether a credential has the form of a token: three parts with dots between them.
func Looks(text string) bool { return strings.Count(text, ".") == 2 }

// parse reads header and claims of a token whose signature has not been checked.
func parse(token string) (header, claims, error) {
	if len(token) > MaxToken {
		return header{}, nil, tooLarge
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 || parts[2] == "" {
		return header{}, nil, malformed
	}
	var objects [2]map[string]any
	for i := range objects {
		raw, err := base64.RawURLEncoding.Strict().DecodeString(parts[i])
		if err != nil {
			return header{}, nil, malformed
		}
		if objects[i], err = object(raw); err != nil {
			return header{}, nil, malformed
		}
	}
	h, err := readHeader(objects[0])
	return h, objects[1], err
}

// readHeader refuses what is not a plain signed JWT.
func readHeader(o claims) (header, error) {
	for _, name := range []string{"crit", "b64", "enc", "zip"} {
		if _, has := o[name]; has {
			return header{}, wrongType
		}
	}
	alg, _ := o["alg"].(string)
	kid, isText := o["kid"].(string)
	if _, has := o["kid"]; has && !isText || alg == "" {
		return header{}, malformed
	}
	types := map[string][]string{"typ": {"jwt", "at+jwt", "application/at+jwt"}, "cty": {}}
	for name, allowed := range types {
		v, has := o[name]
		text, _ := v.(string)
		if has && !slices.Contains(allowed, strings.ToLower(text)) {
			return header{}, wrongType
		}
	}
	return header{alg, kid}, nil
}

// object reads a JSON object without repeated members. Members of the object itself may not differ
// in letter case only either, because not every reader of JSON tells them apart.
func object(raw []byte) (map[string]any, error) {
	if err := graph.CheckJSON("the token", raw); err != nil { // else different texts would become one
		return nil, malformed
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := unique(d, 0); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, malformed
	}
	var o map[string]any
	d = json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&o); err != nil || o == nil {
		return nil, malformed
	}
	seen := map[string]bool{}
	for name := range o {
		if seen[strings.ToLower(name)] {
			return nil, malformed
		}
		seen[strings.ToLower(name)] = true
	}
	return o, nil
}

// maxDepth is the deepest nesting of JSON in a token.
const maxDepth = 16

// unique reads one value and refuses objects with repeated members.
func unique(d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil || depth > maxDepth {
		return malformed
	}
	open, nested := t.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			t, err := d.Token()
			name, _ := t.(string)
			if err != nil || seen[name] {
				return malformed
			}
			seen[name] = true
		}
		if err := unique(d, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// claims are the members of a token's payload. Numbers are json.Number.
type claims map[string]any

// text is a claim that must be a text; has is false if the token has no such claim.
func (c claims) text(name string) (text string, has bool, err error) {
	v, has := c[name]
	if !has {
		return "", false, nil
	}
	text, is := v.(string)
	if !is {
		return "", true, wrongClaim
	}
	return text, true, nil
}

// words is a claim that must be a list of texts or a text. spaces says that a text is a list
// with spaces, as in scope.
func (c claims) words(name string, spaces bool) (words []string, has bool, err error) {
	switch v := c[name].(type) {
	case nil:
		if _, null := c[name]; null {
			return nil, true, wrongClaim
		}
		return nil, false, nil
	case string:
		if spaces {
			return strings.Fields(v), true, nil
		}
		return []string{v}, true, nil
	case []any:
		for _, item := range v {
			text, is := item.(string)
			if !is {
				return nil, true, wrongClaim
			}
			words = append(words, text)
		}
		return words, true, nil
	}
	return nil, true, wrongClaim
}

// lastSecond is the last second of the year 9999 since 1970.
const lastSecond = 253402300799

// instant is a claim that must be a time in seconds since 1970; zero: the token has no such claim.
func (c claims) instant(name string) (time.Time, error) {
	v, has := c[name]
	if !has {
		return time.Time{}, nil
	}
	n, is := v.(json.Number)
	if !is {
		return time.Time{}, wrongClaim
	}
	f, err := n.Float64()
	if err != nil || !(f >= 0 && f <= lastSecond) {
		return time.Time{}, wrongClaim
	}
	whole, fraction := math.Modf(f)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC(), nil
}

// number is a claim that must be a number.
func (c claims) number(name string) (value float64, has bool, err error) {
	v, has := c[name]
	if !has {
		return 0, false, nil
	}
	n, is := v.(json.Number)
	if !is {
		return 0, true, wrongClaim
	}
	f, err := n.Float64()
	if err != nil {
		return 0, true, wrongClaim
	}
	return f, true, nil
}

// validAt checks the times of a token, with the skew, and returns when it ends. A token without
// exp is refused.
func (c claims) validAt(now time.Time) (until time.Time, err error) {
	exp, err := c.instant("exp")
	switch {
	case err != nil:
		return until, err
	case exp.IsZero():
		return until, expired
	}
	for _, name := range []string{"nbf", "iat"} {
		from, err := c.instant(name)
		switch {
		case err != nil:
			return until, err
		case from.After(now.Add(skew)):
			return until, notYet
		}
	}
	if until = exp.Add(skew); !now.Before(until) {
		return until, expired
	}
	return until, nil
}
