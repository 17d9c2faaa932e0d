package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/somnograph/somnograph/viz/umap"
)

// drawing holds the times and the quality of one map.
type drawing struct {
	Wall, CPU float64 // seconds
	Digest    string  `json:",omitempty"` // of the bytes of the positions
	Quality   *umap.Quality
}

// set compares both programs on the same vectors: medians, and the ratios of each round.
type set struct {
	Kind               string
	Memories, Rounds   int
	Ours, OursOneCore  *drawing
	Theirs             *drawing
	TimesFaster        float64 // umap-js / viz/umap, elapsed time, all cores
	TimesFasterOneCore float64 // elapsed time, one core
	TimesFasterCPU     float64 // processor time, one core
	SameBytesAnyCores  bool
	PreservationGain   float64 // viz/umap − umap-js
}

func compare(ctx context.Context, dir string, k kind, n, rounds int) (*set, error) {
	in := k.vectors(n)
	file := filepath.Join(dir, "vectors")
	if err := write(file, in); err != nil {
		return nil, err
	}
	s := &set{Kind: k.Name, Memories: n, Rounds: rounds, SameBytesAnyCores: true}
	var ours, one, theirs []*drawing
	var wall, wallOne, cpu []float64
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "%d memories, %s, round %d of %d\n", n, k.Name, round+1, rounds)
		a, places, err := draw(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		procs := runtime.GOMAXPROCS(1)
		b, _, err := draw(ctx, in, 1)
		runtime.GOMAXPROCS(procs)
		if err != nil {
			return nil, err
		}
		c, others, err := drawOther(ctx, file, n, round+1)
		if err != nil {
			return nil, err
		}
		if round == 0 {
			if a.Quality, err = judge(ctx, in, places); err != nil {
				return nil, err
			}
			b.Quality = a.Quality
		}
		// The map of umap-js depends on the seed, so every round is evaluated.
		if c.Quality, err = judge(ctx, in, others); err != nil {
			return nil, err
		}
		s.SameBytesAnyCores = s.SameBytesAnyCores && a.Digest == b.Digest && a.Digest == first(ours, a).Digest
		ours, one, theirs = append(ours, a), append(one, b), append(theirs, c)
		wall, wallOne, cpu = append(wall, c.Wall/a.Wall), append(wallOne, c.Wall/b.Wall), append(cpu, c.CPU/b.CPU)
	}
	s.Ours, s.OursOneCore, s.Theirs = middle(ours), middle(one), middle(theirs)
	s.Ours.Quality, s.OursOneCore.Quality = ours[0].Quality, ours[0].Quality
	s.TimesFaster, s.TimesFasterOneCore, s.TimesFasterCPU = median(wall), median(wallOne), median(cpu)
	s.PreservationGain = s.Ours.Quality.Preservation - s.Theirs.Quality.Preservation
	return s, nil
}

func first(list []*drawing, or *drawing) *drawing {
	if len(list) > 0 {
		return list[0]
	}
	return or
}

// draw computes a map with viz/umap.
func draw(ctx context.Context, in [][]float32, workers int) (*drawing, [][3]float32, error) {
	runtime.GC()
	began, used := time.Now(), processor()
	m, err := umap.Fit(ctx, in, umap.Options{Workers: workers})
	if err != nil {
		return nil, nil, err
	}
	d := &drawing{Wall: time.Since(began).Seconds(), CPU: processor() - used}
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, m.Places); err != nil {
		return nil, nil, err
	}
	d.Digest = hex.EncodeToString(h.Sum(nil)[:8])
	return d, m.Places, nil
}

// processor returns the processor time of this process, in seconds.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// drawOther computes a map with umap-js.
func drawOther(ctx context.Context, file string, n, seed int) (*drawing, [][3]float32, error) {
	out := file + ".places"
	cmd := exec.CommandContext(ctx, "node", "umapjs.mjs", file, out, strconv.Itoa(dim), strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("umap-js: %w", err)
	}
	d := &drawing{}
	if err := json.Unmarshal(said, d); err != nil {
		return nil, nil, fmt.Errorf("umap-js said %q: %w", said, err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		return nil, nil, err
	}
	places := make([][3]float32, n)
	_, err = binary.Decode(b, binary.LittleEndian, places)
	return d, places, err
}

func judge(ctx context.Context, in [][]float32, places [][3]float32) (*umap.Quality, error) {
	q, err := umap.Evaluate(ctx, in, places, 10)
	return &q, err
}

func write(file string, in [][]float32) error {
	var b []byte
	for _, v := range in {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return os.WriteFile(file, b, 0o600)
}

// middle returns a drawing with the median times and quality.
func middle(list []*drawing) *drawing {
	of := func(f func(*drawing) float64) float64 {
		var all []float64
		for _, d := range list {
			all = append(all, f(d))
		}
		return median(all)
	}
	m := &drawing{Wall: of(func(d *drawing) float64 { return d.Wall }), CPU: of(func(d *drawing) float64 { return d.CPU }), Digest: list[0].Digest}
	if list[len(list)-1].Quality != nil {
		m.Quality = &umap.Quality{
			Preservation:    of(func(d *drawing) float64 { return d.Quality.Preservation }),
			Trustworthiness: of(func(d *drawing) float64 { return d.Quality.Trustworthiness }),
		}
	}
	return m
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
