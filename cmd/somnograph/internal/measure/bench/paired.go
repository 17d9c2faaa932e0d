package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
)

// Pairs compares searches in two ways that differ in one thing. Each question is asked both ways, one after the other, in an order that
// is drawn. What else the machine does, a growing store and a question that takes long thus meet both ways alike.
//
// Durations say little while others use the machine; the processor time of a search says the same then as else.
//
// The durations are those of one client that waits for each answer. They leave out what a server does beside its requests: collections of
// garbage, which are put off meanwhile, and exports of spans as long as a processor is free for them. Processor has both. A collection is
// counted by what each way allocates, and an export for the way that made the spans. Nobody reads the metrics meanwhile, and the
// collector of spans is another process, so what these two take is left out.
type Pairs struct {
	N       int   `json:"n"`
	Without Means `json:"without"`
	With    Means `json:"with"`
	// The ratios are those of the way with to the way without.
	P50       Ratio `json:"p50"`
	P95       Ratio `json:"p95"`
	Processor Ratio `json:"processor"`
	Busy95    Ratio `json:"processorP95"` // of single searches, without collections and exports
	Allocated Ratio `json:"allocated"`
}

// Means are the figures of one way.
type Means struct {
	P50       float64 `json:"p50Ms"`
	P95       float64 `json:"p95Ms"`
	Processor float64 `json:"processorMs"` // of the process, per search
	Busy95    float64 `json:"processorP95Ms"`
	Collected float64 `json:"collectionMs"` // of it for the collection of what was allocated
	Exported  float64 `json:"exportMs"`     // of it for the export of spans
	Allocated float64 `json:"allocatedKiB"`
}

// Ratio is a ratio and its 95 % confidence interval.
type Ratio struct {
	Value float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

const (
	block     = 32   // pairs between two exports; they are drawn together for the interval
	resamples = 1000 // of the bootstrap
	garbage   = 256 << 20
)

// sample is one search.
type sample struct {
	took, processor     time.Duration
	collected, exported float64 // milliseconds of processor time
	allocated           float64 // bytes
}

// pairing asks questions in two ways; the second is the one with the thing that is measured.
type pairing struct {
	ask   [2]func(question string) error
	flush func() error // exports the spans of the second way; nil: there are none
	rnd   *rand.Rand
}

// measure asks each question both ways. The first block of questions is not counted.
func (p *pairing) measure(questions []string) (Pairs, error) {
	limit := debug.SetMemoryLimit(math.MaxInt64)
	percent := debug.SetGCPercent(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	var c collections
	c.collect()
	var ways [2][]sample
	for at := 0; at < len(questions); at += block {
		part := questions[at:min(at+block, len(questions))]
		if c.due() {
			c.collect()
		}
		for _, q := range part {
			first := p.rnd.IntN(2)
			for _, way := range [2]int{first, 1 - first} {
				s, err := p.once(way, q)
				if err != nil {
					return Pairs{}, err
				}
				ways[way] = append(ways[way], s)
			}
		}
		if p.flush == nil {
			continue
		}
		before := processorTime()
		if err := p.flush(); err != nil {
			return Pairs{}, err
		}
		each := retrieval.Millis(processorTime()-before) / float64(len(part))
		for i := range part {
			ways[1][at+i].exported = each
		}
	}
	c.collect()
	perByte := retrieval.Millis(c.spent) / (c.live * float64(max(percent, 1)) / 100)
	for _, w := range ways {
		for i := range w {
			w[i].collected = w[i].allocated * perByte
		}
	}
	if len(questions) <= block {
		return Pairs{}, fmt.Errorf("bench: %d pairs are too few", len(questions))
	}
	return compare(ways[0][block:], ways[1][block:], p.rnd), nil
}

// once asks a question one way.
func (p *pairing) once(way int, question string) (s sample, err error) {
	bytes, used, began := allocated(), processorTime(), time.Now()
	err = p.ask[way](question)
	s.took = time.Since(began)
	s.processor, s.allocated = processorTime()-used, allocated()-bytes
	return s, err
}

// allocated is the number of bytes that the process has allocated on its heap.
func allocated() float64 {
	read := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(read)
	return float64(read[0].Value.Uint64())
}

// collections are those of the garbage between blocks.
type collections struct {
	spent time.Duration // processor time
	live  float64       // bytes that were left, in all of them
	at    float64       // allocated at the last one
}

// due reports whether there is much garbage.
func (c *collections) due() bool { return allocated()-c.at > garbage }

// collect collects the garbage.
func (c *collections) collect() {
	before := processorTime()
	runtime.GC()
	c.spent += processorTime() - before
	read := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(read)
	c.live, c.at = c.live+float64(read[0].Value.Uint64()), allocated()
}

// compare returns the figures of both ways. The intervals are by the bootstrap over blocks of pairs (Efron, "Bootstrap Methods", Annals of
// Statistics 7, 1979; in blocks, because what follows each other is alike).
func compare(without, with []sample, rnd *rand.Rand) Pairs {
	ways := [2]way{newWay(without), newWay(with)}
	blocks := (len(without) + block - 1) / block
	once := slices.Repeat([]int{1}, blocks)
	r := Pairs{N: len(without), Without: ways[0].means(once), With: ways[1].means(once)}
	ratios := func(a, b Means) [5]float64 {
		return [5]float64{b.P50 / a.P50, b.P95 / a.P95, b.Processor / a.Processor, b.Busy95 / a.Busy95, b.Allocated / a.Allocated}
	}
	var drawn [5][]float64
	for range resamples {
		times := make([]int, blocks)
		for range blocks {
			times[rnd.IntN(blocks)]++
		}
		for i, x := range ratios(ways[0].means(times), ways[1].means(times)) {
			drawn[i] = append(drawn[i], x)
		}
	}
	for i, x := range ratios(r.Without, r.With) {
		slices.Sort(drawn[i])
		*[]*Ratio{&r.P50, &r.P95, &r.Processor, &r.Busy95, &r.Allocated}[i] = Ratio{x, drawn[i][resamples*25/1000], drawn[i][resamples*975/1000-1]}
	}
	return r
}

// way is the samples of one way.
type way struct {
	samples      []sample
	took, worked []int // the samples by duration and by processor time
}

func newWay(samples []sample) way {
	by := func(of func(sample) time.Duration) []int {
		order := make([]int, len(samples))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(of(samples[a]), of(samples[b])) })
		return order
	}
	return way{samples, by(func(s sample) time.Duration { return s.took }), by(func(s sample) time.Duration { return s.processor })}
}

// means returns the figures with each block counted as often as times says.
func (w way) means(times []int) (m Means) {
	n := 0
	for i, s := range w.samples {
		t := times[i/block]
		n += t
		m.Collected += float64(t) * s.collected
		m.Exported += float64(t) * s.exported
		m.Processor += float64(t) * (retrieval.Millis(s.processor) + s.collected + s.exported)
		m.Allocated += float64(t) * s.allocated / 1024
	}
	for _, x := range []*float64{&m.Collected, &m.Exported, &m.Processor, &m.Allocated} {
		*x /= float64(n)
	}
	percentile := func(order []int, p float64) int {
		seen, nearest := 0, int(math.Ceil(p*float64(n)))
		return order[slices.IndexFunc(order, func(i int) bool { seen += times[i/block]; return seen >= nearest })]
	}
	m.P50, m.P95 = retrieval.Millis(w.samples[percentile(w.took, 0.5)].took), retrieval.Millis(w.samples[percentile(w.took, 0.95)].took)
	m.Busy95 = retrieval.Millis(w.samples[percentile(w.worked, 0.95)].processor)
	return m
}
