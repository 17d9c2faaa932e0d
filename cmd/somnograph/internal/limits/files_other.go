//go:build !unix

package limits

import "log/slog"

// CheckFiles has nothing to look at: the system sets no limit of open files.
func CheckFiles(*slog.Logger) (limit uint64, err error) { return 0, nil }

// ProtectFiles does nothing: files have the access rights of their directory.
func ProtectFiles(string, *slog.Logger) {}
