package graph

import (
	"fmt"
	"testing"
)

// A damaged file of keys damages no single row: whoever leaves out damaged rows would leave out all of them.
func TestDamagedRow(t *testing.T) {
	row := fmt.Errorf("read: %w", ErrIntegrity)
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {ErrNotFound, false}, {row, true}, {fmt.Errorf("read: %w", &DamagedKeysError{Path: "keys/1", Err: row}), false},
	} {
		if got := DamagedRow(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}
