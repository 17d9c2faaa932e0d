package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func newTenants(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tenants",
		Short: "Make, list, limit and delete tenants",
		Long: "Make, list, limit and delete the tenants of a running server, with a key or a token that has the scope server:admin in\n" +
			"SOMNOGRAPH_KEY. A tenant is a separate world of memories with its own keys; keys create --tenant makes a key for it.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTenantsCreate(env), newTenantsList(env), newTenantsQuotas(env), newTenantsDelete(env))
	return cmd
}

// quotaFlags adds the flags of quotas and returns a function that reads them.
func quotaFlags(f *pflag.FlagSet) func() (client.Quotas, error) {
	memories := f.Int64("memories", 0, "largest number of memories (default no limit)")
	bytes := f.Int64("bytes", 0, "largest size of the content of all memories in bytes (default no limit)")
	cost := f.Int64("cost-per-minute", 0, "rate limit in cost units a minute, instead of rate.limit of the server")
	return func() (q client.Quotas, err error) {
		for name, x := range map[string]struct {
			value *int64
			out   **float64
		}{"memories": {memories, &q.Memories}, "bytes": {bytes, &q.Bytes}, "cost-per-minute": {cost, &q.CostPerMinute}} {
			switch {
			case !f.Changed(name):
			case *x.value < 1:
				err = usageError{fmt.Errorf("--%s: must be 1 or more; without the flag there is no limit", name)}
			default:
				n := float64(*x.value)
				*x.out = &n
			}
		}
		return q, err
	}
}

// printTenant prints a tenant as JSON, or a sentence about it.
func printTenant(env environment, asJSON bool, t *client.Tenant, sentence string) error {
	if asJSON {
		return printJSON(env.out, t)
	}
	_, err := printf(env.out, "%s\n", sentence)
	return err
}

func newTenantsCreate(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "create NAME", Short: "Make a tenant", Args: exactly(1, "the name of the tenant: 1 to 64 letters, digits, _ or -")}
	title := cmd.Flags().String("title", "", "name for people")
	quotas := quotaFlags(cmd.Flags())
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = serverFlags(cmd, env).run(func(ctx context.Context, c *client.Client, args []string) error {
		q, err := quotas()
		if err != nil {
			return err
		}
		t, err := c.CreateTenant(ctx, args[0], *title, q)
		if err != nil {
			return err
		}
		return printTenant(env, *asJSON, t, fmt.Sprintf("tenant %s is made; keys create --tenant %s makes its first key", t.Name, t.Name))
	})
	return cmd
}

func newTenantsList(env environment) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the tenants with their sizes and quotas", Args: none}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = serverFlags(cmd, env).run(func(ctx context.Context, c *client.Client, _ []string) error {
		all, err := c.Tenants(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.out, append([]client.Tenant{}, all...))
		}
		w := tabwriter.NewWriter(env.out, 0, 0, 2, ' ', 0)
		if _, err := fmt.Fprintln(w, "NAME\tSTATUS\tKEYS\tMEMORIES\tOF\tBYTES\tOF\tCOST/MIN\tTITLE"); err != nil {
			return err
		}
		for _, t := range all {
			if _, err := printf(w, "%s\t%s\t%d\t%d\t%s\t%.0f\t%s\t%s\t%s\n", t.Name, t.Status, t.Keys, t.Memories, orNone(t.Quotas.Memories),
				t.Bytes, orNone(t.Quotas.Bytes), orNone(t.Quotas.CostPerMinute), text(t.Title, "-")); err != nil {
				return err
			}
		}
		return w.Flush()
	})
	return cmd
}

// orNone is a quota as a text, "-" for none.
func orNone(n *float64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatFloat(*n, 'f', 0, 64)
}

func newTenantsQuotas(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quotas NAME",
		Short: "Replace the quotas of a tenant",
		Long:  "Replace the quotas of a tenant. A quota without a flag has no limit. What the tenant has already stays.",
		Args:  exactly(1, "the name of a tenant, see tenants list"),
	}
	quotas := quotaFlags(cmd.Flags())
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = serverFlags(cmd, env).run(func(ctx context.Context, c *client.Client, args []string) error {
		q, err := quotas()
		if err != nil {
			return err
		}
		t, err := c.SetTenantQuotas(ctx, args[0], q)
		if err != nil {
			return err
		}
		return printTenant(env, *asJSON, t, "the quotas of tenant "+t.Name+" are replaced")
	})
	return cmd
}

func newTenantsDelete(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a tenant and erase all of its memories",
		Long: "Delete a tenant: its credentials are refused, its keys revoked, its webhooks removed and all of its memories erased. The name\n" +
			"can't be used again. An export is the only way back.",
		Args: exactly(1, "the name of a tenant, see tenants list"),
	}
	confirm := cmd.Flags().String("confirm", "", "the name of the tenant again (required)")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = serverFlags(cmd, env).run(func(ctx context.Context, c *client.Client, args []string) error {
		if *confirm != args[0] {
			return usageError{errors.New("--confirm: must repeat the name of the tenant: all of its memories are erased")}
		}
		t, err := c.DeleteTenant(ctx, args[0])
		if err != nil {
			return err
		}
		return printTenant(env, *asJSON, t, fmt.Sprintf("tenant %s is deleted; the receipt of the erasure is %s", t.Name, text(t.Receipt, "-")))
	})
	return cmd
}
