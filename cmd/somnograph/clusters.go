package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/counted"
)

func newClusters(env environment) *cobra.Command {
	o := client.ClustersOptions{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "clusters",
		Short: "List what memories are about, or show one cluster",
		Long: "List the clusters of memories that mean alike, the largest first. A deep sleep finds them; before the first one there are none. Each belongs\n" +
			"to a user in a namespace, or to nobody.",
		Example: "  somnograph clusters --namespace kites\n  somnograph clusters show 019c74e9-bbe8-7000-9fb8-d82978daf007\n  somnograph clusters history",
		Args:    subcommands,
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&o.User, "user", "", "clusters of this user and of nobody")
	f.StringSliceVar(&o.Namespaces, "namespace", nil, "only this namespace (may be repeated)")
	f.IntVarP(&o.First, "number", "n", 50, "clusters at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		if err := inPage(o.First); err != nil {
			return err
		}
		page, err := c.Clusters(ctx, o)
		if err != nil {
			return err
		}
		if err := printList(env, asJSON, page.Nodes, "no clusters; a deep sleep finds them: somnograph sleep", printClusters); err != nil {
			return err
		}
		return sayMore(env, page.PageInfo.HasNextPage)
	})
	cmd.AddCommand(newClustersShow(env), newClustersHistory(env))
	return cmd
}

func newClustersShow(env environment) *cobra.Command {
	members, asJSON := 10, false
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a cluster and its strongest members",
		Long: "Show a cluster: its terms, the clusters that are most like it, the patterns drawn from it, and its members, the strongest first. The\n" +
			"strength of a member says how deep inside the cluster it lies, from 0 to 1; * is one that joined since the last sleep.",
		Example: "  somnograph clusters show 019c74e9-bbe8-7000-9fb8-d82978daf007 -n 3",
		Args:    exactly(1, "the id of a cluster"),
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.IntVarP(&members, "number", "n", members, "members at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		if err := inPage(members); err != nil {
			return err
		}
		found, err := c.ClusterDetail(ctx, args[0], members)
		switch {
		case err != nil:
			return err
		case found == nil:
			return errors.New("there is no cluster with this id that you may see")
		case asJSON:
			return printJSON(env.out, found)
		}
		return printCluster(env.out, found)
	})
	return cmd
}

func newClustersHistory(env environment) *cobra.Command {
	o := client.ClusterEvolutionOptions{}
	since, until, asJSON := "", "", false
	cmd := &cobra.Command{
		Use:   "history [ID]",
		Short: "List how clusters changed from sleep to sleep",
		Long: "List births, merges, splits and deaths of clusters in sleeps, the newest first; with an id those of one cluster, and those in which it merged\n" +
			"into another one or was split. A change is kept for a year.",
		Example: "  somnograph clusters history --namespace kites\n  somnograph clusters history 019c74e9-bbe8-7000-9fb8-d82978daf007",
		Args:    atMostOne("the id of a cluster"),
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&o.User, "user", "", "changes of clusters of this user and of nobody")
	f.StringSliceVar(&o.Namespaces, "namespace", nil, "only this namespace (may be repeated)")
	f.StringVar(&since, "since", "", "only from this instant on, such as 2026-11-01T00:00:00Z")
	f.StringVar(&until, "until", "", "only until this instant")
	f.IntVarP(&o.First, "number", "n", 50, "changes at most, 1 to 1,000")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		if err := inPage(o.First); err != nil {
			return err
		}
		for _, x := range []struct {
			flag, text string
			to         *time.Time
		}{{"--since", since, &o.Since}, {"--until", until, &o.Until}} {
			if x.text == "" {
				continue
			}
			at, err := time.Parse(time.RFC3339, x.text)
			if err != nil {
				return usageError{fmt.Errorf("%s must be an instant such as 2026-11-01T00:00:00Z (got %q)", x.flag, x.text)}
			}
			*x.to = at
		}
		if len(args) > 0 {
			o.Cluster = args[0]
		}
		page, err := c.ClusterHistory(ctx, o)
		if err != nil {
			return err
		}
		if err := printList(env, asJSON, page.Nodes, "no changes of clusters", printClusterEvents); err != nil {
			return err
		}
		return sayMore(env, page.PageInfo.HasNextPage)
	})
	return cmd
}

