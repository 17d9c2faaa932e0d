package bench

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// samples are n samples that take base, and extra more where busy, with a slow one in each block.
func samples(n int, base, extra time.Duration) []sample {
	out := make([]sample, n)
	for i := range out {
		took := base + time.Duration(i%block)*time.Microsecond
		if i%block == 7 {
			took *= 10
		}
		out[i] = sample{took: took + extra, processor: took + extra, allocated: 1024 * float64(took+extra) / float64(time.Microsecond)}
	}
	return out
}

func TestPairsFindAKnownRatio(t *testing.T) {
	const n = 20 * block
	r := compare(samples(n, time.Millisecond, 0), samples(n, time.Millisecond, 100*time.Microsecond), rand.New(rand.NewPCG(1, 1)))
	if r.N != n || r.Without.P50 != 1.016 || r.With.P50 != 1.116 {
		t.Errorf("n %d, medians %v and %v, want 1.016 and 1.116 ms", r.N, r.Without.P50, r.With.P50)
	}
	for name, x := range map[string]Ratio{"p50": r.P50, "p95": r.P95, "processor": r.Processor, "processor p95": r.Busy95, "allocated": r.Allocated} {
		if x.Value < 1.05 || x.Value > 1.11 || x.Low > x.Value || x.High < x.Value {
			t.Errorf("%s: %+v, want about 1.1 inside its interval", name, x)
		}
	}
}

// An interval of blocks that differ is wide.
func TestIntervalsShowHowSureARatioIs(t *testing.T) {
	const blocks = 20
	without, with := samples(blocks*block, time.Millisecond, 0), samples(blocks*block, time.Millisecond, 0)
	for i := range with {
		if i/block%2 == 0 {
			with[i].processor *= 2
		}
	}
	r := compare(without, with, rand.New(rand.NewPCG(1, 1)))
	if x := r.Processor; x.Low > 1.4 || x.High < 1.6 {
		t.Errorf("%+v, want an interval around 1.5 that is wide", x)
	}
	if x := r.P50; x.Low != 1 || x.High != 1 {
		t.Errorf("%+v, want 1", x)
	}
}

func TestBothWaysAreAskedTheSame(t *testing.T) {
	var asked [2][]string
	firsts := [2]int{}
	ask := func(way int) func(string) error {
		return func(q string) error {
			if asked[way] = append(asked[way], q); len(asked[way]) > len(asked[1-way]) {
				firsts[way]++
			}
			return nil
		}
	}
	flushed := 0
	p := &pairing{ask: [2]func(string) error{ask(0), ask(1)}, flush: func() error { flushed++; return nil }, rnd: rand.New(rand.NewPCG(1, 1))}
	questions := make([]string, 3*block)
	for i := range questions {
		questions[i] = string(rune('a' + i))
	}
	r, err := p.measure(questions)
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 2*block || len(asked[0]) != 3*block || len(asked[1]) != 3*block || flushed != 3 {
		t.Errorf("%d pairs, %d and %d questions, %d exports", r.N, len(asked[0]), len(asked[1]), flushed)
	}
	for i, q := range questions {
		if asked[0][i] != q || asked[1][i] != q {
			t.Fatalf("question %d is %q and %q, want %q", i, asked[0][i], asked[1][i], q)
		}
	}
	if firsts[0] < block || firsts[1] < block {
		t.Errorf("the first of the ways was %v times first", firsts)
	}
	want := errors.New("away")
	p.ask[1] = func(string) error { return want }
	if _, err := p.measure(questions); !errors.Is(err, want) {
		t.Errorf("error %v, want that of a search", err)
	}
}

func TestCheck(t *testing.T) {
	whole := Options{Memories: []int{10}, Searches: 1, Writes: 4}
	for _, c := range []struct {
		change func(*Options)
		traced bool
		ok     bool
	}{
		{func(*Options) {}, false, true},
		{func(o *Options) { o.Memories = []int{10, 0} }, false, false},
		{func(o *Options) { o.Searches = 0 }, false, false},
		{func(o *Options) { o.Writes = 3 }, false, false},
		{func(o *Options) { o.Paired = []string{PairClusters} }, false, true},
		{func(o *Options) { o.Paired = []string{PairTelemetry} }, true, true},
		{func(o *Options) { o.Paired = []string{PairTelemetry} }, false, false},
		{func(o *Options) { o.Paired = []string{"other"} }, true, false},
	} {
		o := whole
		c.change(&o)
		if err := o.Check(c.traced); (err == nil) != c.ok {
			t.Errorf("%+v, traced %v: %v", o, c.traced, err)
		}
	}
}
