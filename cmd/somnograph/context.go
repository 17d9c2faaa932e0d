package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
)

func newContext(env environment) *cobra.Command {
	in := client.ContextInput{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "context [QUERY | -]",
		Short: "Print the prompt context for a question",
		Long: "Print what an agent would get into its prompt: procedures, the project, matching memories and documents, tasks and the last turns\n" +
			"of the session. The query is the arguments, or standard input with - or in a pipe; without one, the last turns of --session.\n" +
			"It is a preview, which counts no use, unless --track is set.",
		Example: "  somnograph context \"who may launch a kite\" --namespace kites --budget 800",
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&in.Session, "session", "", "session of the prompt (default: a new one)")
	f.StringVar(&in.User, "user", "", "memories of this user and of nobody")
	f.StringVar(&in.Project, "project", "", "current project")
	f.StringSliceVar(&in.Namespaces, "namespace", nil, "read only this namespace (may be repeated)")
	f.StringVar(&in.Format, "format", "MARKDOWN", "MARKDOWN, XML or JSON")
	f.IntVar(&in.TokenBudget, "budget", 0, "tokens at most (default 4,400)")
	f.BoolVar(&in.Track, "track", false, "count what is shown as usage")
	f.BoolVar(&asJSON, "json", false, "print text, layers and tokens as JSON")
	run(func(ctx context.Context, c *client.Client, args []string) (err error) {
		if len(args) > 0 || in.Session == "" {
			if in.Query, err = textOf(args, "a query or --session"); err != nil {
				return err
			}
		}
		if in.Format, err = oneOf("format", in.Format, "MARKDOWN", "XML", "JSON"); err != nil {
			return err
		}
		if in.TokenBudget < 0 {
			return usageError{fmt.Errorf("--budget must be at least 1 (got %d)", in.TokenBudget)}
		}
		if in.Session == "" {
			in.Session = "cli-" + rand.Text()
		}
		p, err := c.Context(ctx, in)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.out, p)
		}
		if _, err = printf(env.out, "%s\n", plain.Indented(strings.TrimRight(p.Text, "\n"), "")); err == nil && terminal(os.Stderr) {
			_, err = printf(env.err, "%d tokens, %d saved\n", p.TotalTokens, p.TokensSaved)
		}
		return err
	})
	return cmd
}
