// Package audits checks and prints the audit for the command line.
package audits

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/internal/counted"
)

// The errors of Verdict.
var (
	ErrChanged   = errors.New("the audit was changed")
	ErrUnchecked = errors.New("the audit could not be checked")
)

// Verdict is what a check found. elsewhere are the chains whose keys are known not to be here. A chain without keys that is none of
// these, or no chain at all, is ErrUnchecked.
func Verdict(v *client.AuditCheck, elsewhere []string) error {
	if !v.Intact {
		return ErrChanged
	}
	checked := 0
	for _, c := range v.Chains {
		switch {
		case c.Keys && (c.Rows > 0 || c.Waiting > 0 || c.Roots > 0):
			checked++
		case !c.Keys && !slices.Contains(elsewhere, c.Chain):
			return ErrUnchecked
		}
	}
	if checked == 0 {
		return ErrUnchecked
	}
	return nil
}

// Print prints a check with its verdict.
func Print(w io.Writer, v *client.AuditCheck, verdict error) error {
	var b strings.Builder
	for _, c := range v.Chains {
		if c.Chain != "" {
			plain.Fprintf(&b, "chain %s: rows %s to %s, %s, %s not sealed yet", c.Chain, c.First, c.Last, counted.Of(c.Roots, "signed root"), counted.Of(c.Waiting, "row"))
			if !c.Keys {
				b.WriteString("; its keys are not here, so only the signatures of the roots were checked")
			}
			b.WriteString("\n")
		}
		for _, x := range c.Restores {
			plain.Fprintf(&b, "rows %s to %s are missing, because the store was restored at %s to its state of %s\n", x.First, x.Last, x.At.Format(time.RFC3339), x.To.Format(time.RFC3339))
		}
		for _, p := range c.Problems {
			if p.Seq != "0" {
				plain.Fprintf(&b, "row %s: ", p.Seq)
			}
			plain.Fprintf(&b, "%s\n", p.What)
		}
	}
	here := func(c client.AuditChain) bool { return c.Keys }
	missing := func(c client.AuditChain) bool { return !c.Keys }
	switch {
	case verdict == nil:
		b.WriteString("the audit is intact\n")
	case errors.Is(verdict, ErrUnchecked) && len(v.Chains) == 0:
		b.WriteString("the audit was not checked: there are no rows, and no keys of an audit\n")
	case errors.Is(verdict, ErrUnchecked) && !slices.ContainsFunc(v.Chains, missing):
		b.WriteString("the audit was not checked: it has no rows\n")
	case errors.Is(verdict, ErrUnchecked) && slices.ContainsFunc(v.Chains, here):
		b.WriteString("the audit was not checked: rows may have been changed or removed unseen where the keys are missing, and a server has begun another chain. If there is a\n" +
			"copy of the former files secrets/audit-…, check the rows with it in a copy of the data and of the directory of keys, and keep the present files; --other-chain\n" +
			"names a chain whose keys are on another server or known to be lost\n")
	case errors.Is(verdict, ErrUnchecked):
		b.WriteString("the audit was not checked: rows may have been changed or removed unseen where the keys are missing. Put the newest copy of the files\n" +
			"secrets/audit-… in the directory of keys back; --other-chain names a chain whose keys are on another server or known to be lost\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Offline checks the audit of the tenant default in the data directory of a stopped server. It makes no keys, and changes no file of a
// server that was stopped in order; that of a killed one is opened as a start does it. It returns an error that wraps graph.ErrLocked if
// a server has the directory open.
func Offline(ctx context.Context, o instance.Options) (_ *client.AuditCheck, err error) {
	if len(o.Dgraph) == 0 {
		found, err := unchanged(ctx, o)
		if !errors.Is(err, graph.ErrUnfinished) {
			return found, err
		}
	}
	store, err := instance.OpenStore(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var keys audit.Keys = none{}
	if known, err := hasKeys(o); err != nil {
		return nil, err
	} else if known {
		l, err := ledger.Open(o.Keys, o.Dir, rand.Reader)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, l.Close()) }()
		keys = l.Secrets()
	}
	return verify(ctx, store, keys)
}

// unchanged is Offline without any change.
func unchanged(ctx context.Context, o instance.Options) (_ *client.AuditCheck, err error) {
	store, err := instance.OpenToRead(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if known, err := hasKeys(o); err != nil {
		return nil, err
	} else if !known {
		return verify(ctx, store, none{})
	}
	dir, err := ledger.Find(o.Keys, o.Dir)
	if err != nil {
		return nil, err
	}
	return verify(ctx, store, ledger.SecretsOf(dir))
}

func verify(ctx context.Context, store graph.Store, keys audit.Keys) (*client.AuditCheck, error) {
	var found *audit.Verification
	scope := graph.Scope{Tenant: "default"}
	if err := store.View(ctx, scope, func(r graph.Reader) (err error) { found, err = audit.Verify(r, keys, scope); return err }); err != nil {
		return nil, err
	}
	return encode(found), nil
}

// hasKeys reports whether the directory of keys has a folder for the store of a data directory.
func hasKeys(o instance.Options) (bool, error) {
	id, err := os.ReadFile(filepath.Join(o.Dir, "store.id"))
	if errors.Is(err, os.ErrNotExist) || o.Keys == "" {
		return false, nil
	}
	if err == nil {
		_, err = os.Stat(filepath.Join(o.Keys, strings.TrimSpace(string(id))))
	}
	return err == nil, ignore(err)
}

func ignore(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// none are no keys.
type none struct{}

func (none) Read(string) ([]byte, error)     { return nil, nil }
func (none) Write(string, []byte) error      { return errors.ErrUnsupported }
func (none) Damaged(name, what string) error { return fmt.Errorf("%s: %s", name, what) }
func (none) Fill([]byte) error               { return errors.ErrUnsupported }

func encode(v *audit.Verification) *client.AuditCheck {
	out := &client.AuditCheck{Intact: v.Intact(), Chains: []client.AuditChain{}}
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	for _, c := range v.Chains {
		x := client.AuditChain{Chain: c.Chain, Rows: c.Rows, First: number(c.First), Last: number(c.Last), Waiting: c.Waiting, Roots: c.Roots, Keys: c.Keys,
			Problems: []client.AuditProblem{}, Restores: []client.AuditRestore{}}
		for _, p := range c.Problems {
			x.Problems = append(x.Problems, client.AuditProblem{Seq: number(p.Seq), What: p.What})
		}
		for _, r := range c.Restores {
			x.Restores = append(x.Restores, client.AuditRestore{First: number(r.First), Last: number(r.Last), To: r.To, At: r.At})
		}
		out.Chains = append(out.Chains, x)
	}
	return out
}
