package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// memoryFlags adds the flags that say whose memory a command uses, a running server or a data
// directory, and returns what makes its RunE.
func memoryFlags(cmd *cobra.Command, env environment) func(func(ctx context.Context, c *client.Client, args []string) error) {
	server := serverFlags(cmd, env)
	data := cmd.Flags().String("data", "", "data directory: of the server that has it open, or of a stopped one, which the command opens")
	keys := cmd.Flags().String("keys", "", "with --data: directory of the keys of a stopped server, as in serve")
	return func(fn func(ctx context.Context, c *client.Client, args []string) error) {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if *data == "" {
				if *keys != "" {
					return usageError{errors.New("--keys needs --data")}
				}
				err := server.run(fn)(cmd, args)
				if errors.As(err, new(*client.UnreachableError)) {
					err = fmt.Errorf("%w, or name the data directory of a stopped server with --data", err)
				}
				return err
			}
			if cmd.Flags().Changed("addr") {
				return usageError{errors.New("--data and --addr exclude each other")}
			}
			return withDirectory(cmd.Context(), env, server, *data, *keys, func(c *client.Client) error { return fn(cmd.Context(), c, args) })
		}
	}
}

// withDirectory calls the server of a data directory. If none has it open, a server of this
// process opens it, prints nothing, never sleeps, and closes it after fn. keys is the directory of keys
// of that server; empty: as configured.
func withDirectory(ctx context.Context, env environment, server *remote, dir, keys string, fn func(*client.Client) error) error {
	if _, err := os.Stat(dir); err != nil {
		return usageError{fmt.Errorf("--data: there is no directory %s; somnograph serve --data %s makes one", dir, dir)}
	}
	quiet := environment{io.Discard, io.Discard, slices.DeleteFunc(slices.Clone(env.environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(clientVariables, name)
	})}
	settings := map[string]string{"sleep-mode": "off", "graphiql": "false"}
	if keys != "" {
		settings["keys"] = keys
	}
	b := &backend{env: quiet, remote: server, data: dir, settings: settings, brief: true}
	defer b.close()
	c, err := b.server(ctx)
	if err != nil {
		return err
	}
	return fn(c)
}
