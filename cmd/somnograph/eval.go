package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/limits"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/evaluation"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
	"github.com/somnograph/somnograph/internal/counted"
)

func newEval(env environment) *cobra.Command {
	var (
		o                  evaluation.Options
		jsonFile, markdown string
		baselines          bool
		compare            []string
	)
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Evaluate the quality of memory on simulated weeks",
		Long: "Simulate weeks of a made-up world in this process and print how well memory did: recall after 7, 14 and 30 days, drift,\n" +
			"corrections, preferences that need not be repeated, what sleep keeps and archives. Each figure is printed with its goal;\n" +
			"docs/eval.md says how it is measured. A missed goal is not an error.\n\n" +
			"With --baselines the same questions are also put to stateless retrieval and to a plain buffer, and with --compare the measures\n" +
			"run with two namespace policies; one table has the figures side by side.\n\n" +
			"Measures: " + strings.Join(evaluation.Names(), ", "),
		Args: none,
	}
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the world")
	cmd.Flags().BoolVar(&o.Quick, "quick", false, "a small world, to test the command")
	cmd.Flags().StringSliceVar(&o.Only, "only", nil, "run only these measures, comma-separated")
	cmd.Flags().StringVar(&o.Dir, "data", "", "keep the stores in this empty directory (default: a temporary one)")
	cmd.Flags().StringVar(&jsonFile, "json", "", "write results and misses to this file as JSON")
	cmd.Flags().StringVar(&markdown, "markdown", "", "write a report to this file as Markdown")
	cmd.Flags().BoolVar(&baselines, "baselines", false, "compare with stateless retrieval and a plain buffer")
	cmd.Flags().StringSliceVar(&compare, "compare", nil, "compare two policies, as A,B: presets (default, medical, financial) or JSON files with\nthe settings of setNamespacePolicy that differ from the default")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case len(compare) == 0 && !cmd.Flags().Changed("compare"):
		case len(compare) != 2:
			return usageError{fmt.Errorf("--compare: must be two policies, as A,B")}
		case baselines:
			return usageError{errors.New("--compare and --baselines: only one of them can be given")}
		}
		return evalWorld(cmd.Context(), env, o, jsonFile, markdown, func(ctx context.Context, o evaluation.Options) (evaluated, error) {
			switch {
			case baselines:
				return asEvaluated(evaluation.RunBaselines(ctx, o))
			case len(compare) == 2:
				return asEvaluated(evaluation.RunPolicies(ctx, o, [2]string(compare)))
			}
			return asEvaluated(evaluation.Run(ctx, o))
		})
	}
	cmd.AddCommand(newRecall(env))
	return cmd
}

// evaluated is the result of a run.
type evaluated interface {
	Table(io.Writer) error
	JSON(io.Writer) error
	Markdown(io.Writer) error
	SetVersion(version string)
}

// asEvaluated is nil where there was an error.
func asEvaluated[T evaluated](x T, err error) (evaluated, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// evalWorld runs the measures, prints the table and writes the reports.
func evalWorld(ctx context.Context, env environment, o evaluation.Options, jsonFile, markdown string, run func(context.Context, evaluation.Options) (evaluated, error)) (err error) {
	limits.SetMemory(&config.Config{}, env.environ)
	if o.Embedder, err = openEmbedder(ctx, config.Embedder{Kind: "hashed"}, "", io.Discard, watchers{}); err != nil {
		return err
	}
	if o.Dir == "" {
		if o.Dir, err = os.MkdirTemp("", "somnograph-eval-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()
	} else if err := mustBeEmpty(o.Dir); err != nil {
		return usageError{err}
	}
	o.Note = func(s string) { _, _ = printf(env.err, "%s\n", s) }
	report, err := run(ctx, o)
	if errors.Is(err, evaluation.ErrUnknown) || errors.Is(err, evaluation.ErrPolicy) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	report.SetVersion(versionText())
	if err := report.Table(env.out); err != nil {
		return err
	}
	return errors.Join(writeReport(jsonFile, report.JSON), writeReport(markdown, report.Markdown))
}

// mustBeEmpty makes the directory, or returns an error if it has files.
func mustBeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty", dir)
	}
	return err
}

