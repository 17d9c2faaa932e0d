package frame

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Decode decodes a frame. Positions are quantised, weights and importance are multiples of
// 1/255, labels are truncated. It fails on another version and on inconsistent bytes, and never
// panics.
func Decode(b []byte) (*Frame, error) {
	if len(b) < headerSize || [4]byte(b[:4]) != magic {
		return nil, fmt.Errorf("frame: not a frame")
	}
	le := binary.LittleEndian
	if v := le.Uint16(b[4:]); v != Version {
		return nil, fmt.Errorf("frame: version %d, want %d", v, Version)
	}
	cols, err := readDirectory(b)
	if err != nil {
		return nil, err
	}
	d := &decoder{cols: cols}
	n, m := int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))
	f := &Frame{Total: int(le.Uint32(b[16:])), Cursor: graph.Cursor(le.Uint64(b[32:]))}
	f.At, f.Drawing = timeOf(math.Float64frombits(le.Uint64(b[24:]))), le.Uint64(b[56:])
	var low [3]float32
	for i := range low {
		low[i] = math.Float32frombits(le.Uint32(b[40+4*i:]))
	}
	d.nodes(f, n, low, math.Float32frombits(le.Uint32(b[52:])))
	d.clusters(f)
	f.ExternalIDs, f.Removed, f.RemovedClusters = d.ids("ref"), d.ids("gone"), d.ids("cl.gone")
	f.Edges = d.edges(edgeColumns, n+len(f.ExternalIDs), m)
	if cuts, ok := d.cols[removedEdgeColumns[2]]; ok {
		f.RemovedEdges = d.edges(removedEdgeColumns, n+len(f.ExternalIDs), len(cuts.data))
	}
	f.Regions = d.regions()
	if keys, ok := d.cols["tl"]; ok {
		n := len(keys.data) / 4
		key, count := numbers[uint32](d, "tl", n), numbers[uint32](d, "tl.n", n)
		f.TileHalf = numbers[float32](d, "tl.half", 1)[0]
		for i := range n {
			f.Tiles = append(f.Tiles, Tile{key[i], int(count[i])})
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	return f, nil
}

// decoder reads columns and keeps the first error.
type decoder struct {
	cols map[string]column
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("frame: "+format, args...)
	}
}

// raw returns the elements of a column as little-endian bytes; rows < 0 accepts any length.
func (d *decoder) raw(name string, k elementType, rows int) []byte {
	c, ok := d.cols[name]
	if !ok || c.kind != k || (rows >= 0 && len(c.data) != rows*k.size()) {
		d.fail("column %q is missing or has the wrong size", name)
		return make([]byte, max(rows, 0)*k.size())
	}
	return transpose(c.data, len(c.data)/k.size())
}

func (d *decoder) u8(name string, rows int) []byte { return d.raw(name, kindU8, rows) }

func numbers[T element](d *decoder, name string, rows int) []T {
	kind := kindOf[T]()
	raw := d.raw(name, kind, rows)
	out := make([]T, len(raw)/kind.size())
	_, _ = binary.Decode(raw, binary.LittleEndian, out) // raw has the length of out
	return out
}

// texts reads a dictionary column: the text of every row.
func (d *decoder) texts(name string, rows int) []string {
	index := numbers[uint32](d, name, rows)
	words := d.slices(numbers[uint32](d, name+".e", -1), d.u8(name+".b", -1))
	out := make([]string, rows)
	for i, w := range index {
		if int(w) >= len(words) {
			d.fail("column %q refers to text %d of %d", name, w, len(words))
			return out
		}
		out[i] = words[w]
	}
	return out
}

// slices splits bytes at the given ends.
func (d *decoder) slices(ends []uint32, data []byte) []string {
	out, from := make([]string, len(ends)), uint32(0)
	for i, to := range ends {
		if to < from || int(to) > len(data) {
			d.fail("a text ends at %d of %d", to, len(data))
			return out
		}
		out[i], from = string(data[from:to]), to
	}
	return out
}

