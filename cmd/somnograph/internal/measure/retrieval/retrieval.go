// Package retrieval computes recall, mean reciprocal rank and latency percentiles of searches
// for questions whose evidence is known, and tables of them.
package retrieval

import (
	"math"
	"slices"
	"time"
)

// Depth is the number of hits per question.
const Depth = 10

// Answer is the result of the search for one question.
type Answer struct {
	Category string
	Evidence []string      // keys of the evidence, at least one
	Found    []string      // keys of the hits, best first
	Latency  time.Duration // seen by the client
}

// Recall is the share of the evidence that is among the first k keys found, in [0,1]. A key
// found twice counts once, but takes two places.
func Recall(found, evidence []string, k int) float64 {
	wanted := set(evidence)
	if len(wanted) == 0 {
		return 0
	}
	got := 0
	for key := range set(found[:min(k, len(found))]) {
		if wanted[key] {
			got++
		}
	}
	return float64(got) / float64(len(wanted))
}

// Precision is the share of the keys found that are evidence, in [0,1]; 0 if none is found. A key
// found twice counts once as evidence.
func Precision(found, evidence []string) float64 {
	if len(found) == 0 {
		return 0
	}
	return Recall(found, evidence, len(found)) * float64(len(set(evidence))) / float64(len(found))
}

// ReciprocalRank is 1 ÷ the rank of the first evidence among the first Depth keys found; 0 if
// there is none (Voorhees, TREC-8 question answering track).
func ReciprocalRank(found, evidence []string) float64 {
	for i, key := range found[:min(Depth, len(found))] {
		if slices.Contains(evidence, key) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Percentile is the smallest value that at least a share p, in (0,1], of the values do not
// exceed (nearest rank); 0 if there are none.
func Percentile(values []time.Duration, p float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

// Row is the mean over the questions of one category.
type Row struct {
	Category  string  `json:"category"`
	Questions int     `json:"questions"`
	R5        float64 `json:"r5"`
	R10       float64 `json:"r10"`
	MRR       float64 `json:"mrr"`
	Precision float64 `json:"precision"`
	Hits      float64 `json:"hits"` // per question
	P50       float64 `json:"p50Ms"`
	P95       float64 `json:"p95Ms"`
}

// All is the category of the row over all questions.
const All = "all"

// Table returns one row per category in alphabetical order and, last, one over all questions,
// each of which has the same weight.
func Table(answers []Answer) []Row {
	by := map[string][]Answer{}
	for _, a := range answers {
		by[a.Category] = append(by[a.Category], a)
	}
	var names []string
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	var rows []Row
	for _, name := range names {
		rows = append(rows, mean(name, by[name]))
	}
	return append(rows, mean(All, answers))
}

func mean(category string, answers []Answer) Row {
	row := Row{Category: category, Questions: len(answers)}
	if len(answers) == 0 {
		return row
	}
	latencies := make([]time.Duration, len(answers))
	for i, a := range answers {
		row.R5 += Recall(a.Found, a.Evidence, 5)
		row.R10 += Recall(a.Found, a.Evidence, Depth)
		row.MRR += ReciprocalRank(a.Found, a.Evidence)
		row.Precision += Precision(a.Found, a.Evidence)
		row.Hits += float64(len(a.Found))
		latencies[i] = a.Latency
	}
	n := float64(len(answers))
	row.R5, row.R10, row.MRR = row.R5/n, row.R10/n, row.MRR/n
	row.Precision, row.Hits = row.Precision/n, row.Hits/n
	row.P50, row.P95 = Millis(Percentile(latencies, 0.50)), Millis(Percentile(latencies, 0.95))
	return row
}

// Millis is a duration in milliseconds.
func Millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func set(keys []string) map[string]bool {
	s := make(map[string]bool, len(keys))
	for _, k := range keys {
		s[k] = true
	}
	return s
}
