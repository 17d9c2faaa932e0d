// Command words compares the word search of graph/index with bleve and SQLite's FTS5: the same
// made-up texts and questions, one client, in interleaved rounds. It is a module of its own, so
// that their dependencies are not dependencies of Somnograph. See run and docs/benchmarks.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

const limit = 10 // hits per question

// engine is a search engine that is measured. A text is identified by its number.
type engine interface {
	name() string
	// build indexes the texts. Afterwards they can be searched.
	build(texts []string) error
	// ask returns at most limit texts per question, best first, and the time of all questions.
	ask(questions []string) (hits [][]int, took time.Duration, err error)
	close() error
}

// figures holds the measurements of one engine. Agreement is the mean share of the first limit
// hits that are also among those of graph/index, in any order.
type figures struct {
	Engine           string
	BuildPerSecond   float64
	QueriesPerSecond float64 // median of the rounds
	Agreement        float64
}

func main() {
	n := flag.Int("texts", 100_000, "texts")
	q := flag.Int("questions", 500, "questions per round")
	rounds := flag.Int("rounds", 5, "number of rounds")
	seed := flag.Uint64("seed", 1, "seed of the texts")
	flag.Parse()
	if err := run(*n, *q, *rounds, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(n, q, rounds int, seed uint64) error {
	texts, questions := corpus(seed, n, q)
	engines := []engine{&ours{}, &bleved{}, &sqlite{}}
	all := make([]figures, len(engines))
	spent := make([][]time.Duration, len(engines))
	var first [][]int
	for i, e := range engines {
		defer e.close()
		runtime.GC()
		began := time.Now()
		if err := e.build(texts); err != nil {
			return fmt.Errorf("%s: build: %w", e.name(), err)
		}
		all[i] = figures{Engine: e.name(), BuildPerSecond: float64(n) / time.Since(began).Seconds()}
	}
	for round := range rounds + 1 { // the first warms up
		for i, e := range engines {
			hits, took, err := e.ask(questions)
			if err != nil {
				return fmt.Errorf("%s: ask: %w", e.name(), err)
			}
			switch {
			case round > 0:
				spent[i] = append(spent[i], took)
			case i == 0:
				first = hits
				fallthrough
			default:
				all[i].Agreement = agreement(first, hits)
			}
		}
	}
	for i := range all {
		slices.Sort(spent[i])
		all[i].QueriesPerSecond = float64(q) / spent[i][len(spent[i])/2].Seconds()
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{"Go": runtime.Version(), "Texts": n, "Questions": q, "Rounds": rounds, "Seed": seed, "Engines": all})
}

// agreement returns the mean share of a's hits that are also b's, over the questions with hits.
func agreement(a, b [][]int) float64 {
	sum, asked := 0.0, 0
	for i := range a {
		if len(a[i]) == 0 {
			continue
		}
		same := 0
		for _, x := range a[i] {
			if slices.Contains(b[i], x) {
				same++
			}
		}
		sum += float64(same) / float64(len(a[i]))
		asked++
	}
	return sum / float64(max(1, asked))
}
