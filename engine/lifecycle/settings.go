package lifecycle

import (
	"encoding/json"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// ReadSetting decodes the JSON of a setting and reports whether it is set.
func ReadSetting(r graph.Reader, name string, into any) (bool, error) {
	text, err := r.Setting(name)
	if known, err := graph.Found(err); !known {
		return false, err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return false, fmt.Errorf("%w: setting %s: %w", graph.ErrIntegrity, name, err)
	}
	return true, nil
}

// PutSetting writes a setting as JSON.
func PutSetting(tx graph.Tx, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.PutSetting(name, text)
}
