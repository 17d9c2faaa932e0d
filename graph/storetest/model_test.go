package storetest_test

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

func TestModel(t *testing.T) {
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store {
			m := storetest.NewModel()
			t.Cleanup(func() {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			})
			return m
		},
	})
}
