package badgerstore

import (
	"fmt"
	"log/slog"
	"strings"
)

// badgerLogger passes on Badger's warnings and errors, and waits with a table until there is space
// for it.
type badgerLogger struct {
	log   *slog.Logger
	guard *diskGuard // nil: the store is in memory
}

func (l badgerLogger) Errorf(format string, args ...any)   { l.log.Error(logLine(format, args)) }
func (l badgerLogger) Warningf(format string, args ...any) { l.log.Warn(logLine(format, args)) }
func (l badgerLogger) Infof(string, ...any)                {}
func (l badgerLogger) Debugf(format string, _ ...any)      { l.guard.awaitTable(format) }

func logLine(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}
