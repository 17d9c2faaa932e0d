package oidc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	upstream "github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"
)

// ErrUnavailable says that the issuer can't be reached, so that nothing can be said of a token.
var ErrUnavailable = errors.New("the issuer of the token can't be reached")

const (
	fetchTime  = 5 * time.Second  // for one request to an issuer
	fetchPause = 10 * time.Second // between two fetches that tokens with unknown keys cause
	keysLife   = 24 * time.Hour   // how long keys are used while the issuer can't be reached
	maxAnswer  = 1 << 20          // of an issuer, in bytes
	maxKeys    = 100              // of an issuer
)

// provider has the published keys and endpoints of an issuer. It is safe for concurrent use.
type provider struct {
	issuer string
	client *http.Client
	now    func() time.Time
	log    *slog.Logger
	shared bool // another issuer sends its answers to the same address

	fetching sync.Mutex // held during a fetch

	mu   sync.Mutex // protects what follows
	keys map[keyName]any
	// thumbprints are those of keys.
	thumbprints map[string]bool
	endpoint    endpoints
	fetched     time.Time // the last successful fetch; zero: none
	tried       time.Time // the last fetch
	asked       time.Time // the last fetch that a token caused
	failing     bool
}

// endpoints are where people sign in.
type endpoints struct {
	oauth2.Endpoint
	names bool // answers to sign-ins have the parameter iss (RFC 9207)
}

// keyName names a key: keys of different algorithms may have one id.
type keyName struct{ alg, kid string }

