package frame

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/graph"
)

// Bits of the column "flags".
const (
	flagImportant = 1 << iota
	flagSafetyCritical
)

// Encode encodes the frame. The same frame gives the same bytes. It fails on an id that is not
// a UUID, on a memory without history, on an edge to a missing node, and on a node in a cluster
// that the frame does not list.
func Encode(f *Frame) ([]byte, error) {
	low, step := bounds(f.Nodes)
	c := newNodeColumns(len(f.Nodes))
	labels := fitLabelBudget(f.Nodes)
	clusters, err := packClusters(f)
	if err != nil {
		return nil, err
	}
	for i := range f.Nodes {
		if err := c.add(&f.Nodes[i], low, step, labels[i]); err != nil {
			return nil, fmt.Errorf("frame: node %d: %w", i, err)
		}
	}
	columns := append(c.columns(), clusters...)
	for _, t := range []struct {
		edges []Edge
		names [4]string
	}{{f.Edges, edgeColumns}, {f.RemovedEdges, removedEdgeColumns}} {
		if err := checkEdges(f, t.edges); err != nil {
			return nil, err
		}
		if part := t.names == removedEdgeColumns; !part || len(t.edges) > 0 {
			columns = append(columns, packEdges(t.edges, t.names)...)
		}
	}
	for _, t := range []struct {
		name string
		ids  []graph.ID
	}{{"ref", f.ExternalIDs}, {"gone", f.Removed}, {"cl.gone", f.RemovedClusters}} {
		if len(t.ids) == 0 {
			continue
		}
		col, err := idColumn(t.name, t.ids)
		if err != nil {
			return nil, err
		}
		columns = append(columns, col)
	}
	if f.Regions != nil {
		columns = append(columns, regionColumns(f.Regions)...)
	}
	if len(f.Tiles) > 0 {
		keys, counts := make([]uint32, len(f.Tiles)), make([]uint32, len(f.Tiles))
		for i, t := range f.Tiles {
			keys[i], counts[i] = t.Key, uint32(t.Count)
		}
		columns = append(columns, numberColumn("tl", keys), numberColumn("tl.n", counts), numberColumn("tl.half", []float32{f.TileHalf}))
	}
	return layOut(header(f, low, step, len(columns)), columns), nil
}

// Columns of edges and of removed edges.
var (
	edgeColumns        = [4]string{"from", "to", "ekind", "eweight"}
	removedEdgeColumns = [4]string{"cut.from", "cut.to", "cut.kind", "cut.w"}
)

func checkEdges(f *Frame, edges []Edge) error {
	ends := len(f.Nodes) + len(f.ExternalIDs)
	for i, e := range edges {
		if !slices.Contains(EdgeKinds, e.Kind) {
			return fmt.Errorf("frame: edge %d has the unknown kind %q", i, e.Kind)
		}
		if e.From < 0 || int(e.From) >= ends || e.To < 0 || int(e.To) >= ends {
			return fmt.Errorf("frame: edge %d refers to %d and %d in a frame of %d nodes", i, e.From, e.To, ends)
		}
	}
	return nil
}

func packEdges(edges []Edge, names [4]string) []column {
	from, to := make([]uint32, len(edges)), make([]uint32, len(edges))
	kinds, weights := make([]uint8, len(edges)), make([]uint8, len(edges))
	for i, e := range edges {
		from[i], to[i] = uint32(e.From), uint32(e.To)
		kinds[i], weights[i] = uint8(slices.Index(EdgeKinds, e.Kind)), quantiseUnit(e.Weight)
	}
	return []column{numberColumn(names[0], from), numberColumn(names[1], to), u8Column(names[2], kinds), u8Column(names[3], weights)}
}

func idColumn(name string, ids []graph.ID) (column, error) {
	raw := make([]uint8, 0, 16*len(ids))
	for i, id := range ids {
		b, err := id.Bytes()
		if err != nil {
			return column{}, fmt.Errorf("frame: %s %d: %w", name, i, err)
		}
		raw = append(raw, b[:]...)
	}
	return u8Column(name, raw), nil
}

func regionColumns(regions []Region) []column {
	var places, radii []float32
	var counts, ends []uint32
	var names []byte
	for _, r := range regions {
		places, radii = append(places, r.Centre[:]...), append(radii, r.Radius)
		counts, names = append(counts, uint32(r.Count)), append(names, r.Name...)
		ends = append(ends, uint32(len(names)))
	}
	return []column{
		numberColumn("rg.pos", places), numberColumn("rg.r", radii), numberColumn("rg.n", counts), numberColumn("rg", ends), u8Column("rg.b", names),
	}
}

