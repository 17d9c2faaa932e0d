package httpd_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
)

// deadlines is a writer that has the last read deadline.
type deadlines struct {
	http.ResponseWriter
	read time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error { d.read = at; return nil }

// pieces is a body of which each piece takes some time.
type pieces struct {
	clock *time.Time
	next  func() (bytes int, takes time.Duration)
}

func (p pieces) Read(b []byte) (int, error) {
	n, takes := p.next()
	*p.clock = p.clock.Add(takes)
	return min(n, len(b)), nil
}

// A body has ten seconds without data, which it earns again by bringing 64 KiB a second, and 60 s in all.
func TestPacedBodies(t *testing.T) {
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		name  string
		most  time.Duration
		bytes int // each second
		ends  time.Duration
	}{
		{"a trickle", 0, 1, 10 * time.Second},
		{"half of the rate", 0, 32 << 10, 20 * time.Second},
		{"the rate", 0, 64 << 10, 0},
		{"the rate, of a body with an end", time.Minute, 64 << 10, time.Minute},
	} {
		now := start
		d := &deadlines{ResponseWriter: httptest.NewRecorder()}
		body := httpd.Paced(d, pieces{&now, func() (int, time.Duration) { return x.bytes, time.Second }}, x.most, func() time.Time { return now })
		buffer := make([]byte, 1<<20)
		for now.Sub(start) < 5*time.Minute {
			if _, err := body.Read(buffer); err != nil {
				t.Fatal(err)
			}
			if d.read.Before(now) { // the read would have failed
				break
			}
		}
		if ended := d.read.Sub(start).Round(time.Second); x.ends == 0 && now.Sub(start) < 5*time.Minute || x.ends > 0 && ended != x.ends {
			t.Errorf("%s ends after %v, want %v", x.name, ended, x.ends)
		}
		if x.ends != 0 {
			continue
		}
		// What came fast earns no longer pause, and what the server does between two reads does not count.
		now = now.Add(time.Hour)
		if _, err := body.Read(buffer); err != nil || d.read.Sub(now) > 9*time.Second || d.read.Sub(now) < 8*time.Second {
			t.Errorf("after a pause of the server: %v, %v", d.read.Sub(now), err)
		}
	}
}
