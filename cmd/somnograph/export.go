package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
)

func newExport(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export FILE | -",
		Short: "Write the whole memory of a tenant to a file or to standard output",
		Long: "Write the whole memory of the tenant of the credential, with --data of the default tenant, to a file of JSON lines (docs/formats/export.md):\n" +
			"memories with their vectors, versions, usage and edges, entities, relations, notes and policies, as of one moment. somnograph import reads it into an\n" +
			"empty tenant. The two servers may use different stores. With - it goes to standard output; its last line says that it is complete.\n" +
			"CSV is for spreadsheets, and one way: it has the memories only, and import refuses it. Use JSON lines to move or to keep a memory.",
		Args: exactly(1, "the name of a new file, or -"),
	}
	run := memoryFlags(cmd, env)
	format := cmd.Flags().String("format", "lines", "lines (JSON lines) or csv (memories only; can't be imported)")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		switch *format {
		case "lines":
		case "csv":
			return exportMemoriesCSV(ctx, env, c, args[0])
		default:
			return usageError{fmt.Errorf("--format must be lines or csv (got %q)", *format)}
		}
		if args[0] == "-" {
			return c.Export(ctx, env.out)
		}
		return export(ctx, env, c, args[0])
	})
	return cmd
}

// export writes to a temporary file next to path and renames it when it is complete.
func export(ctx context.Context, env environment, c *client.Client, path string) (err error) {
	if err := wantNewFile(path); err != nil {
		return err
	}
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600) // it holds every memory in clear
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
		sum, err = check(f)
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
	_, err = printf(env.out, "%s in %s\n", sum, path)
	return err
}

// wantNewFile refuses a file that exists, or whose directory does not.
func wantNewFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("there is no directory %s", filepath.Dir(path))
	}
	return nil
}

// check checks that an export is complete. It leaves the file at its beginning.
func check(f *os.File) (transfer.Summary, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return transfer.Summary{}, err
	}
	sum, err := transfer.Check(f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return sum, err
}

// isExport reports whether export wrote the file. It leaves the file at its beginning.
func isExport(f *os.File) (bool, error) {
	first := make([]byte, 64)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return transfer.IsHeader(first[:n]), err
}

// importExport sends an export, after a check that it is complete.
func importExport(ctx context.Context, env environment, c *client.Client, f *os.File) error {
	if _, err := check(f); err != nil {
		return err
	}
	var done transfer.Imported
	if err := c.Import(ctx, f, &done); err != nil {
		return err
	}
	_, err := printf(env.out, "imported %s\n", done.Summary)
	if err == nil && done.Lowered > 0 {
		_, err = printf(env.out, "memories whose authority was lowered to what the key grants: %d\n", done.Lowered)
	}
	if err == nil && done.Erased > 0 {
		_, err = printf(env.out, "memories left out because they were erased since the export: %d\n", done.Erased)
	}
	return err
}