func header(f *Frame, low [3]float32, step float32, columns int) [headerSize]byte {
	var h [headerSize]byte
	copy(h[:4], magic[:])
	le := binary.LittleEndian
	le.PutUint16(h[4:], Version)
	le.PutUint16(h[6:], uint16(columns))
	le.PutUint32(h[8:], uint32(len(f.Nodes)))
	le.PutUint32(h[12:], uint32(len(f.Edges)))
	le.PutUint32(h[16:], uint32(max(f.Total, len(f.Nodes))))
	le.PutUint64(h[24:], math.Float64bits(millis(f.At)))
	le.PutUint64(h[32:], uint64(f.Cursor))
	for i, x := range low {
		le.PutUint32(h[40+4*i:], math.Float32bits(x))
	}
	le.PutUint32(h[52:], math.Float32bits(step))
	le.PutUint64(h[56:], f.Drawing)
	return h
}

// nodeColumns collects the node columns.
type nodeColumns struct {
	ids, types, flags, classes, importance, confidence []uint8
	position, version, states, uses                    []uint16
	k                                                  []float32
	born, created, anchor, valid, expires              []float64
	stateAt, stateEnd                                  []float64
	stateStatus, stateTier, stateCore                  []uint8
	useDay                                             []uint32
	lastUse                                            []float64
	namespace, project, user, session                  dictionary
	labels                                             []byte
	labelEnds                                          []uint32
}

func newNodeColumns(n int) *nodeColumns {
	return &nodeColumns{ids: make([]uint8, 0, 16*n), position: make([]uint16, 0, 3*n)}
}

func (c *nodeColumns) add(n *Node, low [3]float32, step float32, label string) error {
	id, err := n.ID.Bytes()
	if err != nil {
		return err
	}
	if len(n.History) == 0 || len(n.History) > math.MaxUint16 || len(n.UseDays) > math.MaxUint16 {
		return fmt.Errorf("%d states and %d days of use", len(n.History), len(n.UseDays))
	}
	t, class := slices.Index(graph.Types, n.Type), slices.Index(graph.DecayClasses, n.DecayClass)
	if t < 0 || class < 0 {
		return fmt.Errorf("type %q, decay class %q", n.Type, n.DecayClass)
	}
	var flags uint8
	if n.Important {
		flags |= flagImportant
	}
	if n.SafetyCritical {
		flags |= flagSafetyCritical
	}
	c.ids = append(c.ids, id[:]...)
	for d, x := range n.Position {
		c.position = append(c.position, quantise(x, low[d], step))
	}
	c.types, c.flags, c.classes = append(c.types, uint8(t)), append(c.flags, flags), append(c.classes, uint8(class))
	c.importance = append(c.importance, quantiseUnit(n.Importance))
	c.confidence = append(c.confidence, quantiseUnit(n.Confidence))
	c.version = append(c.version, uint16(min(n.Version, math.MaxUint16)))
	c.k = append(c.k, float32(n.K))

	born := millis(n.History[0].From)
	c.born = append(c.born, born)
	c.created = append(c.created, millisSince(n.CreatedAt, born, 0))
	c.anchor = append(c.anchor, millisSince(n.Anchor, born, math.Inf(-1)))
	c.valid = append(c.valid, millisSince(n.ValidFrom, born, math.Inf(-1)))
	c.expires = append(c.expires, millisSince(n.ExpiresAt, born, math.Inf(1)))
	c.lastUse = append(c.lastUse, millisSince(n.LastUse, born, math.Inf(-1)))
	c.states, c.uses = append(c.states, uint16(len(n.History))), append(c.uses, uint16(len(n.UseDays)))
	for _, s := range n.History {
		status, tier := slices.Index(graph.Statuses, s.Status), slices.Index(graph.Tiers, s.Tier)
		if status < 0 || tier < 0 {
			return fmt.Errorf("status %q, tier %q", s.Status, s.Tier)
		}
		var core uint8
		if s.Core {
			core = 1
		}
		c.stateAt = append(c.stateAt, millisSince(s.From, born, 0))
		c.stateEnd = append(c.stateEnd, millisSince(s.ValidTo, born, math.Inf(1)))
		c.stateStatus, c.stateTier = append(c.stateStatus, uint8(status)), append(c.stateTier, uint8(tier))
		c.stateCore = append(c.stateCore, core)
	}
	for _, d := range n.UseDays {
		c.useDay = append(c.useDay, uint32(max(d, 0)))
	}
	c.namespace.add(n.Namespace)
	c.project.add(n.Project)
	c.user.add(n.User)
	c.session.add(n.Session)
	c.labels = append(c.labels, label...)
	c.labelEnds = append(c.labelEnds, uint32(len(c.labels)))
	return nil
}

