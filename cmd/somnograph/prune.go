package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// checkPrune refuses arguments that do not say which documents could be gone.
func checkPrune(args []string, o ingestOptions) error {
	if !o.prune {
		return nil
	}
	for _, arg := range args {
		switch {
		case arg == "-" || isURL(arg) || strings.ContainsAny(arg, "*?[{"):
			return usageError{fmt.Errorf("--prune takes files and folders, not %s", arg)}
		case filepath.Clean(arg) == ".." || strings.HasPrefix(filepath.Clean(arg), ".."+string(filepath.Separator)):
			return usageError{fmt.Errorf("--prune takes no path above the current folder, such as %s: name it from the root", arg)}
		}
	}
	if o.path != "" {
		return usageError{errors.New("--prune and --path exclude each other")}
	}
	return nil
}

// gone lists the documents of the user that are named by the arguments, or lie below one, and are
// not among the files. What an agent keeps private was not ingested by this command.
func gone(ctx context.Context, c *client.Client, args []string, files []source, o ingestOptions) ([]client.Document, error) {
	namespace, user := o.namespace, o.user
	if namespace == "" {
		namespace = "default"
	}
	if user == "" {
		var err error
		if user, err = c.OwnUser(ctx); err != nil {
			return nil, err
		}
	}
	documents, err := c.Documents(ctx, namespace)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, f := range files {
		there[f.Path] = true
	}
	return slices.DeleteFunc(documents, func(d client.Document) bool {
		return d.User != user || d.Private || there[d.Path] || !slices.ContainsFunc(args, func(arg string) bool { return isBelow(d.Path, arg) })
	}), nil
}

// isBelow reports whether the path of a document is that of a file or folder of the command line, or
// of something in it.
func isBelow(document, arg string) bool {
	root := filepath.ToSlash(filepath.Clean(arg))
	switch {
	case root == ".":
		return !path.IsAbs(document) && filepath.VolumeName(document) == "" && !strings.HasPrefix(document, "../") && !isURL(document)
	case root == "/":
		return path.IsAbs(document)
	}
	return document == root || strings.HasPrefix(document, root+"/")
}

// prune removes the documents that are gone, or in a dry run only lists them.
func prune(ctx context.Context, env environment, c *client.Client, documents []client.Document, dryRun bool) (removed, ended int, err error) {
	for _, d := range documents {
		if dryRun {
			_, _ = printf(env.err, "would be removed: %s\n", d.Path)
			continue
		}
		n, err := c.RemoveDocument(ctx, d.ID)
		if err != nil {
			return removed, ended, fmt.Errorf("removing %s: %w", d.Path, err)
		}
		removed, ended = removed+1, ended+n
		_, _ = printf(env.err, "removed: %s\n", d.Path)
	}
	return removed, ended, nil
}
