package access

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/invisible"
)

// Key describes an API key. It never holds the secret.
type Key struct {
	ID         string // public id, see [PublicID]
	Name       string // for people; may be empty
	Tenant     graph.Tenant
	Owner      string   // the principal: all keys of one owner are one source of evidence
	User       string   // the key sees and writes only this user's memories and those of nobody; empty: any
	Agent      string   // recorded as the agent of writes that name none; empty: none
	Namespaces []string // granted; empty: all
	Scopes     []Scope
	Authority  float64   // highest authority that it may write with, [0,1]
	CreatedAt  time.Time // UTC, milliseconds
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: it is not revoked

	mark []byte // of the pepper under which it was made; nil: an earlier version made it
}

// Valid reports whether the key is accepted at the instant.
func (k *Key) Valid(at time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || at.Before(k.ExpiresAt))
}

// Input describes a key to make. Tenant, Scopes and Owner are required.
type Input struct {
	Name        string
	Tenant      graph.Tenant
	Owner       string
	User, Agent string
	Namespaces  []string
	Scopes      []Scope
	// Authority is in [0,1]; nil: 0.8, the authority of what a user says, or 1 with MEMORY_ADMIN.
	Authority *float64
	TTL       time.Duration // 0: the key does not expire; at least 1 s
}

// maxText is the largest size of a name, owner, user or agent in bytes.
const maxText = graph.MaxName

// maxTTL is the longest time to live: ten years.
const maxTTL = 10 * 365 * 24 * time.Hour

// DefaultAuthority is the highest authority of the writes of a credential that names none: 0.8, that of
// what a user says (lifecycle.AuthorityOf), or 1 with MEMORY_ADMIN.
func DefaultAuthority(admin bool) float64 {
	if admin {
		return 1
	}
	return 0.8
}

// Validate returns the error with which [Keys.Create] would refuse the input, whatever is stored.
func (in Input) Validate() error {
	_, err := in.key(time.Time{})
	return err
}

// key checks the input and makes a key of it.
func (in Input) key(at time.Time) (*Key, error) {
	if err := validTenant("tenant", in.Tenant); err != nil {
		return nil, err
	}
	for _, x := range []struct{ field, text string }{{"name", in.Name}, {"user", in.User}, {"agent", in.Agent}, {"owner", in.Owner}} { // the owner may be the user
		if len(x.text) > maxText || !utf8.ValidString(x.text) || slices.ContainsFunc([]rune(x.text), unicode.IsControl) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, x.field, "must have at most %d bytes and no control characters", maxText)
		}
		if x.text != "" && invisible.Nothing(x.text) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, x.field, "must have a character that a reader sees")
		}
	}
	if in.Owner == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "owner", "must not be empty")
	}
	if len(in.Scopes) == 0 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "scopes", "must name at least one of %s", Names(AllScopes))
	}
	for _, s := range in.Scopes {
		if !slices.Contains(AllScopes, s) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "scopes", "%q is not a scope: one of %s", string(s), Names(AllScopes))
		}
	}
	for _, n := range in.Namespaces {
		if !graph.ValidNamespace(n) {
			return nil, graph.NamespaceError("namespaces")
		}
	}
	k := &Key{
		Name: in.Name, Tenant: in.Tenant, Owner: in.Owner, User: in.User, Agent: in.Agent, CreatedAt: graph.Millis(at),
	}
	for _, s := range AllScopes {
		if slices.Contains(in.Scopes, s) {
			k.Scopes = append(k.Scopes, s)
		}
	}
	k.Namespaces = slices.Compact(slices.Sorted(slices.Values(in.Namespaces)))
	if k.Authority = DefaultAuthority(Grants(k.Scopes, MemoryAdmin)); in.Authority != nil {
		k.Authority = *in.Authority
	}
	if !(k.Authority >= 0 && k.Authority <= 1) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "authority", "must be 0 to 1")
	}
	if in.TTL != 0 && (in.TTL < time.Second || in.TTL > maxTTL) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "ttlSeconds", "must be 1 to %d", int(maxTTL/time.Second))
	}
	if in.TTL > 0 {
		k.ExpiresAt = graph.Millis(at.Add(in.TTL))
	}
	return k, nil
}

// row is a key as the Data of its note; docs/formats/apikey.md.
type row struct {
	Hash       []byte   `json:"hash"`
	Pepper     []byte   `json:"pepper,omitempty"` // mark of the pepper of the hash
	Name       string   `json:"name,omitempty"`
	Tenant     string   `json:"tenant"`
	Owner      string   `json:"owner"`
	User       string   `json:"user,omitempty"`
	Agent      string   `json:"agent,omitempty"`
	Namespaces []string `json:"namespaces,omitempty"`
	Scopes     []Scope  `json:"scopes"`
	Authority  float64  `json:"authority"`
	Created    int64    `json:"created"` // milliseconds since 1970, as the two below
	Expires    int64    `json:"expires,omitempty"`
	Revoked    int64    `json:"revoked,omitempty"`
}

func encode(k *Key, hash []byte) (json.RawMessage, error) {
	return json.Marshal(row{
		Hash: hash, Pepper: k.mark, Name: k.Name, Tenant: string(k.Tenant), Owner: k.Owner, User: k.User, Agent: k.Agent, Namespaces: k.Namespaces,
		Scopes: k.Scopes, Authority: k.Authority, Created: millis(k.CreatedAt), Expires: millis(k.ExpiresAt), Revoked: millis(k.RevokedAt),
	})
}

func decode(n *graph.Note) (*Key, []byte, error) {
	var r row
	if err := json.Unmarshal(n.Data, &r); err != nil || len(r.Hash) == 0 {
		return nil, nil, fmt.Errorf("%w: the API key %s can't be read", graph.ErrIntegrity, PublicID(n.ID))
	}
	return &Key{
		ID: PublicID(n.ID), Name: r.Name, Tenant: graph.Tenant(r.Tenant), Owner: r.Owner, User: r.User, Agent: r.Agent, Namespaces: r.Namespaces,
		Scopes: r.Scopes, Authority: r.Authority, CreatedAt: instant(r.Created), ExpiresAt: instant(r.Expires), RevokedAt: instant(r.Revoked), mark: r.Pepper,
	}, r.Hash, nil
}

// millis is the instant in milliseconds since 1970, 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
