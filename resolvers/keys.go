package resolvers

import (
	"cmp"
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Keys makes, lists and revokes API keys. [access.Keys] implements it.
type Keys interface {
	Create(ctx context.Context, in access.Input) (*access.Key, string, error)
	List(ctx context.Context) ([]*access.Key, error)
	Revoke(ctx context.Context, id string) (*access.Key, error)
}

// requireKeys returns Keys, or UNAVAILABLE if there are none.
func (r *resolverRoot) requireKeys(ctx context.Context) (Keys, error) {
	if err := caller(ctx).Require(access.ServerAdmin, "", "managing API keys"); err != nil {
		return nil, err
	}
	if r.keys == nil {
		return nil, graph.Errorf(graph.CodeUnavailable, "this server keeps no API keys")
	}
	return r.keys, nil
}

func (r queryResolver) APIKeys(ctx context.Context) ([]*gql.APIKey, error) {
	keys, err := r.requireKeys(ctx)
	if err != nil {
		return nil, err
	}
	all, err := keys.List(ctx)
	if err != nil {
		return nil, err
	}
	return convert(all, encodeKey), nil
}

func (r mutationResolver) CreateAPIKey(ctx context.Context, input gql.CreateAPIKeyInput) (_ *gql.CreateAPIKeyPayload, err error) {
	ctx, end := r.verbs.Record(ctx, caller(ctx), "createApiKey")
	defer end(&err)
	keys, err := r.requireKeys(ctx)
	if err != nil {
		return nil, err
	}
	seconds, c := valueOr(input.TTLSeconds, 0), caller(ctx)
	if input.TTLSeconds != nil && seconds < 1 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "ttlSeconds", "must be 1 or more")
	}
	if err := namesNothing(input); err != nil {
		return nil, err
	}
	user := valueOr(input.User, "")
	key, text, err := keys.Create(ctx, access.Input{
		Name: valueOr(input.Name, ""), Tenant: graph.Tenant(valueOr(input.Tenant, string(c.Tenant))), Owner: cmp.Or(valueOr(input.Owner, ""), user, c.Name),
		User: user, Agent: valueOr(input.Agent, ""), Namespaces: input.Namespaces, Scopes: enumValues[access.Scope](input.Scopes),
		Authority: input.Authority, TTL: time.Duration(seconds) * time.Second,
	})
	if err != nil {
		return nil, err
	}
	return &gql.CreateAPIKeyPayload{APIKey: encodeKey(key), Key: text}, nil
}

// namesNothing is INVALID_REQUEST for a user, an agent or namespaces that are given but empty. A program
// that computed nothing would otherwise get a key for everything.
func namesNothing(in gql.CreateAPIKeyInput) error {
	empty := func(text *string) bool { return text != nil && *text == "" }
	switch {
	case empty(in.User):
		return graph.FieldError(graph.CodeInvalidRequest, "user", "must not be empty: omit it for a key of any user")
	case empty(in.Agent):
		return graph.FieldError(graph.CodeInvalidRequest, "agent", "must not be empty: omit it for a key of no agent")
	case in.Namespaces != nil && len(in.Namespaces) == 0:
		return graph.FieldError(graph.CodeInvalidRequest, "namespaces", "must not be empty: omit it for a key of all namespaces")
	}
	return nil
}

func (r mutationResolver) RevokeAPIKey(ctx context.Context, id string) (_ *gql.APIKey, err error) {
	ctx, end := r.verbs.Record(ctx, caller(ctx), "revokeApiKey")
	defer end(&err)
	keys, err := r.requireKeys(ctx)
	if err != nil {
		return nil, err
	}
	key, err := keys.Revoke(ctx, id)
	if err != nil {
		return nil, err
	}
	return encodeKey(key), nil
}

func encodeKey(k *access.Key) *gql.APIKey {
	return &gql.APIKey{
		ID: k.ID, Name: nullable[string](k.Name), Tenant: string(k.Tenant), Scopes: enumValues[gql.Scope](k.Scopes), User: nullable[string](k.User),
		Agent: nullable[string](k.Agent), Namespaces: k.Namespaces, Authority: k.Authority, CreatedAt: k.CreatedAt, ExpiresAt: nullableTime(k.ExpiresAt),
		RevokedAt: nullableTime(k.RevokedAt), Owner: k.Owner,
	}
}
