// Command train computes the weights of package reader from generated pairs and writes them.
// The same seed and number of pairs give the same bytes.
//
//	go run ./engine/reader/train -seed 1 -pairs 120000 -o engine/reader/data/weights.bin
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the generated pairs and of their order")
	pairs := flag.Int("pairs", 120000, "number of pairs")
	out := flag.String("o", "engine/reader/data/weights.bin", "file to write")
	flag.Parse()
	m := Train(*seed, *pairs, func(line string) { fmt.Println(line) })
	if err := os.WriteFile(*out, m.AppendTo(nil), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
