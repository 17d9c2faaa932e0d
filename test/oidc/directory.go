package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// audience is that of the API.
const audience = "memory"

// directory has the keys, clients and users of the issuer. What is not here does the storage of the
// provider's example.
type directory struct {
	*storage.Storage

	mu        sync.Mutex
	key       key
	redirects []string
	lifetime  time.Duration
}

func newDirectory(string) *directory {
	return &directory{
		Storage: storage.NewStorageWithClients(userStore{}, map[string]*storage.Client{"explorer": storage.WebClient("explorer", "explorer secret")}),
		key:     newKey(jose.RS256), lifetime: 5 * time.Minute,
	}
}

// client is a client of the issuer. Its access tokens are JWTs.
type client struct {
	*storage.Client
	id        string
	redirects []string
}

func (c client) GetID() string                       { return c.id }
func (c client) RedirectURIs() []string              { return c.redirects }
func (c client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }
func (c client) IsScopeAllowed(string) bool          { return true }
func (c client) DevMode() bool                       { return true }
func (c client) GrantTypes() []oidc.GrantType {
	if c.id == "service" {
		return []oidc.GrantType{oidc.GrantTypeClientCredentials}
	}
	return c.Client.GrantTypes()
}

func (d *directory) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if id != "explorer" && id != "service" {
		return nil, errors.New("there is no such client")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return client{storage.WebClient(id, id+" secret"), id, slices.Clone(d.redirects)}, nil
}

func (d *directory) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if secret != id+" secret" {
		return errors.New("the secret is wrong")
	}
	return nil
}

func (d *directory) ClientCredentials(ctx context.Context, id, secret string) (op.Client, error) {
	if err := d.AuthorizeClientIDSecret(ctx, id, secret); err != nil {
		return nil, err
	}
	return d.GetClientByClientID(ctx, id)
}

// ClientCredentialsTokenRequest makes a token of the service itself. A scope user:NAME makes it one of
// that user, which spares tests the browser.
func (d *directory) ClientCredentialsTokenRequest(_ context.Context, id string, scopes []string) (op.TokenRequest, error) {
	request := &oidc.JWTTokenRequest{Subject: id, Audience: []string{audience}, Scopes: scopes}
	for _, s := range scopes {
		if name, named := strings.CutPrefix(s, "user:"); named {
			request.Subject = name
		}
	}
	return request, nil
}

// CreateAuthRequest refuses a sign-in without PKCE by S256.
func (d *directory) CreateAuthRequest(ctx context.Context, r *oidc.AuthRequest, user string) (op.AuthRequest, error) {
	if r.CodeChallenge == "" || r.CodeChallengeMethod != oidc.CodeChallengeMethodS256 {
		return nil, oidc.ErrInvalidRequest().WithDescription("the client must send a code_challenge with the method S256")
	}
	return d.Storage.CreateAuthRequest(ctx, r, user)
}

// authRequest is a sign-in whose tokens are for the API as well.
type authRequest struct{ op.AuthRequest }

func (r authRequest) GetAudience() []string { return append(r.AuthRequest.GetAudience(), audience) }

func (d *directory) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	r, err := d.Storage.AuthRequestByCode(ctx, code)
	return authRequest{r}, err
}

func (d *directory) CreateAccessToken(context.Context, op.TokenRequest) (string, time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return uuid.NewString(), time.Now().Add(d.lifetime), nil
}

// GetPrivateClaimsFromScopes returns the claims of an access token: the tenant as org, the user as person but for
// root, and of the scopes that were asked for those that the user may have.
func (d *directory) GetPrivateClaimsFromScopes(_ context.Context, user, _ string, scopes []string) (map[string]any, error) {
	allowed := slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return !slices.Contains(users[user], s) })
	claims := map[string]any{"scope": strings.Join(allowed, " "), "org": "acme"}
	if user != "root" {
		claims["person"] = user
	}
	return claims, nil
}

func (d *directory) SigningKey(context.Context) (op.SigningKey, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.key, nil
}

func (d *directory) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return []jose.SignatureAlgorithm{d.key.alg}, nil
}

func (d *directory) KeySet(context.Context) ([]op.Key, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return []op.Key{published{d.key}}, nil
}
