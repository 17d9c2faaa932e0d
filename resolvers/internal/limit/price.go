package limit

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"
)

// Divisors of the parts of a price. They are estimates: a unit is meant to be about 0.1 ms of processor
// time, and an ACCURATE search with a question of 6 KiB about 40 ms.
const (
	workBytes = 64      // bytes of a question per unit, at effort FAST
	inBytes   = 1 << 10 // bytes of arguments per unit
)

// efforts are the weights of the efforts of a search.
var efforts = map[string]int{"FAST": 1, "BALANCED": 2, "ACCURATE": 4}

// defaultEffort is the weight of a search that names no effort.
const defaultEffort = 2

// Price is what a valid operation takes from a rate limit: its Cost, the Work of each of its
// questions, and one unit for each KiB of its arguments.
func Price(op *ast.OperationDefinition, vars map[string]any) int {
	sum := Cost(op, vars)
	for _, f := range rootFields(op.SelectionSet) {
		args := f.ArgumentMap(vars)
		sum += In(valueSize(args))
		for _, given := range []any{args, args["input"]} {
			in, ok := given.(map[string]any)
			if !ok {
				continue
			}
			if question, ok := in["query"].(string); ok {
				effort, _ := in["effort"].(string)
				sum += Work(effort, len(question))
			}
		}
		sum = min(sum, math.MaxInt32)
	}
	return sum
}

// Work is the price of answering a question of so many bytes with an effort: the weight of the
// effort times the bytes. An unknown effort is BALANCED.
func Work(effort string, bytes int) int {
	weight, known := efforts[effort]
	if !known {
		weight = defaultEffort
	}
	return weight * bytes / workBytes
}

// In is the price of receiving so many bytes.
func In(bytes int) int { return bytes / inBytes }
