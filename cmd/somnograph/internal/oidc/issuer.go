package oidc

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// Issuer says which tokens of an issuer are accepted, and what their claims mean. Issuer, Audience
// and one of Tenant and TenantClaim are required.
type Issuer struct {
	// Issuer is the URL of the issuer, exactly as in the claim iss: https, or http of this machine.
	Issuer string `yaml:"issuer"`
	// Audience lists the accepted values of the claim aud.
	Audience Words `yaml:"audience"`
	// SecretFile has the secret of tokens with HS256, at least 32 bytes. Tokens of the issuer must then
	// have HS256, and no keys are fetched. Empty: RS256 and ES256, with the keys that the issuer
	// publishes.
	SecretFile string `yaml:"secret-file"`
	// CAFile is a PEM file of the authorities for the issuer's certificate; empty: those of the machine.
	CAFile string `yaml:"ca-file"`

	// Tenant is the tenant of all tokens of the issuer. TenantClaim names the claim with the tenant,
	// which must be one of Tenants.
	Tenant      graph.Tenant `yaml:"tenant"`
	TenantClaim string       `yaml:"tenant-claim"`
	Tenants     Words        `yaml:"tenants"` // empty: any, allowed for the only issuer
	// UserClaim names the claim with the user to whom the token is bound; nil: sub. With UserOptional a
	// token without the claim acts for any user; otherwise it is refused.
	UserClaim    *string `yaml:"user-claim"`
	UserOptional bool    `yaml:"user-optional"`
	AgentClaim   string  `yaml:"agent-claim"` // the agent of writes that name none; empty: none
	// NamespacesClaim names the claim with the granted namespaces, "*" for all. A token without it is
	// refused. Empty: all namespaces are granted.
	NamespacesClaim string `yaml:"namespaces-claim"`
	// AuthorityClaim names the claim with the highest authority of writes, [0,1]. Authority holds where
	// a token has none; nil: as for API keys.
	AuthorityClaim string   `yaml:"authority-claim"`
	Authority      *float64 `yaml:"authority"`
	// ScopesClaim names the claim with the scopes, in the form memory:read; empty: scope. Other values of the
	// claim are ignored, unless Grants maps them to scopes.
	ScopesClaim string              `yaml:"scopes-claim"`
	Grants      map[string][]string `yaml:"grants"`
	// Scopes are granted to every token of the issuer.
	Scopes []string `yaml:"scopes"`
	// Ceiling lists the scopes that tokens can have at most; empty: all but server:admin.
	Ceiling []string `yaml:"ceiling"`

	// ClientID is that of this server at the issuer, for the sign-in of people; empty: no sign-in. The
	// redirect URI is /signin/callback of the server, or with Callback /signin/callback/ and Callback, which no other issuer has then.
	ClientID         string `yaml:"client-id"`
	ClientSecretFile string `yaml:"client-secret-file"`         // empty: a public client
	Callback         string `yaml:"callback" json:",omitempty"` // the sum of a configuration without it is that of earlier versions
	// SignInScopes are requested besides openid.
	SignInScopes []string `yaml:"sign-in-scopes"`
	// Name is on the button of the sign-in page; empty: the host of the issuer.
	Name string `yaml:"name"`
}

// maxCallback is the largest Issuer.Callback in bytes.
const maxCallback = 64

// callback is the path of the redirect URI.
func (i *Issuer) callback() string {
	if i.Callback == "" {
		return CallbackPath
	}
	return CallbackPath + "/" + i.Callback
}

// Words is a list of texts; one text alone may be written without a list.
type Words []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (w *Words) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*w = Words{n.Value}
		return nil
	}
	return n.Decode((*[]string)(w))
}

// ParseIssuers reads the setting of the issuers: a YAML or JSON list of issuers, or one issuer.
// The empty text is none. The error names the issuer and the field at fault.
func ParseIssuers(text string) ([]Issuer, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil || len(node.Content) == 0 {
		return nil, errors.New("must be a list of issuers in YAML or JSON")
	}
	if node.Content[0].Kind == yaml.MappingNode {
		text = "[" + flow(node.Content[0]) + "]"
	}
	var all []Issuer
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("must be a list of issuers in YAML or JSON: %s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", ""))
	}
	bySub := make([]bool, len(all)) // the user is the sub, and nobody said so
	for i := range all {
		bySub[i] = all[i].UserClaim == nil
		if err := all[i].check(len(all) == 1); err != nil {
			return nil, fmt.Errorf("%w (issuer %d)", err, i+1)
		}
		for n, other := range all[:i] {
			switch {
			case other.Issuer == all[i].Issuer:
				return nil, fmt.Errorf("issuer: is listed twice (issuer %d)", i+1)
			case other.Callback != "" && other.Callback == all[i].Callback:
				return nil, fmt.Errorf("callback: is that of another issuer (issuers %d and %d)", n+1, i+1)
			case (bySub[i] || bySub[n]) && all[i].sharesUsers(&other):
				return nil, fmt.Errorf("user-claim: is required for issuers of the same tenant, because a sub is unique within its issuer only; user-claim: sub says that both name the same people (issuers %d and %d)", n+1, i+1)
			}
		}
	}
	return all, nil
}

