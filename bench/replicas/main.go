// Command replicas sends requests to several servers of one store at a fixed rate: 70 % searches,
// 20 % writes, 10 % adjudications, to each server in turn. It prints latencies, failures, and the
// goroutines and memory of the servers before and after.
//
//	go run ./bench/replicas -servers http://127.0.0.1:8420,http://127.0.0.1:8421 \
//		-metrics 127.0.0.1:9420,127.0.0.1:9421 -fill 2000 -rate 50 -for 90s
//
// A request is sent at its time even if earlier ones are unanswered. So a slow server shows in the
// latencies and does not lower the rate.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// The GraphQL documents.
const (
	searchQuery     = `query($i:SearchInput!){search(input:$i){hits{memory{id} score}}}`
	rememberMany    = `mutation($i:[RememberInput!]!){rememberMany(input:$i){memory{id}}}`
	rememberQuery   = `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`
	adjudicateQuery = `mutation($i:AdjudicateInput!){adjudicate(input:$i){decision}}`
)

// rateLimited is the error code of requests refused because of load.
const rateLimited = "RATE_LIMITED"

// inFlight is the maximum number of unanswered requests; further ones count as failed.
const inFlight = 2000

func main() {
	servers := flag.String("servers", "http://127.0.0.1:8420", "servers, comma-separated")
	metrics := flag.String("metrics", "", "metrics addresses of the servers, host:port, comma-separated; empty: none")
	fill := flag.Int("fill", 0, "memories to write first")
	rate := flag.Float64("rate", 50, "requests per second")
	length := flag.Duration("for", time.Minute, "duration")
	pids := flag.String("pids", "", "directory with files NAME.pid, as make cluster writes: print the processor time of these processes (Linux)")
	settle := flag.Duration("settle", 150*time.Second, "time after the load within which the servers must release goroutines and memory; 0: not checked")
	of := flag.String("texts", "varied", "contents and questions: varied, on 200 topics; alike, sentences of one form about 16 places")
	strict := flag.Bool("strict", false, "fail if a request failed for another reason than the rate, or if a server does not release goroutines or memory")
	flag.Parse()
	texts, known := kinds[*of]
	if !known {
		fmt.Fprintln(os.Stderr, "replicas: -texts must be varied or alike")
		os.Exit(2)
	}
	if *rate <= 0 || *length <= 0 || *settle < 0 {
		fmt.Fprintln(os.Stderr, "replicas: -rate and -for must be above 0, -settle at least 0")
		os.Exit(2)
	}
	l := &load{texts: texts, servers: strings.Split(*servers, ","), client: &http.Client{Timeout: time.Minute}, took: map[string][]time.Duration{}, failed: map[string]int{}, pids: *pids}
	if *metrics != "" {
		l.metrics = strings.Split(*metrics, ",")
	}
	err := l.run(context.Background(), *fill, *rate, *length, *settle)
	if err == nil && *strict {
		err = errors.Join(l.faults...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "replicas:", err)
		os.Exit(1)
	}
}

// load holds the requests and their results.
type load struct {
	texts            texts
	servers, metrics []string
	client           *http.Client
	pids             string // "": no processor time is printed

	mu     sync.Mutex
	took   map[string][]time.Duration // by verb
	failed map[string]int             // by error
	faults []error                    // of a strict run
}

// How much more than before the load a server may hold after its connections are closed.
const (
	moreGoroutines = 20
	moreResident   = 256 << 20 // plus half of the memory before: the written memories stay
	lookEvery      = 15 * time.Second
)

func (l *load) run(ctx context.Context, fill int, rate float64, length, settle time.Duration) error {
	if err := l.fill(ctx, fill); err != nil {
		return err
	}
	before := l.held("before")
	began, spent := time.Now(), l.spent()
	asked := l.mix(ctx, rate, length)
	l.report(asked, time.Since(began))
	l.tellSpent(spent, asked)
	l.client.CloseIdleConnections()
	if settle == 0 {
		return nil
	}
	for ended := time.Now(); ; time.Sleep(min(lookEvery, settle-time.Since(ended))) {
		after := l.held(fmt.Sprintf("%.0f s after", time.Since(ended).Seconds()))
		if time.Since(ended) < settle {
			continue
		}
		if !returned(before, after) {
			l.faults = append(l.faults, fmt.Errorf("a server did not release goroutines or memory after the load: %v, %v", before, after))
		}
		return nil
	}
}

// returned reports whether the servers hold about as many goroutines and as much memory as before.
func returned(before, after map[string][2]float64) bool {
	for addr, had := range before {
		has, told := after[addr]
		if !told || has[0] > had[0]+moreGoroutines || has[1] > had[1]*1.5+moreResident {
			return false
		}
	}
	return true
}

func (l *load) fill(ctx context.Context, n int) error {
	r := rand.New(rand.NewPCG(1, 2))
	for at := 0; at < n; at += 100 {
		var batch []map[string]any
		for i := range min(100, n-at) {
			batch = append(batch, map[string]any{"content": l.texts.sentence(r, at+i), "consent": "EXPLICIT", "onDuplicate": "INSERT"})
		}
		if err := l.ask(ctx, at/100, rememberMany, batch); err != nil {
			return fmt.Errorf("fill: %w", err)
		}
	}
	return nil
}

