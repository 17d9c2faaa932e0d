package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/counted"
)

func newReembed(env environment) *cobra.Command {
	var m client.Model
	cmd := &cobra.Command{
		Use:   "reembed",
		Short: "Switch a running server to another embedding model",
		Long: "Embed every memory of a running server with another model. Searches use the old vectors until all are embedded and the\n" +
			"server is started with the new model. If it is interrupted, the same command continues. SOMNOGRAPH_REEMBED_TOKEN holds\n" +
			"the secret for the model.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	flags := cmd.Flags()
	flags.StringVar(&m.Kind, "kind", "", "kind of the model: hashed, static, huggingface or openai")
	flags.StringVar(&m.URL, "url", "", "endpoint of the model; for static a mirror of the hub")
	flags.StringVar(&m.Model, "model", "", "name of the model; for static a directory, or hub:owner/model@revision")
	flags.IntVar(&m.Dimension, "dimension", 0, "dimension of the vectors (default that of the model)")
	flags.StringVar(&m.QueryPrefix, "query-prefix", "", "text put before every query, for models that need one")
	flags.StringVar(&m.PassagePrefix, "passage-prefix", "", "text put before every memory, for models that need one")
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, _ []string) error {
		if m.Kind == "" {
			return usageError{errors.New("needs --kind")}
		}
		if m.Kind == "static" && !strings.HasPrefix(m.Model, "hub:") { // the server may have another working directory
			dir, err := filepath.Abs(m.Model)
			if err != nil {
				return err
			}
			m.Model = dir
		}
		m.Token = variable(env.environ, "SOMNOGRAPH_REEMBED_TOKEN")
		return reembed(ctx, env, c, m)
	})
	return cmd
}

// reembed starts the embedding and shows its progress until it is done.
func reembed(ctx context.Context, env environment, c *client.Client, m client.Model) error {
	at, err := c.Reembed(ctx, m)
	if err != nil {
		return err
	}
	bar := newProgress(env.err, "embedding with "+at.Model, int64(at.Total), time.Now)
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for at.Running {
		bar.at(int64(at.Done), fmt.Sprintf("%d of %s", at.Done, counted.Of(at.Total, "memory")))
		select {
		case <-ctx.Done():
			bar.end()
			return errors.New("stopped waiting; the server continues")
		case <-poll.C:
		}
		if at, err = c.Reembedding(ctx); err != nil {
			bar.end()
			return err
		}
	}
	bar.end()
	if !at.Complete {
		return fmt.Errorf("stopped after %s: %s; the same command continues", counted.Of(at.Done, "memory"), at.Failure)
	}
	settings := "--embedder-kind " + m.Kind
	if m.URL != "" {
		settings += " --embedder-url " + m.URL
	}
	if m.Model != "" {
		settings += " --embedder-model " + m.Model
	}
	_, err = printf(env.out, "embedded %s with %s. Restart the server with it to switch:\n  somnograph serve %s\n", counted.Of(at.Done, "memory"), at.Model, settings)
	return err
}