// printClusterEvents prints a table. The label is that of now; a cluster that is no more has none.
func printClusterEvents(out io.Writer, events []client.ClusterChange) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "SLEEP\tCHANGE\tMEMORIES\tOWNER\tID\tFROM\tLABEL NOW"); err != nil {
		return err
	}
	for _, e := range events {
		from, label := "-", "-"
		if len(e.From) > 0 {
			from = strings.Join(e.From, " ")
		}
		if e.Current != nil {
			label = shorten(e.Current.Label, 60)
		}
		if _, err := printf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", e.At.UTC().Format(time.DateTime), e.Change, e.Size, ownerText(e.Namespace, e.User), e.Cluster, from, label); err != nil {
			return err
		}
	}
	return w.Flush()
}

// printClusters prints a table.
func printClusters(out io.Writer, clusters []client.Cluster) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "LABEL\tMEMORIES\tDENSITY\tOWNER\tID"); err != nil {
		return err
	}
	for _, c := range clusters {
		if _, err := printf(w, "%s\t%d\t%.2f\t%s\t%s\n", shorten(c.Label, 60), c.Size, c.Density, ownerText(c.Namespace, c.User), c.ID); err != nil {
			return err
		}
	}
	return w.Flush()
}

// printCluster prints a cluster, a line for each thing.
func printCluster(out io.Writer, c *client.ClusterDetail) error {
	var b strings.Builder
	printf(&b, "%s\n", c.Label)
	if c.Summary != "" {
		printf(&b, "  %s\n", c.Summary)
	}
	printf(&b, "  %s of %s, density %.2f, since %s, id %s\n", counted.Of(c.Size, "memory"), ownerText(c.Namespace, c.User), c.Density,
		c.CreatedAt.UTC().Format(time.DateOnly), c.ID)
	if len(c.Terms) > 0 {
		terms := make([]string, len(c.Terms))
		for i, t := range c.Terms {
			terms[i] = fmt.Sprintf("%s (%d)", t.Text, t.Count)
		}
		printf(&b, "  terms: %s\n", strings.Join(terms, ", "))
	}
	for _, r := range c.Related {
		printf(&b, "  related: %.2f  %s  %s\n", r.Similarity, r.Cluster.ID, shorten(r.Cluster.Label, 60))
	}
	for _, p := range c.Patterns {
		printf(&b, "  pattern: %s  %s  %s\n", p.Kind, p.ID, shorten(p.Text, 100))
	}
	for _, m := range c.Memberships {
		printf(&b, "%s %.2f  %s  %s\n", map[bool]string{true: " ", false: "*"}[m.Settled], m.Strength, m.Memory.ID, shorten(m.Memory.Content, 100))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// ownerText names a namespace, and the user of it if there is one.
func ownerText(namespace, user string) string {
	if user == "" {
		return namespace
	}
	return user + " in " + namespace
}

// inPage checks --number.
func inPage(n int) error {
	if n < 1 || n > 1000 {
		return usageError{fmt.Errorf("--number must be 1 to 1,000 (got %d)", n)}
	}
	return nil
}

// printList prints a list as JSON or as show does. Of an empty one it says none.
func printList[T any](env environment, asJSON bool, list []T, none string, show func(io.Writer, []T) error) error {
	switch {
	case asJSON:
		return printJSON(env.out, append([]T{}, list...)) // [], not null
	case len(list) == 0:
		_, err := printf(env.err, "%s\n", none)
		return err
	}
	return show(env.out, list)
}

// sayMore says that a list has more entries than it shows.
func sayMore(env environment, more bool) error {
	if !more {
		return nil
	}
	_, err := fmt.Fprintln(env.err, "there are more; raise --number")
	return err
}

// subcommands refuses arguments of a command that lists if it has no argument.
func subcommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noCommand(cmd, args[0])
	}
	return nil
}

// atMostOne refuses a second argument.
func atMostOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("takes at most %s, but got %d arguments", what, len(args))}
		}
		return nil
	}
}