// mix sends requests at the rate for the given time, then waits for the answers.
func (l *load) mix(ctx context.Context, rate float64, length time.Duration) (asked int) {
	r := rand.New(rand.NewPCG(3, uint64(time.Now().UnixNano())))
	run := r.Uint64()
	room := make(chan struct{}, inFlight)
	var wg sync.WaitGroup
	began := time.Now()
	for ; ; asked++ {
		due := time.Duration(float64(asked) / rate * float64(time.Second))
		if due >= length {
			break
		}
		time.Sleep(time.Until(began.Add(due)))
		verb, query, input := l.next(r, run, asked)
		select {
		case room <- struct{}{}:
		default:
			l.note(verb, 0, fmt.Errorf("more than %d requests are unanswered", inFlight))
			continue
		}
		wg.Go(func() {
			defer func() { <-room }()
			from := time.Now()
			err := l.ask(ctx, asked, query, input)
			l.note(verb, time.Since(from), err)
		})
	}
	wg.Wait()
	return asked
}

// next returns the n-th request.
func (l *load) next(r *rand.Rand, run uint64, n int) (verb, query string, input map[string]any) {
	switch dice := r.IntN(10); {
	case dice < 7:
		return "search", searchQuery, map[string]any{"query": l.texts.question(r), "topK": 10}
	case dice < 9:
		return "remember", rememberQuery, map[string]any{"content": l.texts.sentence(r, n), "consent": "EXPLICIT", "onDuplicate": "INSERT", "idempotencyKey": fmt.Sprintf("%x.%d", run, n)}
	}
	place := places[r.IntN(len(places))]
	evidence := []map[string]any{{"source": "a", "weight": 0.6, "confidence": 0.9}, {"source": "b", "weight": 0.5, "confidence": 0.8}}
	return "adjudicate", adjudicateQuery, map[string]any{
		"fact": fmt.Sprintf("The door code of %s is %04d.", place, r.IntN(10000)), "subject": "door code of " + place, "consent": "EXPLICIT", "evidence": evidence,
	}
}

// ask sends one request to the next server in turn.
func (l *load) ask(ctx context.Context, n int, query string, input any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"i": input}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.servers[n%len(l.servers)]+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return fmt.Errorf("status %d: %w", res.StatusCode, err)
	}
	if len(answer.Errors) > 0 {
		if answer.Errors[0].Extensions.Code == rateLimited { // the messages differ
			return errors.New(rateLimited)
		}
		return fmt.Errorf("%s %s", answer.Errors[0].Extensions.Code, answer.Errors[0].Message)
	}
	return nil
}

func (l *load) note(verb string, took time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failed[verb+": "+err.Error()]++
		return
	}
	l.took[verb] = append(l.took[verb], took)
}

func (l *load) report(asked int, took time.Duration) {
	fmt.Printf("%d requests in %.1f s, %.1f a second\n", asked, took.Seconds(), float64(asked)/took.Seconds())
	for _, verb := range []string{"search", "remember", "adjudicate"} {
		all := l.took[verb]
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		at := func(percent int) time.Duration { return all[(len(all)*percent+99)/100-1].Round(100 * time.Microsecond) }
		fmt.Printf("%-11s %6d answers  p50 %v  p95 %v  p99 %v  max %v\n", verb, len(all), at(50), at(95), at(99), at(100))
	}
	sum := 0
	for _, what := range slices.Sorted(maps.Keys(l.failed)) {
		fmt.Printf("failed %d times: %s\n", l.failed[what], what)
		sum += l.failed[what]
		if !strings.Contains(what, rateLimited) {
			l.faults = append(l.faults, fmt.Errorf("failed %d times: %s", l.failed[what], what))
		}
	}
	fmt.Printf("%d failed\n", sum)
}

// held prints and returns the goroutines and the resident memory of the servers.
func (l *load) held(when string) map[string][2]float64 {
	all := map[string][2]float64{}
	for _, addr := range l.metrics {
		goroutines, resident, heap, err := l.read(addr)
		if err != nil {
			fmt.Printf("%s: %s: %v\n", when, addr, err)
			continue
		}
		fmt.Printf("%s: %s: %.0f goroutines, %.0f MiB resident, %.0f of heap in use\n", when, addr, goroutines, resident/(1<<20), heap/(1<<20))
		all[addr] = [2]float64{goroutines, resident}
	}
	return all
}

func (l *load) read(addr string) (goroutines, resident, heap float64, err error) {
	res, err := l.client.Get("http://" + addr + "/metrics")
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(io.LimitReader(res.Body, 8<<20)); lines.Scan(); {
		for name, into := range map[string]*float64{"go_goroutines ": &goroutines, "process_resident_memory_bytes ": &resident, "go_memstats_heap_inuse_bytes ": &heap} {
			if value, is := strings.CutPrefix(lines.Text(), name); is {
				if _, err := fmt.Sscan(value, into); err != nil {
					return 0, 0, 0, err
				}
			}
		}
	}
	return goroutines, resident, heap, nil
}
