package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
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

// errAuditChanged is returned by audit verify for an audit that was changed.
var errAuditChanged = errors.New("the audit was changed")

func newAuditVerify(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that no row of the audit was changed, removed or added",
		Long: "Check that no row of the audit was changed, removed, added or swapped since it was written, and that none is missing at the end. A\n" +
			"change is named by the number of its row, and the exit code is 1. It checks the tenant of the key, with --data the tenant default; doctor checks all.",
		Args: none,
	}
	run := memoryFlags(cmd, env)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		v, err := c.CheckAudit(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			err = printJSON(env.out, v)
		} else {
			err = printAuditCheck(env, v)
		}
		if err == nil && !v.Intact {
			err = errAuditChanged
		}
		return err
	})
	return cmd
}

func printAuditCheck(env environment, v *client.AuditCheck) error {
	var b strings.Builder
	for _, c := range v.Chains {
		if c.Chain != "" {
			fmt.Fprintf(&b, "chain %s: rows %s to %s, %d signed roots, %d rows not sealed yet", c.Chain, c.First, c.Last, c.Roots, c.Waiting)
			if !c.Keys {
				b.WriteString("; its keys are not here, so only the signatures of the roots were checked")
			}
			b.WriteString("\n")
		}
		for _, x := range c.Restores {
			fmt.Fprintf(&b, "rows %s to %s are missing, because the store was restored at %s to its state of %s\n", x.First, x.Last, x.At.Format(time.RFC3339), x.To.Format(time.RFC3339))
		}
		for _, p := range c.Problems {
			if p.Seq != "0" {
				fmt.Fprintf(&b, "row %s: ", p.Seq)
			}
			b.WriteString(p.What + "\n")
		}
	}
	if v.Intact {
		b.WriteString("the audit is intact\n")
	}
	_, err := fmt.Fprint(env.out, b.String())
	return err
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
			return exportCSV(ctx, env, c, filter)
		}
		return usageError{fmt.Errorf("--format: must be json or csv, not %q", format)}
	})
	return cmd
}

func exportCSV(ctx context.Context, env environment, c *client.Client, filter client.AuditFilter) error {
	w := csv.NewWriter(env.out)
	if err := w.Write([]string{"chain", "seq", "at", "principal", "verb", "namespaces", "ids", "more", "outcome", "decision", "count", "milliseconds"}); err != nil {
		return err
	}
	err := c.Audit(ctx, filter, func(e client.AuditEntry) error {
		return w.Write([]string{
			e.Chain, e.Seq, e.At.UTC().Format(time.RFC3339Nano), safeCell(e.Principal), e.Verb, strings.Join(e.Namespaces, " "), strings.Join(e.IDs, " "),
			strconv.Itoa(e.More), e.Outcome, text(e.Decision, ""), strconv.Itoa(e.Count), strconv.FormatFloat(e.Milliseconds, 'f', 3, 64),
		})
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// safeCell is a text that no spreadsheet takes for a formula.
func safeCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
