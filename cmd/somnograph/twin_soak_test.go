//go:build soak

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	outer "github.com/somnograph/somnograph/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// TestSoakTwin runs eight clients against a server for SOMNOGRAPH_SOAK (5m). Each has a twin that
// knows what must be true of its memories: what a read by id answers, what a search for a memory
// finds first, what was superseded, and what was erased and must never be seen again. A light
// sleep runs every minute. At the end an export is compared with all twins. One difference fails
// the test.
//
// RSS, goroutines, file descriptors and disk use are sampled 120 times. The first third is warm-up. The
// median of the last third may exceed that of the second by
//
//	RSS                 a fifth and 64 MiB
//	goroutines          a tenth and 20
//	file descriptors    a tenth and 20
//	disk                16 KiB per write in between (stubs, audit, feed) and 96 MiB (tables before
//	                    their merge)
//
// A client keeps at most 200 memories alive: what grows has another reason.
func TestSoakTwin(t *testing.T) {
	length, err := time.ParseDuration(cmp.Or(os.Getenv("SOMNOGRAPH_SOAK"), "5m"))
	if err != nil {
		t.Fatal(err)
	}
	dir, seed := t.TempDir(), rand.Uint64()
	t.Logf("seed %d, %s", seed, length)
	s := start(t, dir, "--metrics-addr", "127.0.0.1:0", "--log-level", "info", "--sleep-mode", "off", "--profile", cmp.Or(os.Getenv("SOAK_PROFILE"), "balanced"))
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	twins := make([]*twin, 8)
	var wg sync.WaitGroup
	for i := range twins {
		twins[i] = &twin{
			user: fmt.Sprintf("twin%d", i), c: s.client(), rnd: rand.New(rand.NewPCG(seed, uint64(i))), alive: map[string]string{}, past: map[string]string{}, counts: map[string]int{},
		}
		wg.Go(func() { twins[i].run(ctx) })
	}
	wg.Go(func() { lightSleeps(ctx, t, s.client()) })
	samples := sampleUse(ctx, t, s, dir, length/120, func() int {
		writes := 0
		for _, x := range twins {
			writes += x.writes()
		}
		return writes
	})
	wg.Wait()
	counts, divergences := map[string]int{}, 0
	for _, x := range twins {
		for what, n := range x.counts {
			counts[what] += n
		}
		divergences += len(x.faults)
		for _, f := range x.faults {
			t.Errorf("%s: %s", x.user, f)
		}
	}
	for _, f := range compareExport(t, s.client(), twins) {
		divergences++
		t.Error(f)
	}
	t.Logf("%d operations %v, %d divergences", total(counts), counts, divergences)
	judgeUse(t, samples)
	s.stop()
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// twin is a client with its knowledge of what must be true.
type twin struct {
	user string
	c    *client.Client
	rnd  *rand.Rand

	mu     sync.Mutex        // of counts, which the sampler reads
	counts map[string]int    // operations by kind
	alive  map[string]string // id to content
	order  []string          // ids of alive, the oldest first
	past   map[string]string // superseded contents by id
	erased []string          // contents that must never be seen again
	n      int               // of the last made-up text
	faults []string          // what differed from the twin
}

func (x *twin) writes() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.counts["remember"] + x.counts["supersede"] + x.counts["forget"]
}

func (x *twin) count(what string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counts[what]++
}

func (x *twin) fault(format string, args ...any) {
	if len(x.faults) < 20 {
		x.faults = append(x.faults, fmt.Sprintf(format, args...))
	}
}

// text is a new text. Its code word is in no other text.
func (x *twin) text() string {
	x.n++
	return fmt.Sprintf("Crate %s%05d was stowed in bay %d by the crew of the %s.", x.user, x.n, x.rnd.IntN(90), []string{"Heron", "Tern", "Gannet", "Plover"}[x.rnd.IntN(4)])
}

// code is the code word of a text.
func code(text string) string { return strings.Fields(text)[1] }

func (x *twin) run(ctx context.Context) {
	for ctx.Err() == nil && len(x.faults) < 20 {
		var err error
		switch dice := x.rnd.IntN(100); {
		case len(x.order) == 0 || dice < 20 && len(x.order) < 200:
			err = x.remember(ctx)
		case dice < 28:
			err = x.supersede(ctx)
		case dice < 36 || len(x.order) >= 200 && dice < 50:
			err = x.forget(ctx)
		case dice < 60:
			err = x.read(ctx)
		default:
			err = x.search(ctx)
		}
		var refused *outer.Error
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.As(err, &refused) && refused.Code == "RATE_LIMITED":
			x.count("refused")
			select {
			case <-ctx.Done():
			case <-time.After(refused.RetryAfter):
			}
		default:
			x.fault("%v", err)
		}
	}
}

