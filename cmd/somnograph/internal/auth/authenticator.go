package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// Options configure an Authenticator. Keys and Now are required.
type Options struct {
	Keys *access.Keys
	// Tenants knows which tenants are deleted, whose credentials are refused; nil: none are.
	Tenants *access.Tenants
	// WithoutKeys refuses API keys.
	WithoutKeys bool
	// Tokens accepts bearer tokens and signs people in; nil: neither. Pepper, that of the API keys, then
	// seals the cookies.
	Tokens *oidc.Verifier
	Pepper []byte
	Logger *slog.Logger // default: no logging
	// Ended records sessions that end before their time, so that they stay ended after a restart; nil:
	// they do not.
	Ended EndedSessions
	// Note notes who signs in and out; nil: nobody is told.
	Note Note
	// BehindProxy takes the address of a client from the last entry of X-Forwarded-For.
	BehindProxy bool
	// Now is the clock of tokens, sessions and durations. API keys have their own.
	Now func() time.Time
	// Every is the interval at which revocations by other servers are looked for; 0: DefaultEvery.
	Every time.Duration
	// Tick is when they are looked for instead; nil: Every.
	Tick <-chan time.Time
}

// DefaultEvery keeps the promise that credentials end everywhere within a second.
const DefaultEvery = 500 * time.Millisecond

// EndedSessions is a record of sessions that ended before their time. *ledger.Ledger implements it.
type EndedSessions interface {
	// EndSession records a session with the instant at which it would have ended. It is durable on return.
	EndSession(id string, until time.Time) error
	// EndedSessions returns the recorded sessions.
	EndedSessions() map[string]time.Time
}

// Authenticator finds the caller of a request. It is safe for concurrent use.
type Authenticator struct {
	options Options
	tries   *tries
	sealer  sealer
	ended   ended

	mu       sync.Mutex
	accepted map[[sha256.Size]byte]bool // credentials that were accepted, by their hash
	held     map[string]map[*holding]bool
	closed   bool
	wake     chan struct{}
	done     chan struct{}
	watching sync.WaitGroup
}

// maxAccepted is the number of credentials that are remembered as accepted.
const maxAccepted = 10_000

// New makes an Authenticator. With Tokens the pepper is required.
func New(o Options) (*Authenticator, error) {
	if o.Every == 0 {
		o.Every = DefaultEvery
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Tokens != nil && len(o.Pepper) < access.MinPepper {
		return nil, fmt.Errorf("auth: the pepper must have at least %d bytes", access.MinPepper)
	}
	sealer, err := newSealer(o.Pepper)
	if err != nil {
		return nil, err
	}
	a := &Authenticator{
		options: o, tries: newTries(o.Now), sealer: sealer, accepted: map[[sha256.Size]byte]bool{}, held: map[string]map[*holding]bool{},
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	if o.Ended != nil {
		for id, until := range o.Ended.EndedSessions() {
			a.ended.add(id, until, o.Now())
		}
	}
	a.watching.Go(a.watch)
	return a, nil
}

// Close ends the background work. Held credentials are not watched any more.
func (a *Authenticator) Close() {
	a.mu.Lock()
	if !a.closed {
		a.closed = true
		close(a.done)
	}
	a.mu.Unlock()
	a.watching.Wait()
}

// Authenticate returns the caller of a request. The error is UNAUTHENTICATED without a valid
// credential, in the same words for every reason, RATE_LIMITED after too many failed tries from the
// address, and UNAVAILABLE for a token whose issuer can't be reached. A valid credential is still accepted after
// too many tries, so that nobody can lock out the clients of an address that others share: one that was accepted before
// always, others as often as tries.checked allows. ADR 166.
//
// The body of a request in [Authenticator.Bodies] ends with the credential, and the connection is one that [httpd.Accepting] keeps longest.
func (a *Authenticator) Authenticate(r *http.Request) (engine.Caller, error) {
	c, err := httpd.Accepting(a.authenticate)(r)
	if b, ok := r.Context().Value(bodyKey{}).(*heldBody); ok && err == nil {
		b.begin(c)
	}
	return c, err
}

func (a *Authenticator) authenticate(r *http.Request) (engine.Caller, error) {
	credential, cookie := credentialOf(r)
	if credential == "" {
		return engine.Caller{}, refused()
	}
	sum, address := sha256.Sum256([]byte(credential)), a.Address(r)
	over := !a.known(sum) && !a.tries.allowed(address)
	if over && !a.tries.checked(address) {
		return engine.Caller{}, tooManyTries()
	}
	c, err := a.find(r.Context(), credential, cookie, over)
	if err == nil {
		var gone bool
		if gone, err = a.deleted(r.Context(), c.Tenant); gone {
			err = refused()
		}
	}
	switch {
	case graph.CodeOf(err) == graph.CodeUnauthenticated && over:
		return engine.Caller{}, tooManyTries()
	case graph.CodeOf(err) == graph.CodeUnauthenticated:
		a.tries.failed(address)
		a.remember(sum, false)
		return engine.Caller{}, err
	case err != nil:
		return engine.Caller{}, err
	}
	a.remember(sum, true)
	return c, nil
}

func refused() error {
	return graph.Errorf(graph.CodeUnauthenticated, "the credentials are missing or not accepted")
}

func tooManyTries() error {
	return graph.Errorf(graph.CodeRateLimited, "too many failed tries from this address; retry later")
}

// find returns the caller with a credential: a key, a token or, in a cookie, a session. Tokens are
// not taken from cookies, nor sessions from headers. With quiet the reason of a refusal is not logged.
func (a *Authenticator) find(ctx context.Context, credential string, cookie, quiet bool) (engine.Caller, error) {
	switch {
	case cookie && strings.HasPrefix(credential, sessionPrefix):
		if c, ok := a.inSession(credential); ok {
			return c, nil
		}
		return engine.Caller{}, refused()
	case !cookie && a.options.Tokens != nil && oidc.Looks(credential):
		c, err := a.options.Tokens.Verify(ctx, credential)
		if err != nil && quiet {
			return c, refused()
		}
		return c, a.public(err, "a token is refused")
	case a.options.WithoutKeys:
		return engine.Caller{}, refused()
	}
	key, err := a.options.Keys.Check(ctx, credential)
	if err != nil {
		return engine.Caller{}, err
	}
	return CallerOf(key), nil
}

// public is what a client is told of an error of a token or a sign-in. The reason, which quotes
// nothing of the token, is logged.
func (a *Authenticator) public(err error, what string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, oidc.ErrUnavailable):
		return graph.Errorf(graph.CodeUnavailable, "the issuer of the token can't be reached; retry later")
	}
	var reason oidc.Refusal
	if errors.As(err, &reason) {
		a.options.Logger.Info(what, "reason", reason.Error())
	}
	return refused()
}

