package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// newReady asks a server whether it is ready, for an orchestrator in whose image there is
// no other program to ask with.
func newReady(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ready",
		Short: "Ask a running server whether it can read and write now",
		Long: "Ask a running server whether it can read and write now. The exit code is 0 where it can, and 1 where it is starting,\n" +
			"ending, or its store is away, or nobody answers: a health check for containers, in which there is no other program.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	within := cmd.Flags().Duration("within", 4*time.Second, "how long it may take to answer")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.client()
		if err != nil {
			return err
		}
		defer c.Close()
		ctx, cancel := context.WithTimeout(cmd.Context(), *within)
		defer cancel()
		if err := c.Ready(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.out, "ready")
		return err
	}
	return cmd
}
