// Command train computes the data of package reader and writes it: the weights of the words from
// generated pairs, from names of towns and of products the weights of their letters, and from written pairs the weights of the wording and the
// trees, which read both. The same seed and number of
// pairs give the same bytes.
//
//	go run ./engine/reader/train -seed 1 -pairs 120000 -o engine/reader/data
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/somnograph/somnograph/engine/reader/linear"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the generated pairs and of their order")
	pairs := flag.Int("pairs", 120000, "number of pairs")
	out := flag.String("o", "engine/reader/data", "directory of weights.bin, wording.bin and trees.bin; letters.bin is beside it, in toponym")
	only := flag.Bool("trees", false, "keep weights.bin and compute the rest only")
	flag.Parse()
	if err := run(*seed, *pairs, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(seed uint64, pairs int, dir string, only bool) error {
	log := func(line string) { fmt.Println(line) }
	weights := filepath.Join(dir, "weights.bin")
	var m *linear.Model
	if only {
		data, err := os.ReadFile(weights)
		if err != nil {
			return err
		}
		if m, err = linear.Read(data); err != nil {
			return err
		}
	} else {
		m = Train(seed, pairs, log)
		data := m.AppendTo(nil)
		if err := os.WriteFile(weights, data, 0o644); err != nil {
			return err
		}
		m, _ = linear.Read(data)
	}
	letters := filepath.Join(dir, "..", "toponym", "letters.bin")
	if err := os.WriteFile(letters, TrainLetters(seed, names()).Bytes(), 0o644); err != nil {
		return err
	}
	f, words := TrainTrees(seed, m, log)
	if err := os.WriteFile(filepath.Join(dir, "wording.bin"), words.AppendTo(nil), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "trees.bin"), f.AppendTo(nil), 0o644)
}
