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
)

func newReembed(env environment) *cobra.Command {
	var m client.Model
	cmd := &cobra.Command{
		Use:   "reembed",
		Short: "Move the memories of a running server to another embedding model",
		Long: "Make a running server embed every memory with another model. Until it is done, and the server is started with that model,\n" +
			"the vectors of the old one answer. Where this is cut short, the same command goes on. The secret of the model is read\n" +
			"from SOMNOGRAPH_REEMBED_TOKEN.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	flags := cmd.Flags()
	flags.StringVar(&m.Kind, "kind", "", "who embeds: hashed, static, huggingface or openai")
	flags.StringVar(&m.URL, "url", "", "endpoint of the model; for static a mirror of the hub")
	flags.StringVar(&m.Model, "model", "", "the model; for static its directory, or hub:owner/model@revision")
	flags.IntVar(&m.Dimension, "dimension", 0, "dimension of the vectors (default that of the model)")
	flags.StringVar(&m.QueryPrefix, "query-prefix", "", "text in front of every question, where the model wants one")
	flags.StringVar(&m.PassagePrefix, "passage-prefix", "", "text in front of every memory, where the model wants one")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if m.Kind == "" {
			return usageError{errors.New("needs --kind")}
		}
		if m.Kind == "static" { // the server may run elsewhere
			dir, err := filepath.Abs(m.Model)
			if err != nil {
				return err
			}
			m.Model = dir
		}
		for _, line := range env.environ {
			if token, found := strings.CutPrefix(line, "SOMNOGRAPH_REEMBED_TOKEN="); found {
				m.Token = token
			}
		}
		c, err := server.client()
		if err != nil {
			return err
		}
		defer c.Close()
		return reembed(cmd.Context(), env, c, m)
	}
	return cmd
}

// reembed asks for the move and shows how far it is until it is done.
func reembed(ctx context.Context, env environment, c *client.Client, m client.Model) error {
	at, err := c.Reembed(ctx, m)
	if err != nil {
		return err
	}
	bar := newProgress(env.err, "embedding with "+at.Model, int64(at.Total), time.Now)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for at.Running {
		bar.at(int64(at.Done), fmt.Sprintf("%d of %d memories", at.Done, at.Total))
		select {
		case <-ctx.Done():
			bar.end()
			return errors.New("no longer waiting; the server goes on")
		case <-look.C:
		}
		if at, err = c.Reembedding(ctx); err != nil {
			bar.end()
			return err
		}
	}
	bar.end()
	if !at.Complete {
		return fmt.Errorf("it stopped after %d memories: %s; the same command goes on", at.Done, at.Failure)
	}
	settings := "--embedder-kind " + m.Kind
	if m.URL != "" {
		settings += " --embedder-url " + m.URL
	}
	if m.Model != "" {
		settings += " --embedder-model " + m.Model
	}
	_, err = fmt.Fprintf(env.out, "%d memories are embedded with %s. The next start with it switches:\n  somnograph serve %s\n", at.Done, at.Model, settings)
	return err
}
