package oidc

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	upstream "github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"github.com/somnograph/somnograph/engine"
)

// minSecret is the smallest secret for HS256 in bytes, the size of its hash.
const minSecret = 32

// Options configure a Verifier. Issuers and Now are required.
type Options struct {
	Issuers []Issuer // as ParseIssuers returns them
	Now     func() time.Time
	Logger  *slog.Logger // nil: no logging
	// Every is the interval at which the issuers' keys are read again; 0: 10 minutes. Retry is the first
	// pause after a failure, which doubles up to Every; 0: 1 s.
	Every, Retry time.Duration
}

// Verifier accepts the tokens of issuers. It is safe for concurrent use.
type Verifier struct {
	options Options
	issuers map[string]*source
	order   []*source
	stop    context.CancelFunc
	running sync.WaitGroup
}

// source is an issuer with its keys.
type source struct {
	Issuer
	scopes   []string  // requested at the sign-in
	secret   []byte    // of HS256; nil: keys are published
	client   []byte    // secret of the client; empty: none
	provider *provider // nil with a secret
	config   string    // sum of Issuer, see Basis
}

// New makes a Verifier and begins to read the issuers' keys. An issuer that can't be reached is no
// error: it is tried until it answers. An error says which file can't be used.
func New(o Options) (*Verifier, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Every == 0 {
		o.Every = 10 * time.Minute
	}
	if o.Retry == 0 {
		o.Retry = time.Second
	}
	v := &Verifier{options: o, issuers: map[string]*source{}}
	for _, i := range o.Issuers {
		s, err := v.open(i)
		if err != nil {
			return nil, fmt.Errorf("oidc.issuers: %s: %w", i.Issuer, err)
		}
		v.issuers[i.Issuer] = s
		v.order = append(v.order, s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	v.stop = cancel
	for _, s := range v.order {
		if s.provider != nil {
			s.provider.shared = slices.ContainsFunc(v.SignIns(), func(o SignIn) bool {
				return s.ClientID != "" && o.Issuer != s.Issuer.Issuer && o.Callback == s.callback()
			})
			v.running.Go(func() { v.follow(ctx, s.provider) })
		}
	}
	return v, nil
}

// open reads the files of an issuer.
func (v *Verifier) open(i Issuer) (*source, error) {
	s := &source{Issuer: i, scopes: append([]string{upstream.ScopeOpenID}, i.SignInScopes...)}
	var err error
	if s.config, err = configOf(i); err != nil {
		return nil, err
	}
	if i.SecretFile != "" {
		if s.secret, err = readSecret(i.SecretFile); err == nil && len(s.secret) < minSecret {
			err = fmt.Errorf("secret-file: has %d bytes, fewer than %d", len(s.secret), minSecret)
		}
		return s, err
	}
	if i.ClientSecretFile != "" {
		if s.client, err = readSecret(i.ClientSecretFile); err != nil {
			return nil, err
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if i.CAFile != "" {
		pem, err := os.ReadFile(i.CAFile)
		pool := x509.NewCertPool()
		if err != nil || !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("ca-file: %s has no certificates (%w)", i.CAFile, err)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	s.provider = &provider{
		issuer: i.Issuer, now: v.options.Now, log: v.options.Logger,
		client: &http.Client{
			Timeout: fetchTime, Transport: limited{transport},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	return s, nil
}

// readSecret reads a file that nobody else may read, without space around its text.
func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the secret is readable by others: run chmod 600 %s", path)
	}
	b, err := os.ReadFile(path)
	if b = []byte(strings.TrimSpace(string(b))); err == nil && len(b) == 0 {
		err = fmt.Errorf("%s is empty", path)
	}
	return b, err
}

// Close ends the background work.
func (v *Verifier) Close() {
	v.stop()
	v.running.Wait()
}

// follow reads an issuer's keys now and at every interval, so that a key that the issuer withdraws is
// not accepted any more.
func (v *Verifier) follow(ctx context.Context, p *provider) {
	pause := v.options.Retry
	for last := (time.Time{}); ; last = p.lastTry() { // a token may have caused the first fetch already
		next := v.options.Every
		if p.fetchAfter(ctx, last) != nil {
			next = min(pause, next)
			pause *= 2
		} else {
			pause = v.options.Retry
		}
		timer := time.NewTimer(next)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// Issuers are the URLs of the issuers.
func (v *Verifier) Issuers() []string {
	var urls []string
	for _, s := range v.order {
		urls = append(urls, s.Issuer.Issuer)
	}
	return urls
}

// Up reports for each issuer whether its keys could be read at the last try.
func (v *Verifier) Up() map[string]bool {
	up := map[string]bool{}
	for _, s := range v.order {
		up[s.Issuer.Issuer] = s.provider == nil || s.provider.up()
	}
	return up
}

// Verify returns the caller with a bearer token. The error is a Refusal, or ErrUnavailable if the
// issuer of the token can't be reached.
func (v *Verifier) Verify(ctx context.Context, token string) (engine.Caller, error) {
	s, h, err := v.sourceOf(token)
	if err != nil {
		return engine.Caller{}, err
	}
	a, err := s.authentic(ctx, token, h, s.Audience, v.options.Now())
	if err != nil {
		return engine.Caller{}, err
	}
	c, err := s.callerOf(a.claims)
	if err != nil {
		return engine.Caller{}, err
	}
	sum := sha256.Sum256([]byte(token))
	c.Credential, c.Until = "token-"+hex.EncodeToString(sum[:16]), a.until
	if s.provider != nil {
		key := thumbprintOf(a.key)
		c.Stands = func() bool { return s.provider.names(h, key) }
	}
	return c, nil
}

// sourceOf finds the configured issuer that a token names.
func (v *Verifier) sourceOf(token string) (*source, header, error) {
	h, c, err := parse(token)
	if err != nil {
		return nil, h, err
	}
	issuer, _, err := c.text("iss")
	if err != nil {
		return nil, h, err
	}
	s := v.issuers[issuer]
	if s == nil {
		return nil, h, unknownIssuer
	}
	return s, h, nil
}

// authenticated is a token whose signature, issuer, audience and times are right.
type authenticated struct {
	claims claims
	id     *upstream.IDToken
	key    any // that signed it
	until  time.Time
}

// authentic checks the signature, the issuer, the audience and the times of a token.
func (s *source) authentic(ctx context.Context, token string, h header, audiences []string, now time.Time) (authenticated, error) {
	var a authenticated
	accepted, keys := []string{upstream.RS256, upstream.ES256}, &signatures{alg: jose.SignatureAlgorithm(h.alg)}
	if keys.key = func(ctx context.Context) (any, error) { return s.provider.key(ctx, h) }; s.secret != nil {
		accepted, keys.key = []string{string(jose.HS256)}, func(context.Context) (any, error) { return s.secret, nil }
	}
	if !slices.Contains(accepted, h.alg) {
		return a, wrongAlg
	}
	// Audience and times are checked below: the library knows one audience and other skews.
	id, err := upstream.NewVerifier(s.Issuer.Issuer, keys, &upstream.Config{
		SupportedSigningAlgs: []string{h.alg}, SkipClientIDCheck: true, SkipExpiryCheck: true,
	}).Verify(ctx, token)
	if err != nil {
		return a, cmp.Or(keys.err, error(malformed))
	}
	_, a.claims, err = parse(token)
	if err != nil {
		return a, err
	}
	// A token that is bound to a key of its owner is worth nothing by itself.
	if _, bound := a.claims["cnf"]; bound {
		return a, wrongType
	}
	aud, _, err := a.claims.words("aud", false)
	switch {
	case err != nil:
		return a, err
	case !slices.ContainsFunc(aud, func(x string) bool { return slices.Contains(audiences, x) }):
		return a, wrongAudience
	}
	a.id, a.key = id, keys.used
	a.until, err = a.claims.validAt(now)
	return a, err
}

// signatures checks the signature of one token, with a key that matches its algorithm.
type signatures struct {
	alg jose.SignatureAlgorithm
	key func(context.Context) (any, error)

	used any   // the key that signed it
	err  error // why the signature was not accepted; the library passes on only texts
}

// VerifySignature implements upstream.KeySet.
func (s *signatures) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	defer func() { s.err = err }()
	jws, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{s.alg})
	if err != nil {
		return nil, malformed
	}
	key, err := s.key(ctx)
	if err != nil {
		return nil, err
	}
	if payload, err = jws.Verify(key); err != nil {
		return nil, wrongSig
	}
	s.used = key
	return payload, nil
}
