package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

func newKeys(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list and revoke API keys; replace the keys of sealed data",
		Long: "Make, list and revoke API keys. With --data the commands use the data directory of a stopped server, which is how the first\n" +
			"key is made. Otherwise they call a running server, with a key or a token that has the scope server:admin in SOMNOGRAPH_KEY.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeysCreate(env), newKeysList(env), newKeysRevoke(env), newKeysRotate(env))
	return cmd
}

// keyring is where the commands find the keys: a running server or a data directory.
type keyring interface {
	CreateAPIKey(ctx context.Context, in client.NewAPIKey) (*client.CreatedAPIKey, error)
	APIKeys(ctx context.Context) ([]client.APIKey, error)
	RevokeAPIKey(ctx context.Context, id string) (*client.APIKey, error)
}

// keyFlags adds the flags that say where the keys are, and makes a command's RunE. It makes no store, unless makes is set.
func keyFlags(cmd *cobra.Command, env environment, makes bool) func(func(context.Context, keyring, []string) error) {
	server := serverFlags(cmd, env)
	data := cmd.Flags().String("data", "", "data directory of a stopped server; the settings of its store are read as by serve")
	keys := cmd.Flags().String("keys", "", "with --data: directory of the keys of a sealed store, as in serve")
	return func(fn func(context.Context, keyring, []string) error) {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if *data == "" {
				return server.run(func(ctx context.Context, c *client.Client, args []string) error { return fn(ctx, c, args) })(cmd, args)
			}
			if cmd.Flags().Changed("addr") {
				return usageError{errors.New("--data and --addr exclude each other")}
			}
			return withStoredKeys(cmd.Context(), env, *data, *keys, makes, func(k keyring) error { return fn(cmd.Context(), k, args) })
		}
	}
}

func newKeysCreate(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make an API key and print it, once",
		Args:  none,
	}
	var in client.NewAPIKey
	var scopes []string
	var authority float64
	var expires time.Duration
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "tenant of the key (default the caller's; with --data \"default\")")
	f.StringSliceVar(&scopes, "scopes", nil, "what the key may do, comma-separated: "+access.Names(access.AllScopes))
	f.StringVar(&in.User, "user", "", "the only user that the key acts for (default any)")
	f.StringVar(&in.Agent, "agent", "", "agent of writes that name none")
	f.StringSliceVar(&in.Namespaces, "namespaces", nil, "granted namespaces, comma-separated (default all)")
	f.Float64Var(&authority, "authority", 0.8, "highest authority of its writes, 0 to 1; not given: 1 with memory:admin")
	f.DurationVar(&expires, "expires", 0, "time until the key expires, such as 720h (default never)")
	f.StringVar(&in.Name, "name", "", "name for people, such as where the key is used")
	f.StringVar(&in.Owner, "owner", "", "the principal whose key it is; all keys of one owner are one source of evidence (default the user, else who makes the key)")
	asJSON := f.Bool("json", false, "print JSON")
	keyFlags(cmd, env, true)(func(ctx context.Context, k keyring, _ []string) error {
		parsed, err := access.ParseScopes("--scopes", scopes)
		if err != nil {
			return usageError{sentence(err)}
		}
		if len(parsed) == 0 {
			return usageError{errors.New("needs --scopes, such as memory:read,memory:write")}
		}
		for _, s := range parsed {
			in.Scopes = append(in.Scopes, string(s))
		}
		if f.Changed("authority") {
			in.Authority = &authority
		}
		if f.Changed("expires") && expires < time.Second {
			return usageError{errors.New("--expires: must be at least 1s")}
		}
		// A script whose variable is empty must not get a key for everything.
		for flag, empty := range map[string]bool{"user": in.User == "", "agent": in.Agent == "", "namespaces": len(in.Namespaces) == 0} {
			if f.Changed(flag) && empty {
				return usageError{fmt.Errorf("--%s: must not be empty: leave the flag out for all", flag)}
			}
		}
		in.TTLSeconds = int(expires / time.Second)
		made, err := k.CreateAPIKey(ctx, in)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.out, made)
		}
		if _, err = printf(env.out, "%s\n", made.Key); err == nil {
			_, err = printf(env.err, "This is key %s of tenant %s. It is shown this once: store it now.\n", made.APIKey.ID, made.APIKey.Tenant)
		}
		return err
	})
	return cmd
}

