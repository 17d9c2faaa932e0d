package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// AuditEntry is a row of the audit, as GraphQL returns it.
type AuditEntry struct {
	Chain        string    `json:"chain"`
	Seq          string    `json:"seq"`
	At           time.Time `json:"at"`
	Principal    string    `json:"principal"`
	Verb         string    `json:"verb"`
	Outcome      string    `json:"outcome"`
	Decision     *string   `json:"decision"`
	Namespaces   []string  `json:"namespaces"`
	IDs          []string  `json:"ids"`
	More         int       `json:"more"`
	Count        int       `json:"count"`
	Milliseconds float64   `json:"milliseconds"`
}

// AuditFilter selects rows; zero fields select all.
type AuditFilter struct {
	Verb, Principal, Outcome string
	Since, Until             time.Time
}

// Audit calls fn with every row that matches and can be read, the oldest first. At the end it checks the audit, and
// returns an error that names the rows that are missing or were changed.
func (c *Client) Audit(ctx context.Context, f AuditFilter, fn func(AuditEntry) error) error {
	given := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	at := func(t time.Time) any {
		if t.IsZero() {
			return nil
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	variables := map[string]any{"verb": given(f.Verb), "principal": given(f.Principal), "outcome": given(f.Outcome), "since": at(f.Since), "until": at(f.Until)}
	for {
		var out struct {
			Audit *struct {
				Nodes    []AuditEntry
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		err := c.Do(ctx, `query($after: String, $verb: String, $principal: String, $outcome: String, $since: Time, $until: Time) {
			audit(first: 200, oldestFirst: true, after: $after, verb: $verb, principal: $principal, outcome: $outcome, since: $since, until: $until) {
				nodes { chain seq at principal verb outcome decision namespaces ids more count milliseconds } pageInfo { hasNextPage endCursor }
			} }`, variables, &out)
		page, err := present(out.Audit, err)
		if err != nil {
			return err
		}
		for _, e := range page.Nodes {
			if err := fn(e); err != nil {
				return err
			}
		}
		if !page.PageInfo.HasNextPage {
			return c.wholeAudit(ctx)
		}
		variables["after"] = page.PageInfo.EndCursor
	}
}

// AuditCheck is the result of a check of the audit.
type AuditCheck struct {
	Intact bool         `json:"intact"` // no change was found
	Chains []AuditChain `json:"chains"`
}

// AuditChain is the result for one chain.
type AuditChain struct {
	Chain    string         `json:"chain"`
	Rows     int            `json:"rows"`
	First    string         `json:"first"`
	Last     string         `json:"last"`
	Waiting  int            `json:"waiting"`
	Roots    int            `json:"roots"`
	Keys     bool           `json:"keys"`
	Problems []AuditProblem `json:"problems"`
	Restores []AuditRestore `json:"restores"`
}

// AuditProblem is a change that was found.
type AuditProblem struct {
	Seq  string `json:"seq"`
	What string `json:"what"`
}

// AuditRestore says which rows a restore of the store took away.
type AuditRestore struct {
	First string    `json:"first"`
	Last  string    `json:"last"`
	To    time.Time `json:"to"`
	At    time.Time `json:"at"`
}

// wholeAudit checks the audit and returns its problems as an error.
func (c *Client) wholeAudit(ctx context.Context) error {
	v, err := c.CheckAudit(ctx)
	if err != nil || v.Intact {
		return err
	}
	var b strings.Builder
	b.WriteString("not all rows of the audit are here as they were written:")
	for _, chain := range v.Chains {
		for _, p := range chain.Problems {
			b.WriteString("\n")
			if p.Seq != "0" {
				fmt.Fprintf(&b, "row %s: ", p.Seq)
			}
			b.WriteString(p.What)
		}
	}
	return errors.New(b.String())
}

// CheckAudit checks the chain of the audit.
func (c *Client) CheckAudit(ctx context.Context) (*AuditCheck, error) {
	var out struct{ AuditCheck *AuditCheck }
	err := c.Do(ctx, `{ auditCheck { intact chains { chain rows first last waiting roots keys problems { seq what } restores { first last to at } } } }`, nil, &out)
	return present(out.AuditCheck, err)
}

// ProofKey returns the public key that checks proofs of erasures; empty: the server has none.
func (c *Client) ProofKey(ctx context.Context) (string, error) {
	var out struct{ ProofKey *string }
	if err := c.Do(ctx, `{ proofKey }`, nil, &out); err != nil || out.ProofKey == nil {
		return "", err
	}
	return *out.ProofKey, nil
}

// Proof returns the document that proves an erasure; nil: there is none.
func (c *Client) Proof(ctx context.Context, receipt string) (json.RawMessage, error) {
	var out struct {
		DeletionReceipt *struct{ Proof *string }
	}
	err := c.Do(ctx, `query($id: ID!) { deletionReceipt(id: $id) { proof } }`, map[string]any{"id": receipt}, &out)
	found, err := present(out.DeletionReceipt, err)
	if err != nil || found.Proof == nil {
		return nil, err
	}
	return json.RawMessage(*found.Proof), nil
}
