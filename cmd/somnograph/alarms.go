package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/engine"
)

func newAlarms(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:        "alarms",
		SuggestFor: []string{"health", "status"},
		Short:      "List the alarms of a running server, or end one",
		Long: "List the active alarms of a running server: what is wrong, what the server does meanwhile, and what to do. The key needs the scope\n" +
			"memory:read and must see the whole tenant.",
		Example: "  somnograph alarms\n  somnograph alarms reset 01a215e1-42ca-7001-abc0-d74a40d5b3c2",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
	}
	server := serverFlags(cmd, env)
	all := cmd.Flags().Bool("all", false, "the last 50 alarms, those that have ended too")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, _ []string) error {
		alarms, err := c.Alarms(ctx, !*all, 50)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.out, alarms)
		}
		if len(alarms) == 0 {
			_, err := fmt.Fprintln(env.out, "no alarm")
			return err
		}
		for _, a := range alarms {
			if err := printAlarm(env.out, a); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.AddCommand(newAlarmsReset(env))
	return cmd
}

func newAlarmsReset(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reset ID",
		Short: "End an alarm and its action",
		Long: "End an alarm and its action at once. The same fault raises no new alarm until it becomes worse, or has been away. The key needs the\n" +
			"scope memory:curate, and server:admin for an alarm of the server.",
		Args: exactly(1, "the id of an alarm"),
	}
	server := serverFlags(cmd, env)
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, args []string) error {
		a, err := c.ResetAlarm(ctx, args[0])
		if err != nil {
			return err
		}
		_, err = printf(env.out, "%s has ended\n", a.Indicator)
		return err
	})
	return cmd
}

// printAlarm prints an alarm in four lines; of one that has ended not what the server does and what to do.
func printAlarm(out io.Writer, a client.Alarm) error {
	does, subject := "the server does: nothing", text(a.Subject, "")
	differs := engine.AlarmEffect(a.Indicator, subject)
	if a.Action != nil {
		differs = engine.AlarmAction(*a.Action).Text()
		does = strings.TrimRight("the server does: "+*a.Action+": "+differs, ":. ")
	} else if differs != "" {
		does = "meanwhile: " + strings.TrimSuffix(differs, ".")
	}
	wrong := strings.TrimSuffix(a.Message, " "+differs) // that has its own line
	of := a.Indicator
	if subject != "" {
		of += " (" + subject + ")"
	}
	head := fmt.Sprintf("%s %s, since %s", a.Severity, of, a.Since.UTC().Format(time.RFC3339))
	if a.Until != nil {
		_, err := printf(out, "%s, until %s, id %s\n  %s\n", head, a.Until.UTC().Format(time.RFC3339), a.ID, wrong)
		return err
	}
	if a.ByHand {
		does += "; this alarm ends only with: somnograph alarms reset " + a.ID
	}
	_, err := printf(out, "%s, id %s\n  %s\n  %s\n  to do: %s\n", head, a.ID, wrong, does, a.Advice)
	return err
}
