package resolvers

import (
	"testing"
	"time"
)

func TestTimingsKeepTheLastSamples(t *testing.T) {
	x := newTimings(nil)
	for range samplesPerField {
		x.record("search", time.Hour) // evicted by later samples
	}
	for i := 1; i <= samplesPerField; i++ {
		x.record("search", time.Duration(i)*time.Millisecond)
	}
	x.record("remember", 2*time.Millisecond)
	got := x.report()
	if len(got) != 2 || got[0].Name != "search" || got[1].Name != "remember" {
		t.Fatalf("the order is %+v", got)
	}
	if s := got[0]; s.Count != 2*samplesPerField || s.P50Ms != 512 || s.P95Ms != 973 || s.P99Ms != 1014 || s.MaxMs != 1024 {
		t.Errorf("search: %+v", s)
	}
	if r := got[1]; r.Count != 1 || r.P50Ms != 2 || r.P99Ms != 2 || r.MaxMs != 2 {
		t.Errorf("remember: %+v", r)
	}
}
