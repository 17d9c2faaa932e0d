// Command vectors measures one server: it writes made-up memories from a seed through the API,
// searches them, and prints times and memory. bench/vectors/run uses it on servers that search
// their vectors in different places.
//
//	go run ./bench/vectors -server http://127.0.0.1:8420 -memories 5000 -truth exact.json -write-truth
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The GraphQL documents.
const (
	rememberMany = `mutation($i:[RememberInput!]!){rememberMany(input:$i){memory{id} error{message}}}`
	searchQuery  = `query($i:SearchInput!){search(input:$i){hits{memory{content} parts{semantic}} degraded consideredCount}}`
)

func main() {
	b := bench{client: &http.Client{Timeout: 5 * time.Minute}}
	flag.StringVar(&b.server, "server", "http://127.0.0.1:8420", "the server")
	flag.IntVar(&b.memories, "memories", 5000, "memories to write")
	flag.IntVar(&b.searches, "searches", 100, "searches of each kind")
	flag.StringVar(&b.truth, "truth", "", "file with the exact answers")
	flag.BoolVar(&b.writeTruth, "write-truth", false, "write the answers of this server to the file as the exact answers")
	flag.StringVar(&b.pids, "pids", "", "processes whose memory is measured, name=pid, comma-separated")
	flag.Parse()
	report, err := b.run(context.Background())
	if err == nil {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		err = e.Encode(report)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

// bench is one run against one server.
type bench struct {
	client             *http.Client
	server             string
	memories, searches int
	truth              string
	writeTruth         bool
	pids               string
}

// batch is the number of memories per request.
const batch = 64

func (b *bench) run(ctx context.Context) (map[string]any, error) {
	out := map[string]any{"memories": b.memories}
	words := vocabulary(rand.New(rand.NewPCG(1, 1)), 3000)
	r := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for range b.memories {
		texts = append(texts, text(r, words, 40))
	}
	began := time.Now()
	for from := 0; from < len(texts); from += batch {
		some := texts[from:min(from+batch, len(texts))]
		var input []map[string]any
		for i, s := range some {
			input = append(input, map[string]any{"content": s, "consent": "EXPLICIT", "onDuplicate": "INSERT", "user": fmt.Sprint("u", (from+i)%100)})
		}
		var got struct {
			RememberMany []struct{ Error *struct{ Message string } }
		}
		if err := b.ask(ctx, rememberMany, input, &got); err != nil {
			return nil, fmt.Errorf("write: %w", err)
		}
		for _, x := range got.RememberMany {
			if x.Error != nil {
				return nil, fmt.Errorf("write: %s", x.Error.Message)
			}
		}
	}
	out["writes/s"] = round(float64(b.memories) / time.Since(began).Seconds())
	var single []time.Duration
	for range min(50, b.searches) {
		at := time.Now()
		if err := b.ask(ctx, rememberMany, []map[string]any{{"content": text(r, words, 40), "consent": "EXPLICIT", "onDuplicate": "INSERT", "user": "late"}}, nil); err != nil {
			return nil, fmt.Errorf("write one: %w", err)
		}
		single = append(single, time.Since(at))
	}
	out["one write"] = spread(single)
	for _, s := range []struct {
		name  string
		input map[string]any
	}{
		{"search", map[string]any{}},
		{"search FAST", map[string]any{"effort": "FAST"}},
		{"search of one user", map[string]any{"user": "u7"}},
		{"search as of now", map[string]any{"asOf": map[string]any{"recorded": time.Now().UTC().Format(time.RFC3339)}}},
	} {
		took, _, err := b.search(ctx, words, texts, s.input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		out[s.name] = spread(took)
	}
	found, err := b.nearest(ctx, words, texts)
	if err != nil {
		return nil, err
	}
	if out["recall@10"], err = b.recall(found); err != nil {
		return nil, err
	}
	for pair := range strings.SplitSeq(b.pids, ",") {
		if name, pid, ok := strings.Cut(pair, "="); ok {
			if out["MB of "+name], err = resident(pid); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// vocabulary returns made-up words.
func vocabulary(r *rand.Rand, n int) []string {
	syllables := strings.Fields("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bran clem dorf ell fint")
	seen := map[string]bool{}
	for len(seen) < n {
		w := ""
		for range 2 + r.IntN(3) {
			w += syllables[r.IntN(len(syllables))]
		}
		seen[w] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// text returns a sentence of n words: some from one of sixty subjects, some from all words.
func text(r *rand.Rand, words []string, n int) string {
	subject := r.IntN(60) * 50
	out := make([]string, n)
	for i := range out {
		if i%2 == 0 {
			out[i] = words[subject+r.IntN(50)]
		} else {
			out[i] = words[r.IntN(len(words))]
		}
	}
	return strings.Join(out, " ") + "."
}

type hit struct {
	Memory struct{ Content string }
	Parts  struct{ Semantic float64 }
}

// search runs queries made of parts of the written texts, each with another word in between.
func (b *bench) search(ctx context.Context, words, texts []string, more map[string]any) (took []time.Duration, found [][]hit, err error) {
	r := rand.New(rand.NewPCG(3, 4))
	for range b.searches {
		of := strings.Fields(texts[r.IntN(len(texts))])
		from := r.IntN(len(of) - 8)
		input := map[string]any{"query": strings.Join(of[from:from+8], " ") + " " + words[r.IntN(len(words))], "track": false}
		maps.Copy(input, more)
		var got struct {
			Search struct {
				Hits     []hit
				Degraded []string
			}
		}
		at := time.Now()
		if err := b.ask(ctx, searchQuery, input, &got); err != nil {
			return nil, nil, err
		}
		took = append(took, time.Since(at))
		if len(got.Search.Degraded) > 0 {
			return nil, nil, fmt.Errorf("an answer lacks %v", got.Search.Degraded)
		}
		found = append(found, got.Search.Hits)
	}
	return took, found, nil
}

// nearest returns the contents of the ten nearest memories by vector for each query. It requests
// a hundred hits by meaning alone, so that the diversity of a search has no effect.
func (b *bench) nearest(ctx context.Context, words, texts []string) ([][]string, error) {
	only := map[string]any{"semantic": 1, "keyword": 0, "recency": 0, "importance": 0, "project": 0, "entity": 0, "task": 0}
	_, found, err := b.search(ctx, words, texts, map[string]any{"topK": 100, "hops": 0, "weights": only})
	if err != nil {
		return nil, fmt.Errorf("nearest: %w", err)
	}
	out := make([][]string, len(found))
	for i, hits := range found {
		slices.SortFunc(hits, func(x, y hit) int {
			return cmp.Or(cmp.Compare(y.Parts.Semantic, x.Parts.Semantic), cmp.Compare(x.Memory.Content, y.Memory.Content))
		})
		for _, h := range hits[:min(10, len(hits))] {
			out[i] = append(out[i], h.Memory.Content)
		}
	}
	return out, nil
}

// recall returns the share of the exact answers that were found.
func (b *bench) recall(found [][]string) (float64, error) {
	if b.writeTruth {
		raw, err := json.Marshal(found)
		if err != nil {
			return 0, err
		}
		return 1, os.WriteFile(b.truth, raw, 0o600)
	}
	raw, err := os.ReadFile(b.truth)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, errors.New("there are no exact answers to compare with: run with -write-truth first")
	}
	if err != nil {
		return 0, err
	}
	var exact [][]string
	if err := json.Unmarshal(raw, &exact); err != nil {
		return 0, err
	}
	hits, all := 0, 0
	for i := range exact {
		all += len(exact[i])
		for _, x := range exact[i] {
			if i < len(found) && slices.Contains(found[i], x) {
				hits++
			}
		}
	}
	return float64(hits) / float64(max(1, all)), nil
}

func (b *bench) ask(ctx context.Context, query string, input, into any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"i": input}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.server+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := b.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // the body was read to its end
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("status %d: %w", res.StatusCode, err)
	}
	if len(answer.Errors) > 0 {
		return errors.New(answer.Errors[0].Message)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Data, into)
}

// spread returns the median and the 95th percentile, in milliseconds.
func spread(took []time.Duration) map[string]float64 {
	slices.Sort(took)
	at := func(p float64) float64 {
		return round(float64(took[int(p*float64(len(took)-1))].Microseconds()) / 1000)
	}
	return map[string]float64{"p50 ms": at(0.5), "p95 ms": at(0.95)}
}

func round(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return v
}

// resident returns the resident memory of a process, in MB (Linux).
func resident(pid string) (int, error) {
	raw, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmRSS:" {
			kb, err := strconv.Atoi(f[1])
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("the memory use of process %s is unknown", pid)
}
