package workspace

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// Renamed gives an error about a field the name that the API has for it.
func Renamed(err error, field string) error {
	var e *graph.Error
	if !errors.As(err, &e) || e.Field == "" {
		return err
	}
	other := *e
	other.Field = field
	return &other
}
