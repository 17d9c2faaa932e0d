package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
	"github.com/somnograph/somnograph/internal/counted"
)

func newSearch(env environment) *cobra.Command {
	var (
		o      client.Search
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "search [QUERY | -]",
		Short: "Search memory",
		Long: "Search memory for the arguments, or for standard input with - or in a pipe. Each hit has its rank, score, day, id, namespace/type and\n" +
			"text. In the order DIVERSE, hits that repeat better ones come later.",
	}
	run := memoryFlags(cmd, env)
	cmd.Flags().IntVarP(&o.TopK, "top", "k", 10, "number of hits, 1 to 100")
	cmd.Flags().StringSliceVar(&o.Namespaces, "namespace", nil, "search only this namespace (may be repeated)")
	cmd.Flags().StringVar(&o.User, "user", "", "search only memories of this user")
	cmd.Flags().StringVar(&o.Mode, "mode", "ANSWER", "weights: ANSWER, MANAGER or BASE")
	cmd.Flags().StringVar(&o.Effort, "effort", "BALANCED", "speed against accuracy: FAST, BALANCED or ACCURATE")
	cmd.Flags().StringVar(&o.Fusion, "fusion", "WEIGHTED", "how the channels are combined: WEIGHTED or RRF")
	cmd.Flags().StringVar(&o.Order, "order", "DIVERSE", "order of the hits: DIVERSE (repetitions later, so scores need not descend) or SCORE")
	ratio := ratioFlag(cmd)
	cmd.Flags().BoolVar(&o.Track, "track", false, "count this search as usage")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	run(func(ctx context.Context, c *client.Client, args []string) (err error) {
		if o.Query, err = textOf(args, "a query"); err != nil {
			return err
		}
		if o.TopK < 1 || o.TopK > 100 {
			return usageError{fmt.Errorf("--top must be 1 to 100 (got %d)", o.TopK)}
		}
		for _, x := range []struct {
			flag   string
			value  *string
			values []string
		}{
			{"mode", &o.Mode, []string{"ANSWER", "MANAGER", "BASE"}}, {"effort", &o.Effort, []string{"FAST", "BALANCED", "ACCURATE"}},
			{"fusion", &o.Fusion, []string{"WEIGHTED", "RRF"}}, {"order", &o.Order, []string{"DIVERSE", "SCORE"}},
		} {
			if *x.value, err = oneOf(x.flag, *x.value, x.values...); err != nil {
				return err
			}
		}
		o.MinScoreRatio = ratio()
		return search(ctx, env, c, o, asJSON)
	})
	return cmd
}

// ratioFlag adds --min-score-ratio. The function returned answers nil if the flag was not given.
func ratioFlag(cmd *cobra.Command) func() *float64 {
	const name = "min-score-ratio"
	ratio := cmd.Flags().Float64(name, 0, "leave out hits with less than this share of the best relevance, 0 to 1; 0: none (default 0.5 in mode ANSWER)")
	return func() *float64 {
		if !cmd.Flags().Changed(name) {
			return nil
		}
		return ratio
	}
}

func search(ctx context.Context, env environment, c *client.Client, o client.Search, asJSON bool) error {
	res, err := c.Search(ctx, o)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env.out, res)
	}
	for i, h := range res.Hits {
		mark := ""
		if h.Label != "CURRENT" {
			mark = "  [" + h.Label + "]"
		}
		if _, err := printf(env.out, "%2d  %.3f  %s  %s  %s/%s%s\n    %s\n", i+1, h.Score, h.Memory.OccurredAt[:min(10, len(h.Memory.OccurredAt))],
			h.Memory.ID, h.Memory.Namespace, h.Memory.Type, mark, plain.Indented(h.Memory.Content, "    ")); err != nil {
			return err
		}
	}
	note := ""
	if len(res.Degraded) > 0 {
		note = "; missing: " + strings.Join(res.Degraded, ", ")
	}
	_, err = printf(env.out, "%d of %s within the filters, %.1f ms%s\n", len(res.Hits), counted.Of(res.ConsideredCount, "memory"), res.LatencyMs, note)
	return err
}
