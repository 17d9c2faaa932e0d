package dgraphtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
)

// Main runs the tests of a package with a shared cluster. TestMain calls it:
//
//	func TestMain(m *testing.M) { os.Exit(dgraphtest.Main(m, &cluster)) }
func Main(m *testing.M, cluster **Cluster) int {
	code, err := run(m, cluster)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func run(m *testing.M, cluster **Cluster) (code int, err error) {
	dir, err := os.MkdirTemp("", "dgraph")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := Start(context.Background(), dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	*cluster = c
	return m.Run(), nil
}
