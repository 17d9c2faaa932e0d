//go:build !unix

package main

import "log/slog"

// checkFiles has nothing to look at: the system sets no limit of open files.
func checkFiles(*slog.Logger) (limit uint64, err error) { return 0, nil }

// protectFiles does nothing: files have the access rights of their directory.
func protectFiles(string, *slog.Logger) {}
