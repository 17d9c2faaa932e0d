package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// sessionPrefix begins the value of a cookie with a session.
const sessionPrefix = "sgs_"

// maxSession is how long a session lasts at most: a person who left is signed out within it, however long the tokens of the issuer last.
const maxSession = 24 * time.Hour

// maxCookie is the largest value of a cookie that every browser keeps, in bytes.
const maxCookie = 3800

// session is the caller of a browser that signed in with an issuer, as it is sealed in the cookie.
// The browser can't read or change it, and has no token.
type session struct {
	ID         string         `json:"id"`
	Issuer     string         `json:"iss"`
	Tenant     graph.Tenant   `json:"tenant"`
	Name       string         `json:"name"`
	User       string         `json:"user,omitempty"`
	Agent      string         `json:"agent,omitempty"`
	Namespaces []string       `json:"namespaces,omitempty"`
	Scopes     []access.Scope `json:"scopes"`
	Grant      float64        `json:"grant"`
	Until      int64          `json:"until"` // milliseconds since 1970
	Basis      oidc.Basis     `json:"basis"` // what it rests on; empty in sessions of earlier versions, which have ended
}

// sealer seals the cookies of a server. The servers of one store have the same pepper and open
// one another's.
type sealer struct{ aead cipher.AEAD }

// newSealer derives the key of the cookies from the pepper of the API keys.
func newSealer(pepper []byte) (sealer, error) {
	h := hmac.New(sha256.New, pepper)
	h.Write([]byte("somnograph: key of the cookies, version 1"))
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		return sealer{}, err
	}
	aead, err := cipher.NewGCM(block)
	return sealer{aead}, err
}

// seal encrypts a value. purpose is what it can be opened as.
func (s sealer) seal(purpose string, value any) (string, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, s.aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(s.aead.Seal(nonce, nonce, raw, []byte(purpose)))
	if len(text) > maxCookie {
		return "", errors.New("the value is too large for a cookie")
	}
	return text, nil
}

// open decrypts what seal returned for the same purpose.
func (s sealer) open(purpose, text string, value any) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < s.aead.NonceSize() {
		return false
	}
	size := s.aead.NonceSize()
	plain, err := s.aead.Open(nil, raw[:size], raw[size:], []byte(purpose))
	return err == nil && json.Unmarshal(plain, value) == nil
}

// sessionText is the value of the cookie of a caller who signed in at an issuer.
func (a *Authenticator) sessionText(c engine.Caller, issuer string, basis oidc.Basis) (string, error) {
	until := c.Until
	if latest := a.options.Now().Add(maxSession); until.After(latest) {
		until = latest
	}
	text, err := a.sealer.seal("session", session{
		ID: "session-" + rand.Text(), Issuer: issuer, Tenant: c.Tenant, Name: c.Name, User: c.User, Agent: c.Agent, Namespaces: c.Namespaces,
		Scopes: c.Scopes, Grant: c.Grant, Until: until.UnixMilli(), Basis: basis,
	})
	return sessionPrefix + text, err
}

// readSession opens the value of a cookie. It does not look at the time.
func (a *Authenticator) readSession(text string) (session, bool) {
	var s session
	text, is := strings.CutPrefix(text, sessionPrefix)
	if !is || a.options.Tokens == nil || !a.sealer.open("session", text, &s) {
		return session{}, false
	}
	return s, a.options.Tokens.Known(s.Issuer)
}

// inSession is the caller with a cookie, unless the session has ended.
func (a *Authenticator) inSession(text string) (engine.Caller, bool) {
	s, ok := a.readSession(text)
	until := time.UnixMilli(s.Until).UTC()
	if now := a.options.Now(); !ok || !now.Before(until) || a.ended.has(s.ID, now) || !a.options.Tokens.Holds(s.Issuer, s.Basis) {
		return engine.Caller{}, false
	}
	return engine.Caller{
		Tenant: s.Tenant, Name: s.Name, User: s.User, Agent: s.Agent, Namespaces: s.Namespaces, Scopes: s.Scopes, Grant: s.Grant,
		Admin: access.Grants(s.Scopes, access.MemoryAdmin), Credential: s.ID, Until: until,
		Stands: func() bool { return a.options.Tokens.Holds(s.Issuer, s.Basis) },
	}, true
}

// ended has the sessions that were ended before their time. It is safe for concurrent use.
type ended struct {
	mu    sync.Mutex
	until map[string]time.Time // by id: when the session would have ended
}

func (e *ended) add(id string, until, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for other, at := range e.until {
		if !now.Before(at) {
			delete(e.until, other)
		}
	}
	if e.until == nil {
		e.until = map[string]time.Time{}
	}
	e.until[id] = until
}

func (e *ended) has(id string, now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	at, has := e.until[id]
	return has && now.Before(at)
}