func (d *decoder) nodes(f *Frame, n int, low [3]float32, step float32) {
	if d.u8("type", n); d.err != nil { // before anything is allocated by a size in the header
		return
	}
	ids, pos, types := d.u8("id", 16*n), numbers[uint16](d, "pos", 3*n), d.u8("type", n)
	flags, classes, importance := d.u8("flags", n), d.u8("class", n), d.u8("import", n)
	confidence := d.u8("conf", n)
	version, k := numbers[uint16](d, "version", n), numbers[float32](d, "k", n)
	born, created, anchor := numbers[float64](d, "born", n), numbers[float64](d, "created", n), numbers[float64](d, "anchor", n)
	valid, expires, lastUse := numbers[float64](d, "valid", n), numbers[float64](d, "expires", n), numbers[float64](d, "lastuse", n)
	states, uses := numbers[uint16](d, "states", n), numbers[uint16](d, "uses", n)
	stFrom, stTo := numbers[float64](d, "st.from", -1), numbers[float64](d, "st.vto", -1)
	stStatus, stTier, stCore := d.u8("st.stat", len(stFrom)), d.u8("st.tier", len(stFrom)), d.u8("st.core", len(stFrom))
	days := numbers[uint32](d, "us.day", -1)
	labels := d.slices(numbers[uint32](d, "label", n), d.u8("label.b", -1))
	ns, proj, user, sess := d.texts("ns", n), d.texts("proj", n), d.texts("user", n), d.texts("sess", n)
	if d.err != nil || len(stTo) != len(stFrom) {
		d.fail("the columns of states differ in length")
		return
	}
	f.Nodes = make([]Node, n)
	for i, s, u := 0, 0, 0; i < n; i++ {
		ns, nu := int(states[i]), int(uses[i])
		if ns == 0 || s+ns > len(stFrom) || u+nu > len(days) ||
			int(types[i]) >= len(graph.Types) || int(classes[i]) >= len(graph.DecayClasses) {
			d.fail("node %d is inconsistent", i)
			return
		}
		f.Nodes[i] = Node{
			ID: graph.IDFromBytes([16]byte(ids[16*i:])), Type: graph.Types[types[i]], DecayClass: graph.DecayClasses[classes[i]],
			Importance: float64(importance[i]) / 255, Confidence: float64(confidence[i]) / 255, Version: int(version[i]),
			K:         float64(k[i]),
			Important: flags[i]&flagImportant != 0, SafetyCritical: flags[i]&flagSafetyCritical != 0,
			CreatedAt: timeOf(born[i] + created[i]), Anchor: timeOf(born[i] + anchor[i]), ValidFrom: timeOf(born[i] + valid[i]),
			ExpiresAt: timeOf(born[i] + expires[i]), LastUse: timeOf(born[i] + lastUse[i]), Label: labels[i],
		}
		node := &f.Nodes[i]
		for a := range node.Position {
			node.Position[a] = low[a] + float32(pos[3*i+a])*step
		}
		for j := s; j < s+ns; j++ {
			if int(stStatus[j]) >= len(graph.Statuses) || int(stTier[j]) >= len(graph.Tiers) {
				d.fail("state %d is inconsistent", j)
				return
			}
			node.History = append(node.History, graph.State{
				From: timeOf(born[i] + stFrom[j]), ValidTo: timeOf(born[i] + stTo[j]),
				Status: graph.Statuses[stStatus[j]], Tier: graph.Tiers[stTier[j]], Core: stCore[j] == 1,
			})
		}
		for _, day := range days[u : u+nu] {
			node.UseDays = append(node.UseDays, int32(day))
		}
		s, u = s+ns, u+nu
	}
	for i := range f.Nodes {
		f.Nodes[i].Namespace, f.Nodes[i].Project, f.Nodes[i].User, f.Nodes[i].Session = ns[i], proj[i], user[i], sess[i]
	}
}

// ids reads an optional column of ids.
func (d *decoder) ids(name string) []graph.ID {
	if _, ok := d.cols[name]; !ok {
		return nil
	}
	raw := d.u8(name, -1)
	if len(raw)%16 != 0 {
		d.fail("column %q has %d bytes", name, len(raw))
		return nil
	}
	out := make([]graph.ID, len(raw)/16)
	for i := range out {
		out[i] = graph.IDFromBytes([16]byte(raw[16*i:]))
	}
	return out
}

// regions reads the regions; nil if the frame has no region columns.
func (d *decoder) regions() []Region {
	names, ok := d.cols["rg"]
	if !ok {
		return nil
	}
	n := len(names.data) / 4
	words := d.slices(numbers[uint32](d, "rg", n), d.u8("rg.b", -1))
	counts, places, radii := numbers[uint32](d, "rg.n", n), numbers[float32](d, "rg.pos", 3*n), numbers[float32](d, "rg.r", n)
	out := make([]Region, n)
	for i := range out {
		out[i] = Region{[3]float32(places[3*i:]), radii[i], int(counts[i]), words[i]}
	}
	return out
}

// edges reads m edges between n nodes.
func (d *decoder) edges(names [4]string, n, m int) []Edge {
	if d.u8(names[2], m); d.err != nil {
		return nil
	}
	from, to, kinds, weights := numbers[uint32](d, names[0], m), numbers[uint32](d, names[1], m), d.u8(names[2], m), d.u8(names[3], m)
	if d.err != nil {
		return nil
	}
	out := make([]Edge, m)
	for i := range out {
		if int(from[i]) >= n || int(to[i]) >= n || int(kinds[i]) >= len(EdgeKinds) {
			d.fail("edge %d is inconsistent", i)
			return nil
		}
		out[i] = Edge{From: int32(from[i]), To: int32(to[i]), Kind: EdgeKinds[kinds[i]], Weight: float64(weights[i]) / 255}
	}
	return out
}

// timeOf converts milliseconds since 1970; an infinite value is the zero time.
func timeOf(ms float64) time.Time {
	if math.IsInf(ms, 0) || math.IsNaN(ms) {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}