// do runs an operation that is not cut off by the end of the soak: the twin must know its outcome. An
// operation that was UNAVAILABLE may have been done, and is repeated; writes have an idempotency key.
func (x *twin) do(ctx context.Context, query string, variables map[string]any, out any) error {
	for {
		err := x.c.Do(context.WithoutCancel(ctx), query, variables, out)
		var refused *outer.Error
		if !errors.As(err, &refused) || refused.Code != "UNAVAILABLE" {
			return err
		}
		x.count("repeated")
	}
}

// key is an idempotency key of the last text.
func (x *twin) key() string { return fmt.Sprintf("%s%05d", x.user, x.n) }

func (x *twin) remember(ctx context.Context) error {
	text := x.text()
	var out struct {
		Remember struct{ Memory struct{ ID string } }
	}
	err := x.do(ctx, `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`,
		map[string]any{"i": map[string]any{"content": text, "consent": "EXPLICIT", "user": x.user, "onDuplicate": "INSERT", "type": "EPISODIC", "idempotencyKey": x.key()}}, &out)
	if err == nil {
		x.count("remember")
		x.keep(out.Remember.Memory.ID, text)
	}
	return err
}

func (x *twin) keep(id, text string) {
	x.alive[id] = text
	x.order = append(x.order, id)
}

// pick returns a random memory that is alive.
func (x *twin) pick() (at int, id string) {
	at = x.rnd.IntN(len(x.order))
	return at, x.order[at]
}

func (x *twin) supersede(ctx context.Context) error {
	at, id := x.pick()
	text := x.text()
	var out struct {
		Supersede struct{ Memory struct{ ID string } }
	}
	err := x.do(ctx, `mutation($i:SupersedeInput!){supersede(input:$i){memory{id}}}`, map[string]any{"i": map[string]any{"id": id, "content": text, "authority": 1, "idempotencyKey": x.key()}}, &out)
	if err == nil {
		x.count("supersede")
		x.past[id] = x.alive[id]
		delete(x.alive, id)
		x.order = slices.Delete(x.order, at, at+1)
		x.keep(out.Supersede.Memory.ID, text)
	}
	return err
}

// forget erases a memory with its earlier versions.
func (x *twin) forget(ctx context.Context) error {
	at, id := x.pick()
	var out struct {
		Forget struct{ Receipt struct{ Status string } }
	}
	repeated := x.counts["repeated"]
	err := x.do(ctx, `mutation($i:ForgetInput!){forget(input:$i){receipt{status}}}`, map[string]any{"i": map[string]any{"ids": []string{id}}}, &out)
	var refused *outer.Error
	if x.counts["repeated"] > repeated && errors.As(err, &refused) && refused.Code == "MEMORY_NOT_FOUND" {
		err, out.Forget.Receipt.Status = nil, "COMPLETE" // the first try erased it
	}
	if err != nil {
		return err
	}
	x.count("forget")
	if out.Forget.Receipt.Status != "COMPLETE" {
		x.fault("the receipt of %s is %s", id, out.Forget.Receipt.Status)
	}
	x.erased = append(x.erased, x.alive[id])
	delete(x.alive, id)
	x.order = slices.Delete(x.order, at, at+1)
	return nil
}

func (x *twin) read(ctx context.Context) error {
	_, id := x.pick()
	var out struct {
		Memory *struct{ Content string }
	}
	err := x.do(ctx, `query($id:ID!){memory(id:$id){content}}`, map[string]any{"id": id}, &out)
	if err == nil {
		x.count("read")
		if out.Memory == nil || out.Memory.Content != x.alive[id] {
			x.fault("memory %s reads %v, want %q", id, out.Memory, x.alive[id])
		}
	}
	return err
}

// search asks for a memory that is alive, or for one that was erased.
func (x *twin) search(ctx context.Context) error {
	_, id := x.pick()
	want := x.alive[id]
	gone := len(x.erased) > 0 && x.rnd.IntN(4) == 0
	if gone {
		want = x.erased[x.rnd.IntN(len(x.erased))]
	}
	var out struct {
		Search struct {
			Degraded []string
			Hits     []struct{ Memory struct{ ID, Content string } }
		}
	}
	err := x.do(ctx, `query($i:SearchInput!){search(input:$i){degraded hits{memory{id content}}}}`,
		map[string]any{"i": map[string]any{"query": "Where was crate " + code(want) + " stowed?", "user": x.user, "topK": 5}}, &out)
	if err != nil {
		return err
	}
	x.count("search")
	for _, h := range out.Search.Hits {
		if m := h.Memory; x.alive[m.ID] != m.Content {
			x.fault("a search finds %s %q, which is not alive (it was superseded: %v)", m.ID, m.Content, x.past[m.ID] != "")
		}
	}
	if !gone && (len(out.Search.Hits) == 0 || out.Search.Hits[0].Memory.ID != id) {
		x.fault("a search for %s does not find %s first: %v, degraded %v; %s", code(want), id, out.Search.Hits, out.Search.Degraded, x.describe(ctx, id))
	}
	return nil
}

