package proof

import (
	"fmt"
	"slices"
)

// KeyRanges writes numbers of keys as a receipt lists them: ascending, neighbours as a range such as
// 4097-4120.
func KeyRanges(numbers []uint64) (ranges []string) {
	sorted := slices.Compact(slices.Sorted(slices.Values(numbers)))
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[j-1]+1 {
			j++
		}
		if j == i+1 {
			ranges = append(ranges, fmt.Sprint(sorted[i]))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", sorted[i], sorted[j-1]))
		}
		i = j
	}
	return ranges
}
