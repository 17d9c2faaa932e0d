package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/counted"
)

// patternKinds are the kinds of patterns.
var patternKinds = []string{"WORKFLOW", "PREFERENCE", "CONSTRAINT", "FAILURE_SIGNATURE"}

func newPatterns(env environment) *cobra.Command {
	o := client.PatternsOptions{}
	var only []string
	asJSON := false
	cmd := &cobra.Command{
		Use:   "patterns",
		Short: "List what repeats in memories, or show one pattern",
		Long: "List the patterns that hold, the oldest first: workflows, preferences, constraints and the signatures of failures that a deep sleep found in\n" +
			"many memories. CONTESTED: it contradicts another one, and a person decides.",
		Example: "  somnograph patterns --kind workflow --kind constraint\n  somnograph patterns show 019c74e9-bbe8-7000-9fb8-d82978daf007\n  somnograph patterns conflicts",
		Args:    subcommands,
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&o.User, "user", "", "patterns of this user and of nobody")
	f.StringSliceVar(&o.Namespaces, "namespace", nil, "only this namespace (may be repeated)")
	f.StringSliceVar(&only, "kind", nil, "only this kind: WORKFLOW, PREFERENCE, CONSTRAINT or FAILURE_SIGNATURE (may be repeated)")
	f.IntVarP(&o.First, "number", "n", 50, "patterns at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		if err := inPage(o.First); err != nil {
			return err
		}
		for _, k := range only {
			kind, err := oneOf("kind", k, patternKinds...)
			if err != nil {
				return err
			}
			o.Kinds = append(o.Kinds, client.PatternKind(kind))
		}
		page, err := c.Patterns(ctx, o)
		if err != nil {
			return err
		}
		if err := printList(env, asJSON, page.Nodes, "no patterns; a deep sleep finds them: somnograph sleep", printPatterns); err != nil {
			return err
		}
		return sayMore(env, page.PageInfo.HasNextPage)
	})
	cmd.AddCommand(newPatternsShow(env), newPatternsExport(env), newPatternsConflicts(env), newPatternsExtract(env), newPatternsValidate(env), newPatternsResolve(env))
	return cmd
}

func newPatternsShow(env environment) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a version of a pattern and its sources",
		Long:    "Show a version of a pattern: what it says, when it applies, how sure it is, and the memories that it was derived from.",
		Example: "  somnograph patterns show 019c74e9-bbe8-7000-9fb8-d82978daf007",
		Args:    exactly(1, "the id of a pattern"),
	}
	run := memoryFlags(cmd, env)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		p, err := c.Pattern(ctx, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.out, p)
		}
		return printPattern(env.out, p)
	})
	return cmd
}

func newPatternsExport(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export ID",
		Short: "Print the provenance of a pattern",
		Long: "Print the provenance of a pattern as W3C PROV-JSON: its versions and their sources, the sleeps that derived them, and the clusters. It\n" +
			"has no content of memories.",
		Example: "  somnograph patterns export 019c74e9-bbe8-7000-9fb8-d82978daf007 > pattern.json",
		Args:    exactly(1, "the id of a pattern"),
	}
	run := memoryFlags(cmd, env)
	run(func(ctx context.Context, c *client.Client, args []string) error {
		document, err := c.PatternProvenance(ctx, args[0])
		if err != nil {
			return err
		}
		return printIndented(env.out, document)
	})
	return cmd
}

func newPatternsConflicts(env environment) *cobra.Command {
	o := client.PatternConflictsOptions{}
	all, asJSON := false, false
	cmd := &cobra.Command{
		Use:   "conflicts",
		Short: "List pairs of patterns that contradict each other",
		Long: "List the pairs of patterns that contradict each other, the newest first, the more confident pattern of each pair first. Where one is\n" +
			"safety-critical, both are CONTESTED until a person decides: somnograph patterns resolve.",
		Example: "  somnograph patterns conflicts --all --json",
		Args:    none,
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringSliceVar(&o.Namespaces, "namespace", nil, "only this namespace (may be repeated)")
	f.BoolVar(&all, "all", false, "also those that are decided, or whose patterns no longer hold")
	f.IntVarP(&o.First, "number", "n", 50, "conflicts at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		if err := inPage(o.First); err != nil {
			return err
		}
		open := !all
		o.Open = &open
		conflicts, err := c.PatternConflicts(ctx, o)
		if err != nil {
			return err
		}
		return printList(env, asJSON, conflicts, "no conflicts between patterns", printPatternConflicts)
	})
	return cmd
}

func newPatternsExtract(env environment) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "extract CLUSTER",
		Short: "Look for patterns in a cluster now",
		Long: "Look for patterns in a cluster now instead of in the next deep sleep. It lists the patterns that are new, have a new version or were found again,\n" +
			"and says why other candidates were refused.",
		Example: "  somnograph patterns extract 019c74e9-bbe8-7000-9fb8-d82978daf007",
		Args:    exactly(1, "the id of a cluster"),
	}
	run := memoryFlags(cmd, env)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		found, err := c.ExtractPattern(ctx, args[0])
		switch {
		case err != nil:
			return err
		case asJSON:
			return printJSON(env.out, found)
		}
		if err := printList(env, false, found.Patterns, "no pattern found", printPatterns); err != nil {
			return err
		}
		for _, x := range found.Refused {
			if _, err := printf(env.err, "refused: %s in %s, confidence %.2f: %s\n", x.Kind, counted.Of(x.Occurrences, "memory"), x.Confidence, x.Reason); err != nil {
				return err
			}
		}
		return nil
	})
	return cmd
}

