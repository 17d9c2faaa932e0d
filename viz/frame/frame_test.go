package frame

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/graph"
)

var update = flag.Bool("update", false, "write the golden files anew")

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func id(n byte) graph.ID {
	return graph.IDFromBytes([16]byte{0x01, 0x9a, 0, 0, 0, n, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, n})
}

// small is a scene that uses every feature of the layout.
func small() *Frame {
	born := at("2026-02-19T08:30:00.123Z")
	return &Frame{
		At: at("2026-08-01T12:00:00.5Z"), Cursor: 1<<40 + 7, Drawing: 1<<63 + 12345, Total: 5,
		Nodes: []Node{
			{
				ID: id(1), Position: [3]float32{-100, 0, 50}, Type: graph.Semantic, Namespace: "default", Project: "atlas", User: "mara", Session: "s1",
				Importance: 1, DecayClass: graph.DecaySlow, K: 0.0077, Version: 1, CreatedAt: born, ValidFrom: at("1931-05-04T00:00:00Z"),
				History: []graph.State{
					{From: born, Status: graph.Active, Tier: graph.L1},
					{From: born.Add(36 * time.Hour), Status: graph.Active, Tier: graph.L2, Core: true},
					{From: born.Add(1000 * time.Hour), Status: graph.Superseded, Tier: graph.L2, ValidTo: born.Add(900 * time.Hour)},
				},
				UseDays: []int32{graph.Day(born), graph.Day(born) + 3, graph.Day(born) + 40}, LastUse: born.Add(961 * time.Hour), Anchor: born.Add(100 * time.Hour),
				Label: "The release train leaves on Thursdays, 14:00 UTC.", Cluster: id(201),
			},
			{
				ID: id(2), Position: [3]float32{100, 20, -100}, Type: graph.Semantic, Namespace: "default", Project: "atlas", User: "mara", Session: "s2",
				DecayClass: graph.DecayNone, Version: 2, CreatedAt: born.Add(1000 * time.Hour), ValidFrom: born.Add(900 * time.Hour), Important: true,
				History: []graph.State{{From: born.Add(1000 * time.Hour), Status: graph.Active, Tier: graph.L2}},
				Label:   "The release train leaves on Tuesdays. <b>Ünïcode</b> 🚂", Cluster: id(201),
			},
			{
				ID: id(3), Type: graph.Working, Namespace: "ops", DecayClass: graph.DecayFast, K: 0.34657359, Version: 1, SafetyCritical: true,
				Importance: 128. / 255, CreatedAt: born, ValidFrom: born, ExpiresAt: born.Add(48 * time.Hour),
				History: []graph.State{{From: born, Status: graph.Active, Tier: graph.L0}},
				Cluster: id(200),
			},
		},
		Edges: []Edge{
			{From: 1, To: 0, Kind: "SUPERSEDES", Weight: 1},
			{From: 0, To: 2, Kind: "ENTITY_OVERLAP", Weight: 51. / 255},
		},
		Regions: []Region{{[3]float32{-40, 2.5, 0}, 17.5, 1200, "train · Zürich"}, {[3]float32{3, -60, 1}, 8, 300, "kettle"}},
		Clusters: []Cluster{
			{ID: id(201), Label: "Release train and Zürich", Count: 2, Centre: [3]float32{100, 20, 50}, Radius: 180},
			{ID: id(200), Label: "Kettle", Count: 1, Radius: 3},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	want := small()
	b, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Nodes {
		for d, x := range got.Nodes[i].Position {
			if w := want.Nodes[i].Position[d]; x-w > 0.002 || w-x > 0.002 {
				t.Errorf("node %d is at %g, want %g", i, x, w)
			}
		}
		got.Nodes[i].Position = want.Nodes[i].Position
		if k := got.Nodes[i].K - want.Nodes[i].K; k > 1e-8 || k < -1e-8 {
			t.Errorf("node %d fades with %g, want %g", i, got.Nodes[i].K, want.Nodes[i].K)
		}
		got.Nodes[i].K = want.Nodes[i].K
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("came back as\n%+v\nwant\n%+v", got, want)
	}
	again, _ := Encode(want)
	if !bytes.Equal(b, again) {
		t.Error("the same frame gave other bytes")
	}
}

func TestEmptyFrame(t *testing.T) {
	b, err := Encode(&Frame{At: at("2026-01-01T00:00:00Z")})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(b)
	if err != nil || len(f.Nodes) != 0 || len(f.Edges) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestColumnsAreAligned(t *testing.T) {
	b, _ := Encode(small())
	if len(b)%alignment != 0 {
		t.Errorf("%d bytes", len(b))
	}
	cols, err := readDirectory(b)
	if err != nil || len(cols) < 30 {
		t.Errorf("%d columns, %v", len(cols), err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	broken := map[string]func(*Frame){
		"an id that is no UUID":    func(f *Frame) { f.Nodes[0].ID = "mouse" },
		"a node without history":   func(f *Frame) { f.Nodes[1].History = nil },
		"an unknown type":          func(f *Frame) { f.Nodes[1].Type = "DREAM" },
		"an unknown status":        func(f *Frame) { f.Nodes[1].History[0].Status = "LOST" },
		"an unknown decay class":   func(f *Frame) { f.Nodes[1].DecayClass = "" },
		"an edge out of the frame": func(f *Frame) { f.Edges[0].To = 3 },
		"an edge from before it":   func(f *Frame) { f.Edges[0].From = -1 },
		"an unknown kind of edge":  func(f *Frame) { f.Edges[0].Kind = "LIKES" },
		"an unlisted cluster":      func(f *Frame) { f.Nodes[2].Cluster = id(7) },
		"a cluster without UUID":   func(f *Frame) { f.Clusters[1].ID = "mouse" },
	}
	for name, breakIt := range broken {
		f := small()
		breakIt(f)
		if _, err := Encode(f); err == nil {
			t.Errorf("%s was packed", name)
		}
	}
}

func TestDecodeRefusesForeignBytes(t *testing.T) {
	good, _ := Encode(small())
	for n := range good {
		if f, err := Decode(good[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes passed as a frame of %d nodes", n, len(good), len(f.Nodes))
		}
	}
	newer := bytes.Clone(good)
	newer[4]++
	if _, err := Decode(newer); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("another version: %v", err)
	}
	many := bytes.Clone(good)
	copy(many[8:12], []byte{255, 255, 255, 127})
	if _, err := Decode(many); err == nil {
		t.Error("a small frame claims two thousand million nodes")
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := Encode(small())
	f.Add(good)
	f.Add(good[:100])
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := Decode(b)
		if err == nil && len(frame.Nodes) > len(b) {
			t.Errorf("%d nodes out of %d bytes", len(frame.Nodes), len(b))
		}
	})
}

func TestLabelsAreLimited(t *testing.T) {
	long := strings.Repeat("ä🚂", 100)
	if got := clipLabel(long); len(got) > LabelBytes || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	var nodes []Node
	for i := range 6000 {
		nodes = append(nodes, Node{Importance: float64(i) / 6000, Label: strings.Repeat("x", 120)})
	}
	labels := fitLabelBudget(nodes)
	total, least := 0, -1
	for i, l := range labels {
		total += len(l)
		if l != "" && least < 0 {
			least = i
		}
	}
	if total > LabelBudget || total < LabelBudget-LabelBytes {
		t.Errorf("%d bytes of labels", total)
	}
	if kept := 6000 - least; kept != LabelBudget/120 {
		t.Errorf("the %d most important keep their label, want %d", kept, LabelBudget/120)
	}
}

// The explorer's tests read the golden frame too: both sides decode the same bytes.
func TestGolden(t *testing.T) {
	b, err := Encode(small())
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"small.bin": b, "small.json": append(text, '\n')} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the code makes; if the layout was meant to change, raise Version and run with -update", path)
		}
	}
}

// large is n memories in sessions of 20 with two edges each.
func large(n int) *Frame {
	f := &Frame{At: at("2026-08-01T00:00:00Z")}
	born := at("2025-08-01T00:00:00Z")
	for i := range n {
		born = born.Add(5*time.Minute + time.Duration(i*7919%60000)*time.Millisecond)
		x := uint64(i) * 0x9e3779b97f4a7c15
		node := Node{
			Position: [3]float32{float32(x % 997), float32(x % 1009), float32(x % 1013)}, Type: graph.Types[x%5], Namespace: "default",
			Project: fmt.Sprint("project ", x%12), Session: fmt.Sprint("session ", i/20), User: "mara", Importance: float64(x%100) / 100,
			DecayClass: graph.DecayMedium, K: 0.05 / (1 + float64(x%7)), Version: 1, CreatedAt: born, ValidFrom: born,
			History: []graph.State{{From: born, Status: graph.Active, Tier: graph.L1}}, Label: fmt.Sprint("What happened as number ", i),
		}
		raw := [16]byte{0: byte(i >> 16), 6: 0x70}
		for b := range 8 {
			raw[15-b] = byte(x >> (8 * b))
		}
		raw[3], raw[4], raw[5] = byte(i>>16), byte(i>>8), byte(i)
		node.ID = graph.IDFromBytes(raw)
		f.Nodes = append(f.Nodes, node)
		if i > 0 {
			f.Edges = append(f.Edges, Edge{From: int32(i), To: int32(i - 1), Kind: "TEMPORAL_SEQ", Weight: 1},
				Edge{From: int32(i), To: int32(x % uint64(i)), Kind: "ENTITY_OVERLAP", Weight: float64(x%50) / 50})
		}
	}
	return f
}

func BenchmarkEncode(b *testing.B) {
	f := large(100_000)
	for b.Loop() {
		if _, err := Encode(f); err != nil {
			b.Fatal(err)
		}
	}
}