// writeReport writes a file, if path is not empty.
func writeReport(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func newRecall(env environment) *cobra.Command {
	var (
		o         client.Search
		namespace string
		without   []string
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "recall FILE",
		Short: "Measure evidence recall on an imported conversation file",
		Long: "Search a running server for the questions of a conversation file (docs/formats/import.md) that was imported before, and\n" +
			"print evidence recall at 5 and 10, mean reciprocal rank, precision, hits and latency per category. Questions without evidence are not\n" +
			"counted. The searches do not count as usage.",
		Args: exactly(1, "one file"),
	}
	server := serverFlags(cmd, env)
	cmd.Flags().StringVar(&namespace, "namespace", "", "namespace the file was imported into (default: one per conversation)")
	cmd.Flags().StringVar(&o.Mode, "mode", "ANSWER", "weights: ANSWER, MANAGER or BASE")
	cmd.Flags().StringVar(&o.Effort, "effort", "BALANCED", "speed against accuracy: FAST, BALANCED or ACCURATE")
	cmd.Flags().StringVar(&o.Fusion, "fusion", "WEIGHTED", "how the channels are combined: WEIGHTED or RRF")
	ratio := ratioFlag(cmd)
	cmd.Flags().StringSliceVar(&without, "without", nil, "leave these parts of the score out: "+strings.Join(parts, ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the table as JSON")
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, args []string) error {
		o.MinScoreRatio = ratio()
		if err := leaveOut(&o, without); err != nil {
			return usageError{err}
		}
		return evalRecall(ctx, env, c, args[0], namespace, o, asJSON)
	})
	return cmd
}

// parts are the values of --without: the weights of the score, and the graph.
var parts = []string{"semantic", "keyword", "recency", "importance", "project", "entity", "task", "graph"}

// leaveOut sets the weights of the parts to 0. Without the graph the search makes no hops
// from the entities of the question.
func leaveOut(o *client.Search, without []string) error {
	for _, part := range without {
		switch {
		case !slices.Contains(parts, part):
			return fmt.Errorf("--without: unknown part %q; the parts are %s", part, strings.Join(parts, ", "))
		case part == "graph":
			o.Hops = new(int)
		default:
			if o.Weights == nil {
				o.Weights = map[string]float64{}
			}
			o.Weights[part] = 0
		}
	}
	return nil
}

func evalRecall(ctx context.Context, env environment, c *client.Client, path, namespace string, o client.Search, asJSON bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	conversations, err := importer.Conversations(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	total := 0
	for _, conv := range conversations {
		total += len(conv.Questions)
	}
	if total == 0 {
		return fmt.Errorf("%s has no questions", path)
	}
	if err := c.Ping(ctx); err != nil {
		return err
	}
	bar := newProgress(env.err, "eval recall", int64(total), time.Now)
	answers, skipped, asked, missing := []retrieval.Answer{}, 0, 0, 0
	for _, conv := range conversations {
		o.Namespaces = []string{conv.Namespace(namespace)}
		hits := 0
		for _, q := range conv.Questions {
			asked++
			bar.at(int64(asked), counted.Of(asked, "question"))
			if len(q.Evidence) == 0 {
				skipped++
				continue
			}
			a, err := ask(ctx, c, o, q)
			if err != nil {
				return err
			}
			hits += len(a.Found)
			answers = append(answers, a)
		}
		if hits == 0 && len(conv.Questions) > 0 {
			missing++
		}
	}
	bar.end()
	if missing > 0 {
		return fmt.Errorf("%d of %d conversations are not on the server; import %s first", missing, len(conversations), path)
	}
	return printTable(env.out, retrieval.Table(answers), skipped, asJSON)
}

func ask(ctx context.Context, c *client.Client, o client.Search, q importer.Question) (retrieval.Answer, error) {
	o.Query, o.TopK = q.Q, retrieval.Depth
	began := time.Now()
	res, err := c.Search(ctx, o)
	if err != nil {
		return retrieval.Answer{}, err
	}
	a := retrieval.Answer{Category: q.Category, Evidence: q.Evidence, Latency: time.Since(began)}
	for _, h := range res.Hits {
		a.Found = append(a.Found, h.Memory.Source)
	}
	return a, nil
}

func printTable(w io.Writer, rows []retrieval.Row, skipped int, asJSON bool) error {
	if asJSON {
		return printJSON(w, map[string]any{"rows": rows, "withoutEvidence": skipped})
	}
	wide := len("category")
	for _, r := range rows {
		wide = max(wide, len(r.Category))
	}
	if _, err := printf(w, "%-*s  %9s  %6s  %6s  %6s  %9s  %5s  %8s  %8s\n", wide, "category", "questions", "R@5", "R@10", "MRR", "precision", "hits", "p50 ms", "p95 ms"); err != nil {
		return err
	}
	for _, r := range rows {
		if _, err := printf(w, "%-*s  %9d  %6.3f  %6.3f  %6.3f  %9.3f  %5.1f  %8.1f  %8.1f\n", wide, r.Category, r.Questions, r.R5, r.R10, r.MRR, r.Precision, r.Hits, r.P50, r.P95); err != nil {
			return err
		}
	}
	if skipped > 0 {
		_, err := printf(w, "not asked: %s without evidence\n", counted.Of(skipped, "question"))
		return err
	}
	return nil
}
