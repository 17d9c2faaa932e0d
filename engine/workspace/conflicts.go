package workspace

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// Renamed returns an error about a field with the API's name of that field.
func Renamed(err error, field string) error {
	var e *graph.Error
	if !errors.As(err, &e) || e.Field == "" {
		return err
	}
	other := *e
	other.Field = field
	return &other
}