// describe is what the server knows of a memory, for a fault.
func (x *twin) describe(ctx context.Context, id string) string {
	var out any
	if err := x.do(ctx, `query($id:ID!){memory(id:$id){status tier retention authority confidence conflict validFrom validTo}}`, map[string]any{"id": id}, &out); err != nil {
		return err.Error()
	}
	return fmt.Sprint(out)
}

// lightSleeps starts a light sleep every minute.
func lightSleeps(ctx context.Context, t *testing.T, c *client.Client) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var out any
		if err := c.Do(ctx, `mutation{sleep(input:{deep:false}){report{id}}}`, nil, &out); err != nil && ctx.Err() == nil {
			t.Errorf("sleep: %v", err)
		}
	}
}

// compareExport compares an export with what the twins know.
func compareExport(t *testing.T, c *client.Client, twins []*twin) (faults []string) {
	var b strings.Builder
	if err := c.Export(t.Context(), &b); err != nil {
		return []string{err.Error()}
	}
	all := b.String()
	for _, x := range twins {
		for id, text := range x.alive {
			if !strings.Contains(all, text) || !strings.Contains(all, id) {
				faults = append(faults, fmt.Sprintf("%s: %s %q is not in the export", x.user, id, text))
			}
		}
		for _, text := range x.erased {
			if strings.Contains(all, text) {
				faults = append(faults, fmt.Sprintf("%s: %q was erased and is in the export", x.user, text))
			}
		}
	}
	return faults
}

// use is what the server uses at one sample.
type use struct {
	at                           time.Duration
	rss, goroutines, files, disk float64
	writes                       int
}

// sampleUse samples until ctx ends.
func sampleUse(ctx context.Context, t *testing.T, s *server, dir string, every time.Duration, writes func() int) (all []use) {
	metrics := s.metrics()
	began, tick := time.Now(), time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return all
		case <-tick.C:
		}
		_, _, body := metrics.get("/metrics")
		u := use{at: time.Since(began), writes: writes(), disk: float64(sizeOf(dir))}
		for line := range strings.Lines(body) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			into := map[string]*float64{"process_resident_memory_bytes": &u.rss, "go_goroutines": &u.goroutines, "process_open_fds": &u.files}[name]
			if into == nil {
				continue
			}
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Error(err)
			}
			*into = n
		}
		all = append(all, u)
	}
}

// sizeOf is the number of bytes that the files of a directory hold. Files may vanish meanwhile.
func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// judgeUse compares the last third of the samples with the second.
func judgeUse(t *testing.T, all []use) {
	if len(all) < 30 {
		t.Fatalf("only %d samples", len(all))
	}
	second, last := all[len(all)/3:len(all)*2/3], all[len(all)*2/3:]
	const MiB = 1 << 20
	written := float64(last[len(last)/2].writes - second[len(second)/2].writes)
	for _, x := range []struct {
		name string
		unit float64
		of   func(use) float64
		most func(before float64) float64
	}{
		{"RSS, MiB", MiB, func(u use) float64 { return u.rss }, func(b float64) float64 { return b*1.2 + 64*MiB }},
		{"goroutines", 1, func(u use) float64 { return u.goroutines }, func(b float64) float64 { return b*1.1 + 20 }},
		{"file descriptors", 1, func(u use) float64 { return u.files }, func(b float64) float64 { return b*1.1 + 20 }},
		{"disk, MiB", MiB, func(u use) float64 { return u.disk }, func(b float64) float64 { return b + written*(16<<10) + 96*MiB }},
	} {
		before, after := median(second, x.of), median(last, x.of)
		t.Logf("%-17s median %8.1f in the second third, %8.1f in the last, slope %+.2f a minute, allowed %.1f", x.name, before/x.unit, after/x.unit,
			slope(all[len(all)/3:], x.of)/x.unit, x.most(before)/x.unit)
		if after > x.most(before) {
			t.Errorf("%s grew from %.1f to %.1f", x.name, before/x.unit, after/x.unit)
		}
		if before == 0 {
			t.Errorf("%s was not measured", x.name)
		}
	}
	t.Logf("%.0f writes between the middles of both thirds", written)
}

func median(all []use, of func(use) float64) float64 {
	values := make([]float64, len(all))
	for i, u := range all {
		values[i] = of(u)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// slope is the least-squares slope per minute.
func slope(all []use, of func(use) float64) float64 {
	var sx, sy, sxx, sxy, n float64
	for _, u := range all {
		x, y := u.at.Minutes(), of(u)
		sx, sy, sxx, sxy, n = sx+x, sy+y, sxx+x*x, sxy+x*y, n+1
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
