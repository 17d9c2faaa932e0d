package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/counted"
)

func newSleep(env environment) *cobra.Command {
	var (
		light, dryRun, asJSON bool
		items, seconds        int
	)
	cmd := &cobra.Command{
		Use:   "sleep",
		Short: "Start a sleep on a running server and print its morning report",
		Long: "Start a sleep on a running server: it strengthens memories that are used, archives faded ones, merges near-duplicates and\n" +
			"makes proven ones permanent. Ctrl-C stops waiting; the sleep continues.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	cmd.Flags().BoolVar(&light, "light", false, "a light sleep: N1 to N3 over recent memories, instead of N1 to REM over all")
	cmd.Flags().IntVar(&items, "max-items", 0, "process at most this many memories (default all)")
	cmd.Flags().IntVar(&seconds, "max-seconds", 0, "sleep at most this many seconds (default no limit)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing, report what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, _ []string) error {
		in := client.Sleep{Deep: !light, DryRun: dryRun, Wait: true}
		if cmd.Flags().Changed("max-items") {
			in.MaxItems = &items
		}
		if cmd.Flags().Changed("max-seconds") {
			in.MaxSeconds = &seconds
		}
		report, err := sleep(ctx, env, c, in)
		switch {
		case err != nil:
			return err
		case asJSON:
			return printJSON(env.out, report)
		}
		return printReport(env.out, report)
	})
	return cmd
}

// pollEvery is the interval between two requests for the progress of a sleep.
const pollEvery = 300 * time.Millisecond

// sleep starts a sleep and shows its progress until the report arrives.
func sleep(ctx context.Context, env environment, c *client.Client, in client.Sleep) (*client.SleepReport, error) {
	type answer struct {
		report *client.SleepReport
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		report, err := c.Sleep(ctx, in)
		done <- answer{report, err}
	}()
	show := &phases{w: env.err}
	defer show.end()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		select {
		case a := <-done:
			if ctx.Err() != nil {
				return nil, fmt.Errorf("stopped waiting; the sleep continues on the server")
			}
			return a.report, a.err
		case <-poll.C:
			// An error here is ignored: the answer of the sleep itself reports it.
			if progress, err := c.SleepProgress(ctx); err == nil {
				show.at(progress)
			}
		}
	}
}

// phaseNames describe the phases.
var phaseNames = map[string]string{
	"N1": "N1, ranking", "N2": "N2, strengthening and archiving", "N3": "N3, merging duplicates",
	"REM": "REM, consolidating and dreaming", "REPORT": "writing the report",
}

// phases shows the progress of a sleep, one bar per phase.
type phases struct {
	w     io.Writer
	phase string
	bar   *progress
}

func (p *phases) at(s client.SleepProgress) {
	if s.Phase != p.phase {
		p.end()
		p.phase = s.Phase
		if name := phaseNames[s.Phase]; name != "" {
			p.bar = newProgress(p.w, name, int64(s.Total), time.Now)
		}
	}
	if p.bar != nil {
		p.bar.at(int64(s.Done), fmt.Sprintf("%d of %d", s.Done, s.Total))
	}
}

func (p *phases) end() {
	if p.bar != nil {
		p.bar.end()
		p.bar = nil
	}
}

// printReport writes a morning report as text.
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
	line := func(format string, args ...any) { _, _ = printf(t, format+"\n", args...) } // t keeps the error for Flush
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
		{"engraved", r.Engraved, "made permanent, in the recess"},
		{"dreamed", r.Dreamed, "replayed"},
		{"consolidated", r.Consolidated, "merged into derived memories"},
		{"derived", r.Derived, "new facts, summaries and patterns"},
		{"sparsified", r.Sparsified, "relations dropped"},
		{"tokens saved", r.TokensSaved, "of ACTIVE content"},
	} {
		line("%s\t%d\t%s", x.what, x.n, x.means)
	}
	if b := r.Balance; !r.DryRun {
		line("balance\t%d = %d kept + %d merged + %d archived + %d left; %d derived", b.In, b.Kept, b.Merged, b.Archived, b.Left, b.Derived)
	}
	for _, p := range r.Phases {
		line("phase %s\t%.2f s\t%s", p.Phase, p.Seconds, counted.Of(p.Items, "item"))
	}
	if r.CutOff != "" {
		line("cut off in\t%s\nnot clustered\t%d\tleft to the next sleep: %s", r.CutOff, r.ClustersLeft, strings.Trim(fmt.Sprint(r.OwnersLeft), "[]"))
	}
	for _, x := range []struct {
		what string
		ids  []string
	}{
		{"safety-critical memories whose time to live ended since the previous sleep", r.SafetyEnded},
		{"skipped, took too long", r.Skipped}, {"please review", r.Review}, {"in doubt, not engraved", r.Doubts},
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
		line("The sleep exceeded its budget.")
	}
	if !r.Complete {
		line("The budget is used up; more work remains.")
	}
	return t.Flush()
}

// shownSteps is how many steps of a kind a dry run prints.
const shownSteps = 5

// plan groups the steps of a dry run by phase and verb, in the order of their first step.
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

// unusual returns a note if the promotion rate is outside the usual range.
func unusual(r *client.SleepReport) string {
	if r.PromotionRate < 0.05 || r.PromotionRate > 0.10 {
		return "; 5 to 10 % is usual"
	}
	return ""
}