func newPatternsValidate(env environment) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "validate ID",
		Short: "Check a pattern against the present memories",
		Long: "Check a pattern against the present memories of its owner's clusters, and show how many of those that were held out it is right about. It fails if the\n" +
			"pattern no longer holds.",
		Example: "  somnograph patterns validate 019c74e9-bbe8-7000-9fb8-d82978daf007",
		Args:    exactly(1, "the id of a pattern"),
	}
	run := memoryFlags(cmd, env)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		p, err := c.ValidatePattern(ctx, args[0])
		if err != nil {
			return err
		}
		return showPattern(env, asJSON, p)
	})
	return cmd
}

func newPatternsResolve(env environment) *cobra.Command {
	note, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "resolve KEEP END",
		Short: "Decide between two patterns that contradict each other",
		Long: "Decide between two patterns that contradict each other: KEEP holds, END ends and is not found again. patterns conflicts lists the pairs, and\n" +
			"with --all the decisions.",
		Example: "  somnograph patterns resolve 019c74e9-bbe8-7000-9fb8-d82978daf007 019c74e9-bbe8-7001-8d02-5f0c4a1be6c2 --note \"the resin burns\"",
		Args:    exactly(2, "the id of the pattern that holds, and of the one that ends"),
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&note, "note", "", "why, at most 2,048 bytes")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		p, err := c.ResolvePattern(ctx, args[0], args[1], client.ResolvePatternOptions{Note: note})
		if err != nil {
			return err
		}
		return showPattern(env, asJSON, p)
	})
	return cmd
}

// showPattern prints a version of a pattern without its sources.
func showPattern(env environment, asJSON bool, p *client.Pattern) error {
	if asJSON {
		return printJSON(env.out, p)
	}
	return printPattern(env.out, &client.PatternDetail{PatternRecord: *p})
}

// printPatterns prints a table.
func printPatterns(out io.Writer, patterns []client.Pattern) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "KIND\tSTATUS\tCONFIDENCE\tSOURCES\tOWNER\tID\tTEXT"); err != nil {
		return err
	}
	for _, p := range patterns {
		if _, err := printf(w, "%s\t%s\t%.2f\t%d\t%s\t%s\t%s\n", p.Kind, p.Status, p.Confidence, p.Occurrences, ownerText(p.Namespace, p.User), p.ID, shorten(p.Text, 100)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// printPattern prints a version of a pattern, a line for each thing.
func printPattern(out io.Writer, p *client.PatternDetail) error {
	var b strings.Builder
	printf(&b, "%s\n  %s, %s, version %d of %s, owner %s, id %s\n", p.Text, p.Kind, p.Status, p.Version, p.CreatedAt.UTC().Format(time.DateOnly), ownerText(p.Namespace, p.User), p.ID)
	printf(&b, "  confidence %.2f, in %s, held out %.2f on %s", p.Confidence, counted.Of(p.Occurrences, "memory"), p.HeldOut, p.ValidatedAt.UTC().Format(time.DateOnly))
	if p.SuccessRate != nil {
		printf(&b, ", success %.2f", *p.SuccessRate)
	}
	if p.SafetyCritical {
		b.WriteString(", safety-critical")
	}
	b.WriteString("\n")
	for _, c := range p.Conditions {
		printf(&b, "  when: %s\n", c)
	}
	for _, a := range p.Actions {
		printf(&b, "  then: %s\n", a)
	}
	for _, m := range p.Sources {
		printf(&b, "  source: %s  %s\n", m.ID, shorten(m.Content, 100))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// printPatternConflicts prints pairs of patterns.
func printPatternConflicts(out io.Writer, conflicts []client.PatternConflict) error {
	for _, x := range conflicts {
		if err := printPatternConflict(out, x); err != nil {
			return err
		}
	}
	return nil
}

// printPatternConflict prints a pair of patterns in three lines.
func printPatternConflict(out io.Writer, x client.PatternConflict) error {
	state := "the more confident one answers"
	switch {
	case x.Kept != "":
		state = "decided, kept " + x.Kept
	case x.Waits:
		state = "waits for a person: somnograph patterns resolve"
	}
	if x.Note != "" {
		state += ": " + shorten(x.Note, 100)
	}
	var b strings.Builder
	printf(&b, "since %s, %s\n", x.Since.UTC().Format(time.DateOnly), state)
	for _, p := range x.Patterns {
		printf(&b, "  %.2f  %s  %s\n", p.Confidence, p.ID, shorten(p.Text, 100))
	}
	_, err := io.WriteString(out, b.String())
	return err
}
