package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ticks is the number of Linux's units of processor time per second.
const ticks = 100

// spent returns the processor time of each process so far, that of this one as "asker".
// Processes that can't be read are omitted.
func (l *load) spent() map[string]time.Duration {
	all := map[string]time.Duration{}
	if l.pids == "" {
		return all
	}
	files, err := filepath.Glob(filepath.Join(l.pids, "*.pid"))
	if err != nil {
		return all
	}
	for _, file := range append(files, "") {
		name, pid := strings.TrimSuffix(filepath.Base(file), ".pid"), []byte("self")
		if file == "" {
			name = "asker"
		} else if pid, err = os.ReadFile(file); err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "stat"))
		_, rest, ok := strings.Cut(string(stat), ") ") // after the name, which may contain anything
		words := strings.Fields(rest)
		if err != nil || !ok || len(words) < 13 {
			continue
		}
		var user, system int64
		if _, err := fmt.Sscan(words[11]+" "+words[12], &user, &system); err != nil {
			continue
		}
		all[name] = time.Duration(user+system) * time.Second / ticks
	}
	return all
}

// tellSpent prints the processor time of each process since then, in total and per request.
func (l *load) tellSpent(before map[string]time.Duration, asked int) {
	sum := time.Duration(0)
	after := l.spent()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		took := after[name] - before[name]
		sum += took
		fmt.Printf("%-12s %6.1f s of processor time, %5.2f ms a request\n", name, took.Seconds(), took.Seconds()*1000/float64(max(1, asked)))
	}
	if len(after) > 0 {
		fmt.Printf("%-12s %6.1f s of processor time, %5.2f ms a request\n", "all", sum.Seconds(), sum.Seconds()*1000/float64(max(1, asked)))
	}
}