// CallerOf is the caller with an API key.
func CallerOf(k *access.Key) engine.Caller {
	return engine.Caller{
		Tenant: k.Tenant, Name: k.Owner, User: k.User, Agent: k.Agent, Namespaces: k.Namespaces, Grant: k.Authority, Scopes: k.Scopes,
		Admin: access.Grants(k.Scopes, access.MemoryAdmin), Credential: k.ID, Until: k.ExpiresAt,
	}
}

// credentialOf is the credential of a request, and whether it is in a cookie; empty: there is none.
func credentialOf(r *http.Request) (credential string, cookie bool) {
	if scheme, rest, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest), false
	}
	if r.Header.Get("Authorization") != "" {
		return "", false
	}
	if c, err := r.Cookie(CookieName); err == nil {
		return c.Value, true
	}
	return "", false
}

// deleted reports whether a tenant is deleted.
func (a *Authenticator) deleted(ctx context.Context, name graph.Tenant) (bool, error) {
	if a.options.Tenants == nil {
		return false, nil
	}
	t, err := a.options.Tenants.Get(ctx, name)
	return t.Deleted(), err
}

// isKnown reports whether the credential of a request was accepted the last time.
func (a *Authenticator) isKnown(r *http.Request) bool {
	credential, _ := credentialOf(r)
	return a.known(sha256.Sum256([]byte(credential)))
}

func (a *Authenticator) known(sum [sha256.Size]byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accepted[sum]
}

// remember notes whether a credential was accepted. When the list is full an arbitrary one is
// forgotten.
func (a *Authenticator) remember(sum [sha256.Size]byte, accepted bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !accepted {
		delete(a.accepted, sum)
		return
	}
	if !a.accepted[sum] && len(a.accepted) >= maxAccepted {
		for other := range a.accepted {
			delete(a.accepted, other)
			break
		}
	}
	a.accepted[sum] = true
}

// Address is that of the client, for limits: behind a proxy the one that the proxy tells. Of IPv6 it is the network of 64 bits,
// which one client can have to itself.
func (a *Authenticator) Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if a.options.BehindProxy {
		if forwarded := r.Header.Values("X-Forwarded-For"); len(forwarded) > 0 {
			all := strings.Split(forwarded[len(forwarded)-1], ",")
			host = strings.TrimSpace(all[len(all)-1])
			if without, _, err := net.SplitHostPort(host); err == nil { // some proxies write the port, too
				host = without
			}
			host = strings.Trim(host, "[]")
		}
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.To4() != nil {
		return host
	}
	return ip.Mask(net.CIDRMask(64, 128)).String()
}

// holding is one socket, stream or request that ends with its credential.
type holding struct {
	tenant graph.Tenant
	until  time.Time
	stands func() bool // nil: nothing has to be asked
	end    func()
}

// over reports whether its own time has ended, or what its credential rests on.
func (h *holding) over(now time.Time) bool {
	return !h.until.IsZero() && !now.Before(h.until) || h.stands != nil && !h.stands()
}

