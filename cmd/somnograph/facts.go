package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func newFacts(env environment) *cobra.Command {
	in := client.FactsInput{}
	var at string
	asJSON := false
	cmd := &cobra.Command{
		Use:     "facts SUBJECT",
		Short:   "List what is believed about a subject",
		Long:    "List the facts that memories state about a subject, such as a name, \"Lina's dog\", or \"user\" for --user; by predicate, newest first.",
		Example: "  somnograph facts user --user lina\n  somnograph facts \"Heron 3\" --past",
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&in.Predicate, "predicate", "", "only this predicate, in any form: \"lives in\" or residence")
	f.StringVar(&in.User, "user", "", "memories of this user and of nobody")
	f.StringSliceVar(&in.Namespaces, "namespace", nil, "read only this namespace (may be repeated)")
	f.BoolVar(&in.IncludePast, "past", false, "also what held before")
	f.StringVar(&at, "at", "", "what was true then, such as 2026-02-19 (default now)")
	f.IntVarP(&in.First, "number", "n", 100, "facts at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) (err error) {
		if in.Subject, err = textOf(args, "a subject"); err != nil {
			return err
		}
		if in.First < 1 || in.First > 1000 {
			return usageError{fmt.Errorf("--number must be 1 to 1,000 (got %d)", in.First)}
		}
		valid, err := instant("at", at)
		if err != nil {
			return err
		}
		if valid != nil {
			in.AsOf = map[string]any{"valid": valid}
		}
		facts, err := c.Facts(ctx, in)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.out, append([]client.Fact{}, facts...))
		}
		if len(facts) == 0 {
			_, err := printf(env.err, "no facts about %q\n", in.Subject)
			return err
		}
		return printFacts(env.out, facts)
	})
	return cmd
}

// printFacts prints a table.
func printFacts(out io.Writer, facts []client.Fact) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "SUBJECT\tPREDICATE\tOBJECT\tTRUE\tMEMORY"); err != nil {
		return err
	}
	for _, f := range facts {
		predicate, held := f.Predicate, "since "+f.ValidFrom.Format(time.DateOnly)
		if f.Negated {
			predicate = "not: " + predicate
		}
		if f.ValidTo != nil {
			held = f.ValidFrom.Format(time.DateOnly) + " to " + f.ValidTo.Format(time.DateOnly)
		}
		if _, err := printf(w, "%s\t%s\t%s\t%s\t%s\n", f.Subject, predicate, f.Object, held, f.Memory.ID); err != nil {
			return err
		}
	}
	return w.Flush()
}
