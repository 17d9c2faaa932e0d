// Command umap compares viz/umap with umap-js: maps of the same made-up vectors, in interleaved
// rounds, with the same measure of quality. See run and docs/benchmarks.md.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

const dim = 384

func main() {
	rounds := flag.Int("rounds", 3, "number of maps per program and set; the figures are medians")
	sizes := flag.String("sizes", "5000,20000", "sizes of the sets that both programs draw")
	nights := flag.Int("nights", 5000, "memories after the last of ten nights with 5 % new ones each; 0: none")
	large := flag.Int("large", 100_000, "size of a set that only viz/umap draws, once; 0: none")
	flag.Parse()
	if err := run(context.Background(), *rounds, *sizes, *nights, *large); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// result holds all figures.
type result struct {
	Go, Machine string
	CPUs        int
	Sets        []*set     `json:",omitempty"`
	Nights      []*nightly `json:",omitempty"`
	Large       *drawing   `json:",omitempty"`
}

func run(ctx context.Context, rounds int, sizes string, nights, large int) error {
	dir, err := os.MkdirTemp("", "umap")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := result{Go: runtime.Version(), Machine: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU()}
	for field := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("--sizes: %w", err)
		}
		for _, kind := range kinds {
			s, err := compare(ctx, dir, kind, n, rounds)
			if err != nil {
				return err
			}
			r.Sets = append(r.Sets, s)
		}
	}
	if nights > 0 {
		for _, kind := range kinds {
			s, err := tenNights(ctx, kind, nights)
			if err != nil {
				return err
			}
			r.Nights = append(r.Nights, s)
		}
	}
	if large > 0 {
		fmt.Fprintf(os.Stderr, "%d memories\n", large)
		d, _, err := draw(ctx, lowRank.vectors(large), 0)
		if err != nil {
			return err
		}
		r.Large = d
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
