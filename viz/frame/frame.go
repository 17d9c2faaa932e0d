package frame

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Version is the version of the layout. A reader refuses any other.
const Version = 1

// LabelBytes is how long a label may be; longer ones are cut at a rune.
const LabelBytes = 120

// LabelBudget is how many bytes of labels one frame carries at most. The most
// important memories keep theirs; the others are asked for when they are needed.
const LabelBudget = 512 << 10

// Frame is a scene: what a tenant's memory looks like at an instant, with its past. It
// is whole, or what changes one into another (see [Diff]).
type Frame struct {
	At      time.Time    // the server's clock when the scene was read
	Cursor  graph.Cursor // changes up to here are in it
	Drawing uint64       // names the drawing of the map that the places lie on
	Total   int          // memories that there are; more than len(Nodes) where the scene is a part
	Nodes   []Node
	Edges   []Edge
	Regions []Region // of the map; in a part nil where they are as before

	// Of the first tile of a scene that is sent in tiles; see [Tiles].
	Tiles    []Tile
	TileHalf float32 // half the edge of the cube around the origin that the tiles divide

	// Of a part alone.
	ExternalIDs  []graph.ID // nodes that are not in it and at which its edges end
	Removed      []graph.ID // nodes that are no more; the edges at them are not named
	RemovedEdges []Edge     // edges that are no more; they have no weight
}

// Node is one memory.
type Node struct {
	ID             graph.ID
	Position       [3]float32
	Type           graph.Type
	Namespace      string
	Project        string
	User           string
	Session        string
	Importance     float64 // [0,1]
	DecayClass     graph.DecayClass
	K              float64 // decay constant per day; 0: never fades
	Important      bool
	SafetyCritical bool
	Version        int
	CreatedAt      time.Time     // ageing runs from here
	Anchor         time.Time     // last reinforcement; zero: none
	ValidFrom      time.Time     // on the valid clock
	ExpiresAt      time.Time     // zero: never
	History        []graph.State // oldest first, at least one
	UseDays        []int32       // distinct UTC days of use, ascending
	LastUse        time.Time     // zero: never used
	Label          string        // first words, for hovering
}

// Region is a part of the map with a name.
type Region struct {
	Centre [3]float32
	Radius float32 // half of its memories lie within
	Count  int     // memories in it
	Name   string
}

// Edge joins two nodes by their index in the frame: of Nodes, and behind them of Refs.
type Edge struct {
	From, To int32
	Kind     string  // one of EdgeKinds; SUPERSEDES runs from the newer to the older
	Weight   float64 // [0,1]; Jaccard for ENTITY_OVERLAP
}

// EdgeKinds lists the kinds of edge in the order of their codes on the wire.
var EdgeKinds = []string{
	"SUPERSEDES", "DERIVED_FROM", "CONSOLIDATED_INTO", "EVIDENCE_FOR", "CONTRADICTS",
	"SAME_SESSION", "TEMPORAL_SEQ", "ENTITY_OVERLAP",
}
