package badgerstore

import (
	"fmt"
	"log/slog"
	"strings"
)

// badgerLogger passes on Badger's warnings and errors.
type badgerLogger struct{ log *slog.Logger }

func (l badgerLogger) Errorf(format string, args ...any)   { l.log.Error(logLine(format, args)) }
func (l badgerLogger) Warningf(format string, args ...any) { l.log.Warn(logLine(format, args)) }
func (l badgerLogger) Infof(string, ...any)                {}
func (l badgerLogger) Debugf(string, ...any)               {}

func logLine(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}