// Stands returns nil while the credential of a caller that was accepted is valid, and else the error that a new request gets.
func (a *Authenticator) Stands(ctx context.Context, c engine.Caller) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // the context of a request may end with the credential
	defer cancel()
	now, gone, err := a.state(ctx, c.Credential)
	if err != nil {
		return err
	}
	deleted, err := a.deleted(ctx, c.Tenant)
	if err != nil {
		return err
	}
	if h := (&holding{tenant: c.Tenant, until: c.Until, stands: c.Stands}); gone || deleted || h.over(now) {
		return refused()
	}
	return nil
}

// Expired reports whether the credential of a caller has ended by its own time. It asks no store.
func (a *Authenticator) Expired(c engine.Caller) bool {
	return (&holding{until: c.Until}).over(a.now(c.Credential))
}

// Hold calls end once, when the credential of the caller expires, and within a second after it was revoked
// or is known to rest on a withdrawn key of an issuer, unless stop was called before.
func (a *Authenticator) Hold(c engine.Caller, end func()) (stop func()) {
	release := a.hold(c, end)
	a.wakeUp() // it may have been revoked since it was checked
	if c.Until.IsZero() {
		return release
	}
	expiry := time.AfterFunc(c.Until.Sub(a.now(c.Credential)), a.wakeUp) // a clock that does not run with the time is looked at later
	return func() {
		expiry.Stop()
		release()
	}
}

// hold is Hold for what is checked again at its end: a credential that was revoked since it was checked is found at the next look.
func (a *Authenticator) hold(c engine.Caller, end func()) (stop func()) {
	h := &holding{c.Tenant, c.Until, c.Stands, end}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held[c.Credential] == nil {
		a.held[c.Credential] = map[*holding]bool{}
	}
	a.held[c.Credential][h] = true
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.held[c.Credential], h)
		if len(a.held[c.Credential]) == 0 {
			delete(a.held, c.Credential)
		}
	}
}

// Recheck looks for revoked credentials now.
func (a *Authenticator) Recheck() { a.wakeUp() }

func (a *Authenticator) wakeUp() {
	select {
	case a.wake <- struct{}{}:
	default: // it is already due
	}
}

// watch ends what is held under a credential that is no longer valid.
func (a *Authenticator) watch() {
	tick := a.options.Tick
	if tick == nil {
		timer := time.NewTicker(a.options.Every)
		defer timer.Stop()
		tick = timer.C
	}
	for {
		select {
		case <-a.done:
			return
		case <-tick:
		case <-a.wake:
		}
		for _, id := range a.ids() {
			a.check(id)
		}
	}
}

func (a *Authenticator) ids() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	ids := make([]string, 0, len(a.held))
	for id := range a.held {
		ids = append(ids, id)
	}
	return ids
}

// check ends what is held under one credential if it is not valid. While the store can't be
// read, only the time of expiry counts.
func (a *Authenticator) check(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	now, gone, _ := a.state(ctx, id)
	deleted := a.deletedOf(id)
	var over []*holding
	for _, h := range a.holdings(id) {
		if gone || deleted[h.tenant] || h.over(now) {
			over = append(over, h)
		}
	}
	a.mu.Lock()
	over = slices.DeleteFunc(over, func(h *holding) bool { return !a.held[id][h] }) // it was stopped
	for _, h := range over {
		delete(a.held[id], h)
	}
	if len(a.held[id]) == 0 {
		delete(a.held, id)
	}
	a.mu.Unlock()
	for _, h := range over {
		h.end()
	}
}

// holdings lists what is held under a credential.
func (a *Authenticator) holdings(id string) []*holding {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.held[id]))
}

// deletedOf returns the deleted tenants of what is held under a credential. While the store can't be
// read, none is known to be.
func (a *Authenticator) deletedOf(id string) map[graph.Tenant]bool {
	a.mu.Lock()
	out := map[graph.Tenant]bool{}
	for h := range a.held[id] {
		out[h.tenant] = false
	}
	a.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for name := range out {
		gone, err := a.deleted(ctx, name)
		out[name] = gone && err == nil
	}
	return out
}

// isKey reports whether a credential is an API key. The ids of tokens and sessions have a hyphen, which those of keys never have.
func isKey(id string) bool { return !strings.Contains(id, "-") }

// now is the time on the clock of a credential.
func (a *Authenticator) now(id string) time.Time {
	if isKey(id) {
		return a.options.Keys.Now()
	}
	return a.options.Now()
}

// state is the time on the clock of a credential, and whether the credential has been revoked, which is not known after an error.
func (a *Authenticator) state(ctx context.Context, id string) (now time.Time, gone bool, err error) {
	if !isKey(id) {
		now = a.now(id)
		return now, a.ended.has(id, now), nil
	}
	key, err := a.options.Keys.Get(ctx, id)
	now = a.now(id)
	switch {
	case err == nil:
		return now, !key.Valid(now), nil
	case graph.CodeOf(err) == graph.CodeMemoryNotFound:
		return now, true, nil
	}
	return now, false, err
}
