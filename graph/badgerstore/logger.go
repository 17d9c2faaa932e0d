package badgerstore

import (
	"fmt"
	"log/slog"
	"strings"
)

// badgerLog passes warnings and errors of Badger on.
type badgerLog struct{ log *slog.Logger }

func (l badgerLog) Errorf(format string, args ...any)   { l.log.Error(line(format, args)) }
func (l badgerLog) Warningf(format string, args ...any) { l.log.Warn(line(format, args)) }
func (l badgerLog) Infof(string, ...any)                {}
func (l badgerLog) Debugf(string, ...any)               {}

func line(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}
