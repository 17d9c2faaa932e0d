package decay

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// goldenCase is one entry of testdata/golden.json. The values were computed with 40 digits, by
// a scan over all events instead of Anchor's search.
type goldenCase struct {
	Name                             string
	Class                            graph.DecayClass
	K                                float64
	CreatedAt, AnchorAt, LastUse, At int64 // ms since 1970; 0: none (CreatedAt and At: 1970)
	Days                             []int32
	Usage                            int
	Important, Permanent             bool
	Confidence, Rate, Retention      float64
	Anchor                           int64
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func TestGolden(t *testing.T) {
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 40 {
		t.Fatalf("%d golden cases, fewer than 40", len(cases))
	}
	for _, c := range cases {
		m := Memory{
			Class: c.Class, K: c.K, CreatedAt: time.UnixMilli(c.CreatedAt), AnchorAt: instant(c.AnchorAt),
			Days: c.Days, LastUse: instant(c.LastUse), Usage: c.Usage,
			Important: c.Important, Confidence: c.Confidence, Permanent: c.Permanent,
		}
		x := time.UnixMilli(c.At)
		if got := Anchor(m, x); got.UnixMilli() != c.Anchor {
			t.Errorf("%s: anchor %d, want %d", c.Name, got.UnixMilli(), c.Anchor)
		}
		if got := Rate(m); !c.Permanent && math.Abs(got-c.Rate) > 1e-15+1e-14*c.Rate {
			t.Errorf("%s: k %v, want %v", c.Name, got, c.Rate)
		}
		if got := RetentionAt(m, x); math.Abs(got-c.Retention) > 1e-13 {
			t.Errorf("%s: retention %v, want %v", c.Name, got, c.Retention)
		}
	}
}
