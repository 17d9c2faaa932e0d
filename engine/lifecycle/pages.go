package lifecycle

import (
	"strconv"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// MaxPages is how often the page of a project's month is written, if each is withdrawn by a rollback.
const MaxPages = 32

// PageID returns the id of the n-th page of a project for the month that ended at the instant.
// A month has one page, however many sleeps run; each rollback that withdraws it makes room for the
// next one.
func PageID(ended time.Time, namespace, user, project string, n int) (graph.ID, error) {
	parts := []string{"page", namespace, user, project}
	if n > 1 {
		parts = append(parts, strconv.Itoa(n))
	}
	return graph.DerivedID(ended, parts...)
}

// PageMonth returns the month of a project's page, and whether x is one.
func PageMonth(x *graph.Memory) (time.Time, bool, error) {
	raw, err := x.ID.Bytes()
	if err != nil || x.Project == "" {
		return time.Time{}, false, err
	}
	ms := int64(0)
	for _, b := range raw[:6] {
		ms = ms<<8 | int64(b)
	}
	ended := time.UnixMilli(ms).UTC()
	for n := 1; n <= MaxPages; n++ {
		id, err := PageID(ended, x.Namespace, x.User, x.Project, n)
		if err != nil || id == x.ID {
			return ended.AddDate(0, -1, 0), err == nil, err
		}
	}
	return time.Time{}, false, nil
}