// fetch reads the issuer's endpoints and keys. If it fails, the last keys stay in use until they
// are keysLife old.
func (p *provider) fetch(ctx context.Context) error {
	endpoint, keys, err := p.read(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried = p.now()
	if err == nil {
		if p.failing || p.fetched.IsZero() {
			p.log.Info("the issuer's keys are read", "issuer", p.issuer, "keys", len(keys))
		}
		if p.shared && !endpoint.names && p.fetched.IsZero() {
			p.log.Warn("the issuer does not name itself in its answers to sign-ins, and another issuer sends its answers to the same address: set callback, so that one can't pass off the answer of the other as its own", "issuer", p.issuer)
		}
		p.endpoint, p.keys, p.thumbprints, p.fetched, p.failing = endpoint, keys, thumbprintsOf(keys), p.tried, false
		return nil
	}
	kept := len(p.keys) > 0
	if kept && p.tried.Sub(p.fetched) > keysLife {
		p.keys, p.thumbprints, kept = nil, nil, false
		p.log.Error("the issuer's keys are too old and not used any more", "issuer", p.issuer)
	}
	if !p.failing {
		p.failing = true
		p.log.Warn("the issuer can't be reached; it is tried again", "issuer", p.issuer, "last_keys_in_use", kept, "error", err)
	}
	return err
}

// read gets the issuer's configuration and keys.
func (p *provider) read(ctx context.Context) (endpoints, map[keyName]any, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*fetchTime)
	defer cancel()
	found, err := upstream.NewProvider(upstream.ClientContext(ctx, p.client), p.issuer)
	if err != nil {
		return endpoints{}, nil, cause(err, "its configuration can't be read")
	}
	var more struct {
		JWKS  string `json:"jwks_uri"`
		Names bool   `json:"authorization_response_iss_parameter_supported"`
	}
	if err := found.Claims(&more); err != nil {
		return endpoints{}, nil, errors.New("its configuration can't be read")
	}
	endpoint := endpoints{found.Endpoint(), more.Names}
	for _, url := range []string{more.JWKS, endpoint.AuthURL, endpoint.TokenURL} {
		if url != "" && !safeEndpoint(p.issuer, url) {
			return endpoint, nil, errors.New("its configuration names an endpoint without TLS")
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, more.JWKS, nil)
	if err != nil {
		return endpoint, nil, errors.New("its configuration names no keys")
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return endpoint, nil, cause(err, "its keys can't be read")
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return endpoint, nil, fmt.Errorf("its keys can't be read (status %d)", resp.StatusCode)
	}
	keys, err := publicKeys(raw)
	return endpoint, keys, err
}

// cause keeps of an error what says why a connection failed. Answers of an issuer are not quoted.
func cause(err error, otherwise string) error {
	var connection interface{ Timeout() bool } // of net and of net/http
	if errors.As(err, &connection) {
		return fmt.Errorf("%s: %w", otherwise, err)
	}
	return errors.New(otherwise)
}

// publicKeys reads a JWK set. It keeps the RSA keys of 2,048 to 8,192 bits and the EC keys on P-256 that
// are for signatures, and ignores all others. Symmetric keys are never among them.
func publicKeys(raw []byte) (map[keyName]any, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &set); err != nil || len(set.Keys) > maxKeys {
		return nil, errors.New("its keys can't be read")
	}
	keys := map[keyName]any{}
	for _, item := range set.Keys {
		var k jose.JSONWebKey
		if k.UnmarshalJSON(item) != nil || !k.Valid() || !k.IsPublic() || k.Use != "" && k.Use != "sig" {
			continue
		}
		alg := ""
		switch public := k.Key.(type) {
		case *rsa.PublicKey:
			if bits := public.N.BitLen(); bits >= 2048 && bits <= 8192 {
				alg = upstream.RS256
			}
		case *ecdsa.PublicKey:
			if public.Curve == elliptic.P256() {
				alg = upstream.ES256
			}
		}
		if alg != "" && (k.Algorithm == "" || k.Algorithm == alg) {
			keys[keyName{alg, k.KeyID}] = k.Key
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("it publishes no key for RS256 or ES256")
	}
	return keys, nil
}

// key returns the key that a header names. If the issuer may have a new one, its keys are fetched once
// more, at most every fetchPause for all tokens together.
func (p *provider) key(ctx context.Context, h header) (any, error) {
	p.begun(ctx)
	k, known := p.find(h)
	if known {
		return k, nil
	}
	if p.mayAsk() {
		_ = p.fetchFor(ctx, p.lastTry()) // find says what came of it
		if k, known = p.find(h); known {
			return k, nil
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failing || p.fetched.IsZero() {
		return nil, ErrUnavailable
	}
	return nil, unknownKey
}

// find looks a key up. A token without kid can only be of the issuer's only key for its algorithm.
func (p *provider) find(h header) (any, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.kid != "" {
		k, known := p.keys[keyName(h)]
		return k, known
	}
	var only any
	n := 0
	for name, k := range p.keys {
		if name.alg == h.alg {
			only, n = k, n+1
		}
	}
	return only, n == 1
}

// names reports whether a header still names the key with a thumbprint, so that a token with the header is accepted.
func (p *provider) names(h header, thumbprint string) bool {
	k, known := p.find(h)
	return known && thumbprintOf(k) == thumbprint
}

// mayAsk reports whether a token may cause a fetch now.
func (p *provider) mayAsk() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if !p.asked.IsZero() && now.Sub(p.asked) < fetchPause {
		return false
	}
	p.asked = now
	return true
}

// begun waits for the first fetch, which no token has to cause.
func (p *provider) begun(ctx context.Context) {
	if last := p.lastTry(); last.IsZero() {
		_ = p.fetchFor(ctx, last) // what needs the keys says what came of it
	}
}

func (p *provider) lastTry() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tried
}

// fetchFor is fetchAfter for a request. It goes on if the client hangs up: else a client without a credential could keep the keys from
// being read.
func (p *provider) fetchFor(ctx context.Context, last time.Time) error {
	return p.fetchAfter(context.WithoutCancel(ctx), last)
}

// fetchAfter fetches unless another call has fetched since the instant. It then returns whether that one failed.
func (p *provider) fetchAfter(ctx context.Context, last time.Time) error {
	p.fetching.Lock()
	defer p.fetching.Unlock()
	if !p.lastTry().Equal(last) {
		if !p.up() {
			return ErrUnavailable
		}
		return nil
	}
	return p.fetch(ctx)
}

// endpoints are the addresses for the sign-in; ErrUnavailable if they are not known.
func (p *provider) endpoints(ctx context.Context) (oauth2.Endpoint, error) {
	read := func() (oauth2.Endpoint, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.endpoint.Endpoint, p.endpoint.AuthURL != "" && p.endpoint.TokenURL != ""
	}
	p.begun(ctx)
	e, known := read()
	if !known && p.mayAsk() {
		_ = p.fetchFor(ctx, p.lastTry()) // read says what came of it
		e, known = read()
	}
	if !known {
		return oauth2.Endpoint{}, ErrUnavailable
	}
	return e, nil
}

// announces reports whether the issuer says that its answers to sign-ins name it.
func (p *provider) announces() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endpoint.names
}

// up reports whether the last fetch succeeded.
func (p *provider) up() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.failing && !p.fetched.IsZero()
}

// limited is a transport that bounds answers in time and size.
type limited struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}
