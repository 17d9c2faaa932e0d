package noninterference_test

import (
	"testing"

	"github.com/somnograph/somnograph/internal/dgraphtest"
)

func TestOnDgraph(t *testing.T) { dgraphtest.Again(t) }
