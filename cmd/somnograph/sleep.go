package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func newSleep(env environment) *cobra.Command {
	var (
		light, dryRun, asJSON bool
		items, seconds        int
	)
	cmd := &cobra.Command{
		Use:   "sleep",
		Short: "Make a running server sleep, and print its morning report",
		Long: "Make a running server sleep: it strengthens what matters, lets the rest fade, folds what is alike together and engraves\n" +
			"what has proven itself. Ending this command does not wake the server.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	cmd.Flags().BoolVar(&light, "light", false, "N1 to N3 over what is recent, instead of N1 to REM over everything")
	cmd.Flags().IntVar(&items, "max-items", 0, "treat at most so many memories (default all)")
	cmd.Flags().IntVar(&seconds, "max-seconds", 0, "sleep at most so long (default 3600)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing: report what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.client()
		if err != nil {
			return err
		}
		defer c.Close()
		in := client.Sleep{Deep: !light, DryRun: dryRun, Wait: true}
		if cmd.Flags().Changed("max-items") {
			in.MaxItems = &items
		}
		if cmd.Flags().Changed("max-seconds") {
			in.MaxSeconds = &seconds
		}
		report, err := sleep(cmd.Context(), env, c, in)
		if err != nil {
			return err
		}
		if asJSON {
			e := json.NewEncoder(env.out)
			e.SetIndent("", "  ")
			return e.Encode(report)
		}
		return printReport(env.out, report)
	}
	return cmd
}

// lookEvery lies between two looks at how far a sleep has come.
const lookEvery = 300 * time.Millisecond

// sleep asks for a sleep and shows how far it is until its report comes.
func sleep(ctx context.Context, env environment, c *client.Client, in client.Sleep) (*client.SleepReport, error) {
	type answer struct {
		report *client.SleepReport
		err    error
	}
	over := make(chan answer, 1)
	go func() {
		report, err := c.Sleep(ctx, in)
		over <- answer{report, err}
	}()
	show := &phases{w: env.err}
	defer show.end()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case a := <-over:
			if ctx.Err() != nil {
				return nil, fmt.Errorf("no longer waiting; a sleep that began goes on in the server")
			}
			return a.report, a.err
		case <-look.C:
			// The answer of the sleep says what is wrong, if anything is.
			if place, err := c.SleepPlace(ctx); err == nil {
				show.at(place)
			}
		}
	}
}

// phaseNames say what a phase does.
var phaseNames = map[string]string{
	"N1": "N1, ranking", "N2": "N2, strengthening and letting go", "N3": "N3, folding duplicates",
	"REM": "REM, consolidating and dreaming", "REPORT": "writing the report",
}

// phases shows a sleep, one bar a phase.
type phases struct {
	w     io.Writer
	phase string
	bar   *progress
}

func (p *phases) at(place client.SleepPlace) {
	if place.Phase != p.phase {
		p.end()
		p.phase = place.Phase
		if name := phaseNames[place.Phase]; name != "" {
			p.bar = newProgress(p.w, name, int64(place.Total), time.Now)
		}
	}
	if p.bar != nil {
		p.bar.at(int64(place.Done), fmt.Sprintf("%d of %d", place.Done, place.Total))
	}
}

func (p *phases) end() {
	if p.bar != nil {
		p.bar.end()
		p.bar = nil
	}
}

// printReport writes a morning report for people.
func printReport(w io.Writer, r *client.SleepReport) error {
	kind := map[string]string{"DEEP": "a deep sleep", "LIGHT": "a light sleep", "MANUAL": "a consolidation by hand"}[r.Kind]
	took := ""
	if from, err := time.Parse(time.RFC3339, r.StartedAt); err == nil {
		if to, err := time.Parse(time.RFC3339, r.CompletedAt); err == nil {
			took = ", " + to.Sub(from).String()
		}
	}
	title := "Morning report"
	if r.DryRun {
		title = "What a sleep would do"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format+"\n", args...) } // t keeps the error for Flush
	line("%s: %s, %s%s", title, kind, r.StartedAt, took)
	line("report\t%s", r.ID)
	if r.HealthAfter != nil {
		line("health\t%.3f → %.3f", r.HealthBefore, *r.HealthAfter)
	}
	for _, x := range []struct {
		what  string
		n     int
		means string
	}{
		{"reinforced", r.Reinforced, "strengthened"},
		{"decayed", r.Decayed, "lost more than 1 % of their salience"},
		{"pruned", r.Pruned, "archived"},
		{"deduplicated", r.Deduplicated, "merged into others"},
		{"promoted", r.Promoted, fmt.Sprintf("L1 to L2, %.1f %% of L1 a day%s", 100*r.PromotionRate, unusual(r))},
		{"engraved", r.Engraved, "into the recess, for good"},
		{"dreamed", r.Dreamed, "replayed"},
		{"consolidated", r.Consolidated, "folded into something derived"},
		{"derived", r.Derived, "facts, summaries and patterns made"},
		{"sparsified", r.Sparsified, "relations dropped"},
		{"tokens saved", r.TokensSaved, "of what is in force"},
	} {
		line("%s\t%d\t%s", x.what, x.n, x.means)
	}
	if b := r.Balance; !r.DryRun {
		line("balance\t%d = %d kept + %d merged + %d archived + %d left; %d came to them", b.In, b.Kept, b.Merged, b.Archived, b.Left, b.Derived)
	}
	for _, p := range r.Phases {
		line("phase %s\t%.2f s\t%d items", p.Phase, p.Seconds, p.Items)
	}
	for _, x := range []struct {
		what string
		ids  []string
	}{
		{"skipped, took too long", r.Skipped}, {"for a person to look at", r.Review}, {"in doubt, not engraved", r.Doubts},
	} {
		if len(x.ids) > 0 {
			line("%s:", x.what)
		}
		for _, id := range x.ids {
			line("  %s", id)
		}
	}
	for _, group := range plan(r.Steps) {
		line("%s, %s:", strings.ToLower(group[0].Verb), group[0].Reason)
		for _, s := range group[:min(shownSteps, len(group))] {
			to := ""
			if s.To != "" {
				to = " → " + s.To
			}
			line("  %s%s", strings.Join(s.From, " "), to)
		}
		if more := len(group) - shownSteps; more > 0 {
			line("  and %d more; --json lists up to 1,000 steps", more)
		}
	}
	if !r.BudgetKept {
		line("The budget was not kept.")
	}
	if !r.Complete {
		line("There is more to do: the budget was used up.")
	}
	return t.Flush()
}

// shownSteps is how many steps of a kind a dry run shows to people.
const shownSteps = 5

// plan are the steps of a dry run by what they do, in the order in which each comes first.
func plan(steps []client.SleepStep) [][]client.SleepStep {
	var groups [][]client.SleepStep
	for _, s := range steps {
		i := slices.IndexFunc(groups, func(g []client.SleepStep) bool { return g[0].Verb == s.Verb && g[0].Phase == s.Phase })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// unusual says where the share of the promoted is outside what is normal.
func unusual(r *client.SleepReport) string {
	if r.PromotionRate < 0.05 || r.PromotionRate > 0.10 {
		return "; 5 to 10 % is usual"
	}
	return ""
}
