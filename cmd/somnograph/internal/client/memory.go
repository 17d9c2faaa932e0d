package client

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Draft is the input of Remember; empty fields: the server's defaults.
type Draft struct {
	Content        string          `json:"content"`
	Consent        string          `json:"consent,omitempty"`
	Type           string          `json:"type,omitempty"`
	Namespace      string          `json:"namespace,omitempty"`
	User           string          `json:"user,omitempty"`
	Project        string          `json:"project,omitempty"`
	Session        string          `json:"session,omitempty"`
	Source         string          `json:"source,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	Meta           json.RawMessage `json:"meta,omitempty"`
	OccurredAt     *time.Time      `json:"occurredAt,omitempty"`
	Important      bool            `json:"important,omitempty"`
	ExternalID     string          `json:"externalId,omitempty"`
	IdempotencyKey string          `json:"idempotencyKey,omitempty"`
}

// Remembered is the result of a write.
type Remembered struct {
	Memory        *Stored  `json:"memory"`
	DuplicateOf   string   `json:"duplicateOf,omitempty"`
	Replayed      bool     `json:"replayed"`
	ConflictsWith []string `json:"conflictsWith"`
	Revised       []struct {
		ID      string `json:"id"`
		Content string `json:"content"`
	} `json:"revised"`
}

// Stored is a memory.
type Stored struct {
	ID         string    `json:"id"`
	Content    string    `json:"content"`
	Type       string    `json:"type"`
	Namespace  string    `json:"namespace"`
	User       string    `json:"user,omitempty"`
	Status     string    `json:"status"`
	ExternalID string    `json:"externalId,omitempty"`
	OccurredAt time.Time `json:"occurredAt"`
}

const storedFields = `{id content type namespace user status externalId occurredAt}`

// Remember writes one memory.
func (c *Client) Remember(ctx context.Context, d Draft) (*Remembered, error) {
	var out struct{ Remember *Remembered }
	err := c.Do(ctx, `mutation($input:RememberInput!){remember(input:$input){memory`+storedFields+` duplicateOf replayed conflictsWith revised{id content}}}`, map[string]any{"input": d}, &out)
	return present(out.Remember, err)
}

// ByExternalID returns the newest memory with an external id in a namespace; empty: "default".
func (c *Client) ByExternalID(ctx context.Context, namespace, externalID string) (*Stored, error) {
	vars := map[string]any{"id": externalID}
	if namespace != "" {
		vars["namespace"] = namespace
	}
	var out struct{ MemoryByExternalID *Stored }
	err := c.Do(ctx, `query($id:String!,$namespace:String="default"){memoryByExternalId(externalId:$id,namespace:$namespace)`+storedFields+`}`, vars, &out)
	return present(out.MemoryByExternalID, err)
}

// ContextInput is the input of Context; empty fields: the server's defaults.
type ContextInput struct {
	Session     string   `json:"session"`
	Query       string   `json:"query,omitempty"`
	User        string   `json:"user,omitempty"`
	Project     string   `json:"project,omitempty"`
	Namespaces  []string `json:"namespaces,omitempty"`
	Format      string   `json:"format,omitempty"`
	TokenBudget int      `json:"tokenBudget,omitempty"`
	Track       bool     `json:"track"`
}

// Context is a prompt context.
type Context struct {
	Text        string `json:"text"`
	TotalTokens int    `json:"totalTokens"`
	TokensSaved int    `json:"tokensSaved"`
	Truncated   bool   `json:"truncated"`
	Layers      []struct {
		Name      string   `json:"name"`
		Tokens    int      `json:"tokens"`
		MemoryIDs []string `json:"memoryIds"`
	} `json:"layers"`
}

// Context builds a prompt context.
func (c *Client) Context(ctx context.Context, in ContextInput) (*Context, error) {
	var out struct{ Context *Context }
	err := c.Do(ctx, `query($input:ContextInput!){context(input:$input){text totalTokens tokensSaved truncated layers{name tokens memoryIds}}}`, map[string]any{"input": in}, &out)
	return present(out.Context, err)
}

// FactsInput is the input of Facts; empty fields: the server's defaults.
type FactsInput struct {
	Subject     string   `json:"subject"`
	Predicate   string   `json:"predicate,omitempty"`
	User        string   `json:"user,omitempty"`
	Namespaces  []string `json:"namespaces,omitempty"`
	AsOf        any      `json:"asOf,omitempty"`
	IncludePast bool     `json:"includePast"`
	First       int      `json:"first"`
}

// Fact is a claim of a memory.
type Fact struct {
	ID         string     `json:"id"`
	Subject    string     `json:"subject"`
	Predicate  string     `json:"predicate"`
	Object     string     `json:"object"`
	Negated    bool       `json:"negated"`
	Confidence float64    `json:"confidence"`
	ValidFrom  time.Time  `json:"validFrom"`
	ValidTo    *time.Time `json:"validTo"`
	Current    bool       `json:"current"`
	Memory     struct {
		ID      string `json:"id"`
		Content string `json:"content"`
	} `json:"memory"`
}

// Facts returns what is believed about a subject.
func (c *Client) Facts(ctx context.Context, in FactsInput) ([]Fact, error) {
	var vars map[string]any
	raw, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(raw, &vars)
	}
	if err != nil {
		return nil, err
	}
	var out struct{ Facts []Fact }
	err = c.Do(ctx, `query($subject:String!,$predicate:String,$user:String,$namespaces:[String!],$asOf:AsOf,$includePast:Boolean,$first:Int){facts(subject:$subject,predicate:$predicate,user:$user,
namespaces:$namespaces,asOf:$asOf,includePast:$includePast,first:$first){id subject predicate object negated confidence validFrom validTo current memory{id content}}}`, vars, &out)
	return out.Facts, err
}

// ForgetInput selects what Forget erases.
type ForgetInput struct {
	IDs       []string `json:"ids,omitempty"`
	User      string   `json:"user,omitempty"`
	Subject   string   `json:"subject,omitempty"`
	Entity    string   `json:"entity,omitempty"`
	Namespace string   `json:"namespace,omitempty"`
	Tenant    bool     `json:"tenant,omitempty"`
	DryRun    bool     `json:"dryRun"`
}

// Receipt is the proof of an erasure.
type Receipt struct {
	ID         string   `json:"id"`
	Status     string   `json:"status"`
	Count      int      `json:"count"`
	Anonymised int      `json:"anonymised"`
	Hash       string   `json:"hash"`
	IDs        []string `json:"ids"` // the first 1,000
	APIKeys    int      `json:"apiKeys"`

	Mentions           *int     `json:"mentions,omitempty"`           // of a dry run: memories that mention the user or entity and would stay
	SafetyCriticalLost []string `json:"safetyCriticalLost,omitempty"` // of a dry run: safety-critical memories without an anonymous copy
}

// KeysText names the API keys that an erasure deletes besides memories; empty if there are none.
func (r *Receipt) KeysText() string {
	switch r.APIKeys {
	case 0:
		return ""
	case 1:
		return " and 1 API key of the user"
	}
	return fmt.Sprintf(" and %d API keys of the user", r.APIKeys)
}

// Forget erases memories, or with DryRun says what it would erase.
func (c *Client) Forget(ctx context.Context, in ForgetInput) (*Receipt, error) {
	var out struct{ Forget *struct{ Receipt *Receipt } }
	err := c.Do(ctx, `mutation($input:ForgetInput!){forget(input:$input){receipt{id status count anonymised hash ids apiKeys mentions safetyCriticalLost}}}`, map[string]any{"input": in}, &out)
	if err != nil || out.Forget == nil {
		return present[Receipt](nil, err)
	}
	return present(out.Forget.Receipt, nil)
}

// present returns a result, or an error for a missing one.
func present[T any](v *T, err error) (*T, error) {
	if err == nil && v == nil {
		err = &Error{Code: "INTERNAL", Message: "the server returned no result"}
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}
