package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
)

func newExport(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write everything a running server remembers to a file",
		Long: "Write everything a running server remembers to a file, as JSON lines (docs/formats/export.md): memories with their vectors,\n" +
			"history, chains, use and edges, entities, relations, notes and policies, as they stand at one moment. somnograph import\n" +
			"moves it into a server that holds nothing yet, whatever store either of them has.",
		Args: exactly(1, "the name of a new file"),
	}
	server := serverFlags(cmd, env)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.client()
		if err != nil {
			return err
		}
		defer c.Close()
		return export(cmd.Context(), env, c, args[0])
	}
	return cmd
}

// export writes to a file beside the one that is asked for, and puts it in place when it
// is whole.
func export(ctx context.Context, env environment, c *client.Client, path string) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already", path)
	}
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600) // it holds all that was said
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(next))
		}
	}()
	err = c.Export(ctx, f)
	var sum transfer.Summary
	if err == nil {
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			sum, err = transfer.Check(f)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.out, "%s in %s\n", sum, path)
	return err
}

// isExport reports whether a file is what export wrote, and goes back to its beginning.
func isExport(f *os.File) (bool, error) {
	first := make([]byte, 64)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return transfer.IsHeader(first[:n]), err
}

// moveIn sends a whole export, once it is known to be whole.
func moveIn(ctx context.Context, env environment, c *client.Client, f *os.File) error {
	if _, err := transfer.Check(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var sum transfer.Summary
	if err := c.Import(ctx, f, &sum); err != nil {
		return err
	}
	_, err := fmt.Fprintf(env.out, "moved %s\n", sum)
	return err
}
