package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/audits"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/graph"
)

func newAudit(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check and export who called which operation",
		Long: "Check and export the audit: who called which operation, without content. The commands call a running server, with a key that has the\n" +
			"scope audit:read, or read the data directory of a stopped one with --data.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAuditVerify(env), newAuditExport(env))
	return cmd
}

func newAuditVerify(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that no row of the audit was changed, removed or added",
		Long: "Check that no row of the audit was changed, removed, added or swapped since it was written, and that none is missing at the end. A\n" +
			"change is named by the number of its row, and the exit code is 1. It is 1 too where rows could not be checked because the keys of their chain are\n" +
			"missing. It checks the tenant of the key, with --data the tenant default; doctor checks all. Of a stopped server it\n" +
			"makes no keys and writes no rows, and changes no file unless the server was killed: then it recovers the store, as a start does.",
		Args: none,
	}
	run := memoryFlags(cmd, env)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	elsewhere := cmd.Flags().StringArray("other-chain", nil, "a chain whose keys are on another server, or known to be lost: it needs no check; may be repeated")
	said := func(v *client.AuditCheck) (err error) {
		verdict := audits.Verdict(v, *elsewhere)
		if *asJSON {
			err = printJSON(env.out, struct {
				*client.AuditCheck
				Checked bool `json:"checked"`
			}{v, !errors.Is(verdict, audits.ErrUnchecked)})
		} else {
			err = audits.Print(env.out, v, verdict)
		}
		return errors.Join(err, verdict)
	}
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		v, err := c.CheckAudit(ctx)
		if err != nil {
			return err
		}
		return said(v)
	})
	server := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := map[string]string{"data": cmd.Flag("data").Value.String(), "keys": cmd.Flag("keys").Value.String()}
		if given["data"] == "" || cmd.Flags().Changed("addr") {
			return server(cmd, args)
		}
		c, err := storedConfig(env, given)
		if err != nil {
			return err
		}
		o, err := storeOptions(c, slog.New(slog.DiscardHandler))
		if err == nil {
			err = hasStore(c, o.Dir)
		}
		if err != nil {
			return err
		}
		v, err := audits.Offline(cmd.Context(), o)
		if errors.Is(err, graph.ErrLocked) { // a server has it open
			return server(cmd, args)
		}
		if err != nil {
			return err
		}
		return said(v)
	}
	return cmd
}

func newAuditExport(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "Print the audit, oldest row first",
		Long:    "Print the rows of the audit, the oldest first, as JSON lines or as CSV.",
		Example: "  somnograph audit export --format csv --since 2026-11-01T00:00:00Z > audit.csv",
		Args:    none,
	}
	run := memoryFlags(cmd, env)
	var filter client.AuditFilter
	var format, since, until string
	f := cmd.Flags()
	f.StringVar(&format, "format", "json", "json (a line per row) or csv")
	f.StringVar(&filter.Verb, "verb", "", "only this operation, such as forget")
	f.StringVar(&filter.Principal, "principal", "", "only this principal: the id of a key, or a name")
	f.StringVar(&filter.Outcome, "outcome", "", "only this outcome: OK, or the code of an error")
	f.StringVar(&since, "since", "", "only from this instant on, such as 2026-11-01T00:00:00Z")
	f.StringVar(&until, "until", "", "only before this instant")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		for flag, x := range map[string]struct {
			text string
			at   *time.Time
		}{"--since": {since, &filter.Since}, "--until": {until, &filter.Until}} {
			if x.text == "" {
				continue
			}
			var err error
			if *x.at, err = time.Parse(time.RFC3339, x.text); err != nil {
				return usageError{fmt.Errorf("%s: must be an instant such as 2026-11-01T00:00:00Z", flag)}
			}
		}
		switch format {
		case "json":
			out := json.NewEncoder(env.out)
			return c.Audit(ctx, filter, func(e client.AuditEntry) error { return out.Encode(e) })
		case "csv":
			return audits.CSV(ctx, env.out, c, filter)
		}
		return usageError{fmt.Errorf("--format: must be json or csv, not %q", format)}
	})
	return cmd
}