// sharesUsers reports whether both issuers name users of one tenant.
func (i *Issuer) sharesUsers(other *Issuer) bool {
	tenants := append(slices.Clone(other.Tenants), string(other.Tenant))
	same := slices.ContainsFunc(append(slices.Clone(i.Tenants), string(i.Tenant)), func(t string) bool { return t != "" && slices.Contains(tenants, t) })
	return same && *i.UserClaim != "" && *other.UserClaim != ""
}

// flow is a node on one line.
func flow(n *yaml.Node) string {
	n.Style = yaml.FlowStyle
	raw, err := yaml.Marshal(n)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(raw))
}

// check fills in what is not set, and refuses what is missing, unknown or unsafe.
func (i *Issuer) check(alone bool) error {
	u, err := url.Parse(i.Issuer)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("issuer: must be an https URL without query")
	case u.Scheme == "http" && !local(u.Hostname()):
		return errors.New("issuer: must be https; http is allowed for this machine only")
	case len(i.Audience) == 0 || slices.Contains(i.Audience, ""):
		return errors.New("audience: is required, such as the URL of this server: without it, tokens for other services would be accepted")
	case (i.Tenant == "") == (i.TenantClaim == ""):
		return errors.New("tenant: exactly one of tenant and tenant-claim is required")
	case i.TenantClaim == "" && len(i.Tenants) > 0:
		return errors.New("tenants: requires tenant-claim")
	case i.TenantClaim != "" && len(i.Tenants) == 0 && !alone:
		return errors.New("tenants: is required with tenant-claim where there are several issuers, because each could name any tenant")
	case i.Authority != nil && !(*i.Authority >= 0 && *i.Authority <= 1):
		return errors.New("authority: must be 0 to 1")
	case i.ClientSecretFile != "" && i.ClientID == "":
		return errors.New("client-secret-file: requires client-id")
	case i.ClientID != "" && i.SecretFile != "":
		return errors.New("client-id: requires the published keys of the issuer, not secret-file")
	case i.Callback != "" && i.ClientID == "":
		return errors.New("callback: requires client-id")
	case len(i.Callback) > maxCallback || strings.Trim(i.Callback, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return fmt.Errorf("callback: must be at most %d lower-case letters, digits and hyphens", maxCallback)
	}
	for _, t := range append(slices.Clone(i.Tenants), string(i.Tenant)) {
		if s := (graph.Scope{Tenant: graph.Tenant(t)}); t != "" && (s.Validate() != nil || s.IsServer()) {
			return errors.New("tenant: must be 1 to 64 letters, digits, _ or -")
		}
	}
	if i.ScopesClaim == "" {
		i.ScopesClaim = "scope"
	}
	if i.UserClaim == nil {
		sub := "sub"
		i.UserClaim = &sub
	}
	if i.Name == "" {
		i.Name = u.Host
	}
	return i.checkScopes()
}

func (i *Issuer) checkScopes() error {
	if len(i.Ceiling) == 0 {
		for _, s := range access.AllScopes {
			if s != access.ServerAdmin {
				i.Ceiling = append(i.Ceiling, s.String())
			}
		}
	}
	ceiling, err := access.ParseScopes("ceiling", i.Ceiling)
	if err != nil {
		return sentence(err)
	}
	lists := map[string][]string{"scopes": i.Scopes}
	for value, granted := range i.Grants {
		lists["grants: "+value] = granted
	}
	for field, names := range lists {
		scopes, err := access.ParseScopes(field, names)
		if err != nil {
			return sentence(err)
		}
		for _, s := range scopes {
			if !slices.Contains(ceiling, s) {
				return fmt.Errorf("%s: %s is above the ceiling; add it to ceiling", field, s)
			}
		}
	}
	return nil
}

// sentence is the error of a field without its code.
func sentence(err error) error {
	var e *graph.Error
	if errors.As(err, &e) {
		return errors.New(e.Sentence())
	}
	return err
}

// local reports whether a host is this machine's own interface.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// safeEndpoint reports whether an endpoint that an issuer names may be called: https, or http of
// this machine if the issuer is at such an address itself.
func safeEndpoint(issuer, endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && local(u.Hostname()) && strings.HasPrefix(issuer, "http:")
}
