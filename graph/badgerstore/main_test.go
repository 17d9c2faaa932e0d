package badgerstore_test

import (
	"os"
	"testing"
)

// TestMain is also the program that the fault tests run and kill: see writer_test.go.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(write(dir))
	}
	os.Exit(m.Run())
}
