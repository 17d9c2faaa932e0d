package ingest_test

import "testing"

// What is said of another person, another thing of one kind, one occasion or an increment ends and contests nothing.
func TestApart(t *testing.T) {
	wantRestated(t, "apart_dev.txt", limits{first: 95, ended: 95})
}
