package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// newReady asks a server whether it is ready: the health check of a container whose image has
// no other program.
func newReady(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ready",
		Short: "Check whether a running server is ready",
		Long: "Check whether a running server can read and write now, as a health check for containers. The exit code is 0 if it can,\n" +
			"and 1 if it is starting or shutting down, can't use its store, or does not answer. While an alarm halts writes the code is 0,\n" +
			"because reads go on; the command says so.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	within := 4 * time.Second
	cmd.Flags().DurationVar(&within, "timeout", within, "how long to wait for the answer")
	cmd.Flags().DurationVar(&within, "within", within, "")
	cmd.Flags().Lookup("within").Hidden = true // the former name
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, _ []string) error {
		ctx, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		if err := c.Ready(ctx); err != nil {
			return err
		}
		said := "ready"
		if halted, err := c.WritesHalted(ctx); err != nil {
			return err
		} else if halted {
			said = "ready to read; an alarm has halted writes: see somnograph alarms"
		}
		_, err := printf(env.out, "%s\n", said)
		return err
	})
	return cmd
}