func newKeysList(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the API keys, without their secrets", Args: none}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	keyFlags(cmd, env, false)(func(ctx context.Context, k keyring, _ []string) error {
		all, err := k.APIKeys(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.out, append([]client.APIKey{}, all...))
		}
		return printKeys(env, all, time.Now())
	})
	return cmd
}

func newKeysRevoke(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke an API key",
		Long:  "Revoke an API key. A running server refuses it at once and ends its sockets and streams within a second.",
		Args:  exactly(1, "the id of a key, see keys list"),
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	keyFlags(cmd, env, false)(func(ctx context.Context, k keyring, args []string) error {
		key, err := k.RevokeAPIKey(ctx, args[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.out, key)
		}
		_, err = printf(env.out, "key %s is revoked\n", key.ID)
		return err
	})
	return cmd
}

// printKeys prints a table of keys.
func printKeys(env environment, all []client.APIKey, now time.Time) error {
	w := tabwriter.NewWriter(env.out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tNAME\tTENANT\tUSER\tAUTHORITY\tSTATE\tSCOPES"); err != nil {
		return err
	}
	for _, k := range all {
		state := "valid"
		switch {
		case k.RevokedAt != nil:
			state = "revoked " + k.RevokedAt.Format(time.DateOnly)
		case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
			state = "expired " + k.ExpiresAt.Format(time.DateOnly)
		case k.ExpiresAt != nil:
			state = "until " + k.ExpiresAt.Format(time.DateOnly)
		}
		var scopes []access.Scope
		for _, s := range k.Scopes {
			scopes = append(scopes, access.Scope(s))
		}
		_, err := printf(w, "%s\t%s\t%s\t%s\t%.2f\t%s\t%s\n", k.ID, text(k.Name, "-"), k.Tenant, text(k.User, "any"), k.Authority, state,
			strings.ReplaceAll(access.Names(scopes), " ", ""))
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// text is *p, or otherwise for nil.
func text(p *string, otherwise string) string {
	if p == nil {
		return otherwise
	}
	return *p
}

// sentence is an error for the command line, without the code of the API.
func sentence(err error) error {
	var e *graph.Error
	if errors.As(err, &e) {
		return errors.New(e.Sentence())
	}
	return err
}

// storedKeys are the keys in a data directory, or on the cluster that the settings name.
type storedKeys struct {
	keys   *access.Keys
	ledger *ledger.Ledger // records revocations, which a restore asks
	// begin writes a row of the audit of a tenant before a verb, and returns what writes the row after it.
	begin func(verb string, tenant graph.Tenant) (end func(error) error, err error)
}

// clientVariables are those of the commands that call a server; serve does not know them.
var clientVariables = []string{"SOMNOGRAPH_ADDR", "SOMNOGRAPH_CA", "SOMNOGRAPH_PASSWORD", "SOMNOGRAPH_KEY", "SOMNOGRAPH_REEMBED_TOKEN"}

// serverEnvironment is the environment without the variables of clients.
func serverEnvironment(env environment) []string {
	return slices.DeleteFunc(slices.Clone(env.environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(clientVariables, name)
	})
}

// withStoredKeys opens the store of a stopped server and closes it after fn.
func withStoredKeys(ctx context.Context, env environment, data, keys string, makes bool, fn func(keyring) error) (err error) {
	c, err := storedConfig(env, map[string]string{"data": data, "keys": keys})
	if err != nil {
		return err
	}
	o, err := storeOptions(c, c.Logger(env.err))
	if err != nil {
		return err
	}
	if !makes {
		if err := hasStore(c, o.Dir); err != nil {
			return err
		}
	}
	store, err := instance.OpenStore(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	stored, _, err := openKeys(c, store, time.Now)
	if err != nil {
		return err
	}
	record, err := ledger.Open(o.Keys, o.Dir, rand.Reader)
	if err != nil {
		return instance.ExplainKeys(o.Keys, err)
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	ids := graph.NewIDSource(rand.Reader)
	rows := audit.New(audit.Options{Store: store, Keys: record.Secrets(), Now: func() time.Time { return graph.Millis(time.Now()) }, NewID: ids.New})
	return fn(storedKeys{stored, record, func(verb string, tenant graph.Tenant) (func(error) error, error) {
		scope, call := graph.Scope{Tenant: tenant}, audit.NewCall(operator, verb)
		if err := rows.Begin(ctx, scope, call); err != nil {
			return nil, fmt.Errorf("the call can't be recorded in the audit: %w", err)
		}
		return func(failed error) error {
			rows.End(scope, call, failed)
			if _, err := rows.Seal(ctx, scope); err != nil {
				return fmt.Errorf("the outcome is not in the audit: %w", err)
			}
			return nil
		}, nil
	}})
}

// operator is the principal of who uses the data directory of a stopped server.
const operator = "operator"

// openKeys opens the API keys of a store, and returns their pepper too. now is the clock by which they expire.
func openKeys(c *config.Config, store graph.Store, now func() time.Time) (*access.Keys, []byte, error) {
	if c.Store == "dgraph" && c.Auth.PepperFile == "" {
		return nil, nil, errors.New("pepper-file: is required for API keys on a cluster, and must be the same file for all of its servers")
	}
	file := cmp.Or(c.Auth.PepperFile, auth.PepperFile(c.Data))
	pepper, err := auth.Pepper(file)
	if err != nil {
		return nil, nil, err
	}
	former, err := auth.FormerPepper(file)
	if err != nil {
		return nil, nil, err
	}
	keys, err := access.NewKeys(store, pepper, now, rand.Reader)
	if err == nil && former != nil {
		err = keys.AcceptFormer(former)
	}
	return keys, pepper, err
}

func (s storedKeys) CreateAPIKey(ctx context.Context, in client.NewAPIKey) (*client.CreatedAPIKey, error) {
	var scopes []access.Scope
	for _, x := range in.Scopes {
		scopes = append(scopes, access.Scope(x))
	}
	made := access.Input{
		Name: in.Name, Tenant: graph.Tenant(cmp.Or(in.Tenant, string(engine.Loopback().Tenant))), Owner: cmp.Or(in.Owner, in.User, operator), User: in.User,
		Agent: in.Agent, Namespaces: in.Namespaces, Scopes: scopes, Authority: in.Authority, TTL: time.Duration(in.TTLSeconds) * time.Second,
	}
	if err := made.Validate(); err != nil {
		return nil, sentence(err)
	}
	end, err := s.begin("createApiKey", made.Tenant)
	if err != nil {
		return nil, err
	}
	key, text, err := s.keys.Create(ctx, made)
	if err := errors.Join(sentence(err), end(err)); err != nil {
		return nil, err
	}
	return &client.CreatedAPIKey{APIKey: describe(key), Key: text}, nil
}

func (s storedKeys) APIKeys(ctx context.Context) ([]client.APIKey, error) {
	all, err := s.keys.List(ctx)
	keys := make([]client.APIKey, len(all))
	for i, k := range all {
		keys[i] = describe(k)
	}
	return keys, err
}

// RevokeAPIKey also records the revocation in the directory of keys, which a restore asks.
func (s storedKeys) RevokeAPIKey(ctx context.Context, id string) (*client.APIKey, error) {
	if _, err := s.keys.Record(ctx, s.ledger); err != nil {
		return nil, sentence(err)
	}
	key, err := s.keys.Get(ctx, id)
	if err != nil {
		return nil, sentence(err)
	}
	end, err := s.begin("revokeApiKey", key.Tenant)
	if err != nil {
		return nil, err
	}
	key, err = s.keys.Revoke(ctx, id)
	if err := errors.Join(sentence(err), end(err)); err != nil {
		return nil, err
	}
	out := describe(key)
	return &out, nil
}

// describe is a key as GraphQL describes it.
func describe(k *access.Key) client.APIKey {
	out := client.APIKey{
		ID: k.ID, Name: filled(k.Name), Tenant: string(k.Tenant), Owner: k.Owner, User: filled(k.User), Agent: filled(k.Agent), Namespaces: k.Namespaces,
		Authority: k.Authority, CreatedAt: k.CreatedAt,
	}
	for _, s := range k.Scopes {
		out.Scopes = append(out.Scopes, string(s))
	}
	for _, x := range []struct {
		at  time.Time
		out **time.Time
	}{{k.ExpiresAt, &out.ExpiresAt}, {k.RevokedAt, &out.RevokedAt}} {
		if !x.at.IsZero() {
			*x.out = &x.at
		}
	}
	return out
}

// filled is nil for an empty text.
func filled(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