func (c *nodeColumns) columns() []column {
	out := []column{
		u8Column("id", c.ids), numberColumn("pos", c.position), u8Column("type", c.types), u8Column("flags", c.flags),
		u8Column("class", c.classes), u8Column("import", c.importance), u8Column("conf", c.confidence), numberColumn("version", c.version), numberColumn("k", c.k),
		numberColumn("born", c.born), numberColumn("created", c.created), numberColumn("anchor", c.anchor), numberColumn("valid", c.valid),
		numberColumn("expires", c.expires), numberColumn("lastuse", c.lastUse),
		numberColumn("states", c.states), numberColumn("st.from", c.stateAt), numberColumn("st.vto", c.stateEnd),
		u8Column("st.stat", c.stateStatus), u8Column("st.tier", c.stateTier), u8Column("st.core", c.stateCore),
		numberColumn("uses", c.uses), numberColumn("us.day", c.useDay),
		numberColumn("label", c.labelEnds), u8Column("label.b", c.labels),
	}
	out = append(out, c.namespace.columns("ns")...)
	out = append(out, c.project.columns("proj")...)
	out = append(out, c.user.columns("user")...)
	return append(out, c.session.columns("sess")...)
}

// dictionary stores each text once; a row refers to it by number. Number 0 is the empty text.
type dictionary struct {
	rows  []uint32
	index map[string]uint32
	bytes []byte
	ends  []uint32
}

func (d *dictionary) add(s string) {
	if d.index == nil {
		d.index = map[string]uint32{"": 0}
		d.ends = []uint32{0}
	}
	i, known := d.index[s]
	if !known {
		i = uint32(len(d.index))
		d.index[s] = i
		d.bytes = append(d.bytes, s...)
		d.ends = append(d.ends, uint32(len(d.bytes)))
	}
	d.rows = append(d.rows, i)
}

func (d *dictionary) columns(name string) []column {
	return []column{numberColumn(name, d.rows), numberColumn(name+".e", d.ends), u8Column(name+".b", d.bytes)}
}

// bounds returns the lowest corner of the cube around all positions, and the width of one of
// its 65,535 steps.
func bounds(nodes []Node) (low [3]float32, step float32) {
	if len(nodes) == 0 {
		return low, 0
	}
	low = nodes[0].Position
	high := low
	for i := range nodes {
		for d, x := range nodes[i].Position {
			low[d], high[d] = min(low[d], x), max(high[d], x)
		}
	}
	for d := range low {
		step = max(step, (high[d]-low[d])/math.MaxUint16)
	}
	return low, step
}

func quantise(x, low, step float32) uint16 {
	if step == 0 {
		return 0
	}
	return uint16(math.Round(float64(min(max((x-low)/step, 0), math.MaxUint16))))
}

// fitLabelBudget truncates the labels and keeps those of the most important memories, ties by
// index, within the budget.
func fitLabelBudget(nodes []Node) []string {
	labels := make([]string, len(nodes))
	order := make([]int, len(nodes))
	for i := range nodes {
		labels[i], order[i] = clipLabel(nodes[i].Label), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(nodes[b].Importance, nodes[a].Importance)
	})
	left := LabelBudget
	for _, i := range order {
		if len(labels[i]) > left {
			labels[i] = ""
		}
		left -= len(labels[i])
	}
	return labels
}

// clipLabel truncates a label to LabelBytes at a character boundary, with an ellipsis.
func clipLabel(s string) string {
	if len(s) <= LabelBytes {
		return s
	}
	const ellipsis = "…"
	cut := LabelBytes - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ellipsis
}

// quantiseUnit maps [0,1] to a byte.
func quantiseUnit(x float64) uint8 { return uint8(math.Round(min(max(x, 0), 1) * 255)) }

// millis is the time in milliseconds since 1970; a float64 holds it exactly.
func millis(t time.Time) float64 { return float64(t.UnixMilli()) }

// millisSince is the time in milliseconds after born, or absent for the zero time.
func millisSince(t time.Time, born, absent float64) float64 {
	if t.IsZero() {
		return absent
	}
	return millis(t) - born
}
