package client

import (
	"context"
	"time"
)

// APIKey describes an API key, as GraphQL does.
type APIKey struct {
	ID         string     `json:"id"`
	Name       *string    `json:"name"`
	Tenant     string     `json:"tenant"`
	Owner      string     `json:"owner"`
	Scopes     []string   `json:"scopes"`
	User       *string    `json:"user"`
	Agent      *string    `json:"agent"`
	Namespaces []string   `json:"namespaces"`
	Authority  float64    `json:"authority"`
	CreatedAt  time.Time  `json:"createdAt"`
	ExpiresAt  *time.Time `json:"expiresAt"`
	RevokedAt  *time.Time `json:"revokedAt"`
}

// NewAPIKey describes a key to make; empty fields get the server's defaults.
type NewAPIKey struct {
	Name       string   `json:"name,omitempty"`
	Tenant     string   `json:"tenant,omitempty"`
	Owner      string   `json:"owner,omitempty"`
	Scopes     []string `json:"scopes"` // such as MEMORY_READ
	User       string   `json:"user,omitempty"`
	Agent      string   `json:"agent,omitempty"`
	Namespaces []string `json:"namespaces,omitempty"`
	Authority  *float64 `json:"authority,omitempty"`
	TTLSeconds int      `json:"ttlSeconds,omitempty"`
}

// CreatedAPIKey is a new key with its text.
type CreatedAPIKey struct {
	APIKey APIKey `json:"apiKey"`
	Key    string `json:"key"`
}

const keyFields = `{ id name tenant owner scopes user agent namespaces authority createdAt expiresAt revokedAt }`

// CreateAPIKey makes an API key.
func (c *Client) CreateAPIKey(ctx context.Context, in NewAPIKey) (*CreatedAPIKey, error) {
	var out struct{ CreateAPIKey *CreatedAPIKey }
	err := c.Do(ctx, `mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey `+keyFields+` } }`, map[string]any{"input": in}, &out)
	return out.CreateAPIKey, err
}

// APIKeys lists the API keys of the server.
func (c *Client) APIKeys(ctx context.Context) ([]APIKey, error) {
	var out struct{ APIKeys []APIKey }
	err := c.Do(ctx, `{ apiKeys `+keyFields+` }`, nil, &out)
	return out.APIKeys, err
}

// RevokeAPIKey revokes an API key.
func (c *Client) RevokeAPIKey(ctx context.Context, id string) (*APIKey, error) {
	var out struct{ RevokeAPIKey *APIKey }
	err := c.Do(ctx, `mutation($id: ID!) { revokeApiKey(id: $id) `+keyFields+` }`, map[string]any{"id": id}, &out)
	return out.RevokeAPIKey, err
}
