package oidc_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// refusedFor fails unless a token is refused with a text, and neither the error nor the log has a
// part of the token.
func refusedFor(t *testing.T, w *world, name, token, reason string) {
	t.Helper()
	c, err := w.Verify(t.Context(), token)
	var r oidc.Refusal
	if !errors.As(err, &r) || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: %+v, %v; want a refusal: %s", name, c, err, reason)
		return
	}
	if c.Tenant != "" || c.Scopes != nil {
		t.Errorf("%s: the refused token has a caller: %+v", name, c)
	}
	for _, part := range strings.FieldsFunc(token, func(r rune) bool { return r == '.' }) {
		if len(part) > 8 && (strings.Contains(err.Error(), part) || strings.Contains(w.logged(), part)) {
			t.Errorf("%s: a part of the token is in the error or in the log", name)
		}
	}
}

// Tokens with wrong signatures and algorithms.
func TestForgedSignaturesAreRefused(t *testing.T) {
	w := newWorld(t, newIssuer(t), nil)
	good := w.token(t, nil)
	if _, err := w.Verify(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	payload := string(must(json.Marshal(w.claims(nil))))
	der := must(x509.MarshalPKIXPublicKey(rsaKey().Public()))
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	asAna := base64.RawURLEncoding.EncodeToString([]byte(payload))
	tampered := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(payload, `"ana"`, `"eve"`, 1)))
	stripped := must(base64.RawURLEncoding.DecodeString(parts[2]))
	flipped := slices.Clone(stripped)
	flipped[10] ^= 1
	for name, x := range map[string]struct{ token, reason string }{
		"alg none":                       {raw(`{"alg":"none","kid":"rsa"}`, payload, []byte("x")), "algorithm"},
		"alg None":                       {raw(`{"alg":"None","kid":"rsa"}`, payload, []byte("x")), "algorithm"},
		"alg none without signature":     {raw(`{"alg":"none","kid":"rsa"}`, payload, nil), "not a signed JWT"},
		"no alg":                         {signedRaw(`{"kid":"rsa"}`, payload), "not a signed JWT"},
		"alg of another type":            {signedRaw(`{"alg":["RS256"],"kid":"rsa"}`, payload), "not a signed JWT"},
		"lower-case alg":                 {signedRaw(`{"alg":"rs256","kid":"rsa"}`, payload), "algorithm"},
		"HS256 with the public PEM":      {sign(t, jose.HS256, "rsa", public, w.claims(nil), nil), "algorithm"},
		"HS256 with the public DER":      {sign(t, jose.HS256, "rsa", der, w.claims(nil), nil), "algorithm"},
		"RS384":                          {sign(t, jose.RS384, "rsa", rsaKey(), w.claims(nil), nil), "algorithm"},
		"PS256":                          {sign(t, jose.PS256, "rsa", rsaKey(), w.claims(nil), nil), "algorithm"},
		"RS256 with the EC key's id":     {sign(t, jose.RS256, "ec", rsaKey(), w.claims(nil), nil), "no such key"},
		"ES256 with the RSA key's id":    {sign(t, jose.ES256, "rsa", ecKey(), w.claims(nil), nil), "no such key"},
		"another key":                    {sign(t, jose.RS256, "rsa", otherRSA(), w.claims(nil), nil), "signature"},
		"another EC key":                 {sign(t, jose.ES256, "ec", must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), w.claims(nil), nil), "signature"},
		"a tampered payload":             {parts[0] + "." + tampered + "." + parts[2], "signature"},
		"a tampered header":              {base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"rsa","typ":"jwt"}`)) + "." + asAna + "." + parts[2], "signature"},
		"a tampered signature":           {parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(flipped), "signature"},
		"an empty signature":             {parts[0] + "." + parts[1] + ".", "not a signed JWT"},
		"a short signature":              {parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(stripped[:100]), "signature"},
		"a zero signature":               {raw(`{"alg":"ES256","kid":"ec"}`, payload, make([]byte, 64)), "signature"},
		"the signature of another token": {parts[0] + "." + parts[1] + "." + strings.Split(w.token(t, map[string]any{"sub": "eve"}), ".")[2], "signature"},
	} {
		refusedFor(t, w, name, x.token, x.reason)
	}
	if got := w.issuer.fetched(); got > 2 {
		t.Errorf("the issuer's keys were fetched %d times", got)
	}
}

// Headers that name or contain other keys, and ids of keys that are paths, addresses or statements.
func TestKeysComeFromTheIssuerOnly(t *testing.T) {
	w := newWorld(t, newIssuer(t), nil)
	other := newIssuer(t) // it must never be asked
	other.change(func() {
		other.keys = []jose.JSONWebKey{{Key: otherRSA().Public(), KeyID: "evil", Algorithm: "RS256", Use: "sig"}}
	})
	jwk := jose.JSONWebKey{Key: otherRSA().Public(), KeyID: "evil"}
	for name, h := range map[string]map[jose.HeaderKey]any{
		"jku": {"jku": other.url + "/keys"}, "x5u": {"x5u": other.url + "/keys"}, "jwk": {"jwk": jwk}, "x5t": {"x5t": "AAAA"},
	} {
		refusedFor(t, w, name+" and an unknown key", sign(t, jose.RS256, "evil", otherRSA(), w.claims(nil), h), "no such key")
		if name == "jwk" {
			continue
		}
		refusedFor(t, w, name+" and another key", sign(t, jose.RS256, "rsa", otherRSA(), w.claims(nil), h), "signature")
		if _, err := w.Verify(t.Context(), sign(t, jose.RS256, "rsa", rsaKey(), w.claims(nil), h)); err != nil {
			t.Errorf("%s with the right key must be ignored: %v", name, err)
		}
	}
	for _, kid := range []string{"../../../../dev/null", "/etc/passwd", other.url + "/keys", "rsa' OR '1'='1", "rsa\x00", "RSA", strings.Repeat("k", 4000)} {
		refusedFor(t, w, fmt.Sprintf("kid %.20q", kid), sign(t, jose.RS256, kid, otherRSA(), w.claims(nil), nil), "no such key")
		refusedFor(t, w, fmt.Sprintf("kid %.20q with the right key", kid), sign(t, jose.RS256, kid, rsaKey(), w.claims(nil), nil), "no such key")
	}
	if n := other.fetched(); n != 0 {
		t.Errorf("an address in a token was asked %d times", n)
	}
	if n := w.issuer.fetched(); n > 2 {
		t.Errorf("unknown keys caused %d fetches, want one after that of the start", n)
	}
}

// Tokens that are no plain signed JWT.
func TestOtherFormsAreRefused(t *testing.T) {
	w := newWorld(t, newIssuer(t), nil)
	payload := string(must(json.Marshal(w.claims(nil))))
	good := w.token(t, nil)
	encrypter := must(jose.NewEncrypter(jose.A128GCM, jose.Recipient{Algorithm: jose.RSA_OAEP, Key: rsaKey().Public()}, nil))
	jwe := must(must(encrypter.Encrypt([]byte(payload))).CompactSerialize())
	jws := must(jose.ParseSignedCompact(good, []jose.SignatureAlgorithm{jose.RS256}))
	head := `{"alg":"RS256","kid":"rsa"`
	for name, x := range map[string]struct{ token, reason string }{
		"JWE":                      {jwe, "not a signed JWT"},
		"JSON serialization":       {jws.FullSerialize(), "not a signed JWT"},
		"nested JWT":               {signedRaw(head+`,"cty":"JWT"}`, good), "not a signed JWT"},
		"nested JWT without cty":   {signedRaw(head+`}`, good), "not a signed JWT"},
		"cty":                      {signedRaw(head+`,"cty":"JWT"}`, payload), "another type"},
		"crit":                     {signedRaw(head+`,"crit":["exp"],"exp":1}`, payload), "another type"},
		"crit b64":                 {signedRaw(head+`,"b64":false,"crit":["b64"]}`, payload), "another type"},
		"empty crit":               {signedRaw(head+`,"crit":[]}`, payload), "another type"},
		"zip":                      {signedRaw(head+`,"zip":"DEF"}`, payload), "another type"},
		"a logout token":           {signedRaw(head+`,"typ":"logout+jwt"}`, payload), "another type"},
		"a DPoP proof":             {signedRaw(head+`,"typ":"dpop+jwt"}`, payload), "another type"},
		"typ of another type":      {signedRaw(head+`,"typ":1}`, payload), "another type"},
		"kid of another type":      {signedRaw(`{"alg":"RS256","kid":1}`, payload), "not a signed JWT"},
		"header twice alg":         {signedRaw(`{"alg":"none","alg":"RS256","kid":"rsa"}`, payload), "not a signed JWT"},
		"header with a case twin":  {signedRaw(`{"alg":"RS256","ALG":"none","kid":"rsa"}`, payload), "not a signed JWT"},
		"half of a pair":           {signedRaw(head+`}`, `{"x":"\ud800",`+payload[1:]), "not a signed JWT"},
		"no UTF-8":                 {signedRaw(head+`}`, "{\"x\":\"\xff\","+payload[1:]), "not a signed JWT"},
		"a duplicated claim":       {signedRaw(head+`}`, `{"sub":"eve",`+payload[1:]), "not a signed JWT"},
		"a duplicate with escapes": {signedRaw(head+`}`, `{"s\u0075b":"eve",`+payload[1:]), "not a signed JWT"},
		"a duplicate in case":      {signedRaw(head+`}`, `{"SUB":"eve",`+payload[1:]), "not a signed JWT"},
		"a nested duplicate":       {signedRaw(head+`}`, `{"x":{"a":1,"a":2},`+payload[1:]), "not a signed JWT"},
		"text after the payload":   {signedRaw(head+`}`, payload+`{}`), "not a signed JWT"},
		"an array":                 {signedRaw(head+`}`, `[`+payload+`]`), "not a signed JWT"},
		"null":                     {signedRaw(head+`}`, `null`), "not a signed JWT"},
		"deep nesting":             {signedRaw(head+`}`, `{"x":`+strings.Repeat("[", 3000)+strings.Repeat("]", 3000)+`,`+payload[1:]), "not a signed JWT"},
		"a huge token":             {w.token(t, map[string]any{"x": strings.Repeat("x", oidc.MaxToken)}), "too large"},
		"a huge header":            {signedRaw(head+`,"x":"`+strings.Repeat("x", oidc.MaxToken)+`"}`, payload), "too large"},
		"padding":                  {strings.Replace(good, ".", "=.", 1), "not a signed JWT"},
		"spaces":                   {strings.Replace(good, ".", " .", 1), "not a signed JWT"},
		"two parts":                {strings.Join(strings.Split(good, ".")[:2], "."), "not a signed JWT"},
		"four parts":               {good + ".x", "not a signed JWT"},
		"dots":                     {"..", "not a signed JWT"},
		"bound to a key":           {w.token(t, map[string]any{"cnf": map[string]any{"jkt": "x"}}), "another type"},
		"a distributed claim":      {w.token(t, map[string]any{"_claim_names": map[string]any{"scope": "x"}}), "not a signed JWT"},
	} {
		refusedFor(t, w, name, x.token, x.reason)
	}
}

// Claims about issuer, audience and time.
func TestClaimsOfTheWrongPlaceOrTimeAreRefused(t *testing.T) {
	w := newWorld(t, newIssuer(t), nil)
	at := func(d time.Duration) int64 { return w.clock().Add(d).Unix() }
	for name, x := range map[string]struct {
		change map[string]any
		reason string // empty: accepted
	}{
		"no issuer":                   {map[string]any{"iss": nil}, "issuer is not configured"},
		"another issuer":              {map[string]any{"iss": "https://evil.example"}, "issuer is not configured"},
		"the issuer with a slash":     {map[string]any{"iss": w.issuer.url + "/"}, "issuer is not configured"},
		"the issuer in upper case":    {map[string]any{"iss": strings.ToUpper(w.issuer.url)}, "issuer is not configured"},
		"a list of issuers":           {map[string]any{"iss": []string{w.issuer.url}}, "claim"},
		"no audience":                 {map[string]any{"aud": nil}, "another audience"},
		"another audience":            {map[string]any{"aud": "other"}, "another audience"},
		"part of the audience":        {map[string]any{"aud": "memo"}, "another audience"},
		"audience with spaces":        {map[string]any{"aud": "other memory"}, "another audience"},
		"an empty list of audiences":  {map[string]any{"aud": []string{}}, "another audience"},
		"one of several audiences":    {map[string]any{"aud": []string{"other", "memory"}}, ""},
		"audience of another type":    {map[string]any{"aud": []any{"memory", 1}}, ""},
		"audience as an object":       {map[string]any{"aud": map[string]any{"memory": true}}, "not a signed JWT"},
		"no expiry":                   {map[string]any{"exp": nil}, "expired"},
		"expired":                     {map[string]any{"exp": at(-time.Hour)}, "expired"},
		"expired 60 s ago":            {map[string]any{"exp": at(-time.Minute)}, "expired"},
		"expired 59 s ago":            {map[string]any{"exp": at(-59 * time.Second)}, ""},
		"expiry in milliseconds":      {map[string]any{"exp": w.clock().Add(time.Hour).UnixMilli()}, "claim"},
		"expiry as a text":            {map[string]any{"exp": fmt.Sprint(at(time.Hour))}, "claim"},
		"expiry below zero":           {map[string]any{"exp": -1}, "claim"},
		"expiry beyond all bounds":    {map[string]any{"exp": json.Number("1e400")}, "not a signed JWT"},
		"expiry null":                 {map[string]any{"exp": json.RawMessage("null")}, "not a signed JWT"},
		"not before in 60 s":          {map[string]any{"nbf": at(time.Minute)}, ""},
		"not before in 61 s":          {map[string]any{"nbf": at(61 * time.Second)}, "not valid yet"},
		"not before as a text":        {map[string]any{"nbf": "now"}, "not a signed JWT"},
		"issued in an hour":           {map[string]any{"iat": at(time.Hour)}, "not valid yet"},
		"without iat and nbf":         {map[string]any{"iat": nil}, ""},
		"a fraction of a second left": {map[string]any{"exp": float64(at(-time.Minute)) + .5}, ""},
	} {
		token := w.token(t, x.change)
		if x.reason != "" {
			refusedFor(t, w, name, token, x.reason)
			continue
		}
		if _, err := w.Verify(t.Context(), token); err != nil && name != "audience of another type" {
			t.Errorf("%s: %v", name, err)
		} else if err == nil && name == "audience of another type" {
			t.Errorf("%s: accepted", name)
		}
	}
	token := w.token(t, nil)
	c, err := w.Verify(t.Context(), token)
	if err != nil || !c.Until.Equal(w.clock().Add(time.Hour+time.Minute)) {
		t.Fatalf("until %v, %v", c.Until, err)
	}
	w.advance(time.Hour + time.Minute)
	refusedFor(t, w, "after its time", token, "expired")
}

// A name of which a reader sees nothing names nobody. Where a sub is no user, it is what tells principals apart.
func TestNamesWithoutAVisibleCharacterAreRefused(t *testing.T) {
	users := newWorld(t, newIssuer(t), map[string]any{"user-claim": "person", "user-optional": true, "agent-claim": "agent"})
	for what, name := range map[string]string{
		"nothing": "", "a space": " ", "spaces": "    ", "a no-break space": "\u00a0", "an ideographic space": "\u3000", "a zero-width space": "\u200b", "a soft hyphen": "\u00ad", "a joiner": "\u200d",
		"marks of direction": "\u200e\u202e", "fillers": "\u3164\uffa0", "an empty Braille pattern": "\u2800", "a tag": "\U000e0061", "a variation selector": "\ufe0f", "private use": "\ue000", "all of them": " \u200b\u2800\u00ad\u3000",
	} {
		for _, claim := range []string{"sub", "person", "agent"} {
			refusedFor(t, users, claim+" of "+what, users.token(t, map[string]any{claim: name}), "a reader does not see")
		}
	}
	for _, name := range []string{"Ana María", "אנה", "\u200dana", "०", "…", "\U0001f469\u200d\U0001f52c"} {
		c, err := users.Verify(t.Context(), users.token(t, map[string]any{"sub": name, "person": name, "agent": name}))
		if err != nil || c.User != name || c.Agent != name {
			t.Errorf("%+q: %+v, %v", name, c, err)
		}
	}
	tenants := newWorld(t, newIssuer(t), map[string]any{"tenant": "", "tenant-claim": "org", "namespaces-claim": "spaces"})
	for _, claim := range []string{"org", "spaces"} {
		change := map[string]any{"org": "acme", "spaces": "notes"}
		change[claim] = "\u2800"
		refusedFor(t, tenants, claim, tenants.token(t, change), "claim")
	}
}

// What the claims may say of tenant, user and rights.
func TestClaimsDoNotEscalate(t *testing.T) {
	w := newWorld(t, newIssuer(t), map[string]any{
		"tenant": "", "tenant-claim": "org", "tenants": []string{"acme", "beta"}, "namespaces-claim": "spaces", "authority-claim": "weight",
		"grants": map[string]any{"editors": []string{"memory:read", "memory:write"}}, "scopes-claim": "groups",
	})
	base := map[string]any{"org": "acme", "spaces": []string{"notes"}, "groups": []string{"editors"}, "scope": nil}
	for name, x := range map[string]struct {
		change map[string]any
		reason string
	}{
		"no tenant":                       {map[string]any{"org": nil}, "claim"},
		"another tenant":                  {map[string]any{"org": "gamma"}, "tenant is not allowed"},
		"two tenants":                     {map[string]any{"org": []string{"acme", "beta"}}, "claim"},
		"the tenant of the server":        {map[string]any{"org": "~server"}, "claim"},
		"an empty tenant":                 {map[string]any{"org": ""}, "claim"},
		"a path as tenant":                {map[string]any{"org": "../acme"}, "claim"},
		"tenant in upper case":            {map[string]any{"org": "ACME"}, "tenant is not allowed"},
		"no subject":                      {map[string]any{"sub": nil}, "claim"},
		"an empty subject":                {map[string]any{"sub": ""}, "claim"},
		"subject as a number":             {map[string]any{"sub": 1}, "not a signed JWT"},
		"subject with control characters": {map[string]any{"sub": "ana\n"}, "claim"},
		"a subject that is too long":      {map[string]any{"sub": strings.Repeat("a", 4000)}, "claim"},
		"no namespaces":                   {map[string]any{"spaces": nil}, "claim"},
		"an empty list of namespaces":     {map[string]any{"spaces": []string{}}, "claim"},
		"namespaces null":                 {map[string]any{"spaces": json.RawMessage("null")}, "claim"},
		"an invalid namespace":            {map[string]any{"spaces": []string{"notes", "../x"}}, "claim"},
		"all among namespaces":            {map[string]any{"spaces": []string{"notes", "*"}}, "claim"},
		"namespaces as an object":         {map[string]any{"spaces": map[string]any{"notes": true}}, "claim"},
		"no scope":                        {map[string]any{"groups": nil}, "grants no scope"},
		"scopes as a number":              {map[string]any{"groups": 7}, "claim"},
		"scopes with a number":            {map[string]any{"groups": []any{"editors", 7}}, "claim"},
		"only server:admin":               {map[string]any{"groups": []string{"server:admin"}}, "grants no scope"},
		"scopes of another claim":         {map[string]any{"groups": nil, "scope": "memory:admin"}, "grants no scope"},
		"authority above 1":               {map[string]any{"weight": 1.5}, "claim"},
		"authority below 0":               {map[string]any{"weight": -.1}, "claim"},
		"authority as a text":             {map[string]any{"weight": "1"}, "claim"},
	} {
		change := maps.Clone(base)
		maps.Copy(change, x.change)
		refusedFor(t, w, name, w.token(t, change), x.reason)
	}
	all := maps.Clone(base)
	maps.Copy(all, map[string]any{"groups": []string{"editors", "memory:admin", "server:admin", "MEMORY_CURATE", "memory:everything"}, "weight": .3})
	c, err := w.Verify(t.Context(), w.token(t, all))
	if err != nil || fmt.Sprint(c.Scopes) != "[memory:read memory:write memory:admin]" || c.Grant != .3 || c.Tenant != "acme" || fmt.Sprint(c.Namespaces) != "[notes]" {
		t.Errorf("caller %+v, %v", c, err)
	}
	all["spaces"], all["org"] = []string{"*"}, "beta"
	delete(all, "weight")
	if c, err = w.Verify(t.Context(), w.token(t, all)); err != nil || c.Namespaces != nil || c.Tenant != "beta" || c.Grant != 1 || !c.Admin {
		t.Errorf("caller %+v, %v", c, err)
	}
}
