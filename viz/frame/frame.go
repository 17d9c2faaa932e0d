package frame

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Version is the version of the layout. A reader refuses other versions.
const Version = 1

// LabelBytes is the maximum length of a label; longer ones are truncated.
const LabelBytes = 120

// LabelBudget is the maximum size of all labels of a frame in bytes. The most important
// memories keep theirs; clients request others when needed.
const LabelBudget = 512 << 10

// Frame is a scene: the memory of a tenant at a point in time, with its history. It is
// complete, or a part that changes one scene into another (see [Diff]).
type Frame struct {
	At      time.Time    // the server's clock when the scene was read
	Cursor  graph.Cursor // position in the change feed up to which it is current
	Drawing uint64       // id of the drawing of the map that gives the positions
	Total   int          // total number of memories; more than len(Nodes) in a part
	Nodes   []Node
	Edges   []Edge
	Regions []Region // regions of the map; in a part nil if unchanged
	// Clusters of the scene, the largest first, ties by id. In a part: those that are new or
	// changed, and those that its nodes are in.
	Clusters []Cluster

	// In the root tile of a scene that is sent in tiles; see [Tiles].
	Tiles    []Tile
	TileHalf float32 // half the edge of the cube around the origin that the tiles divide

	// In a part only.
	ExternalIDs     []graph.ID // nodes outside the part that its edges refer to
	Removed         []graph.ID // removed nodes; their edges are not listed
	RemovedEdges    []Edge     // removed edges, without weights
	RemovedClusters []graph.ID // removed clusters; nodes that were in one are listed or removed
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
	Confidence     float64 // [0,1]
	DecayClass     graph.DecayClass
	K              float64 // decay constant per day; 0: never fades
	Important      bool
	SafetyCritical bool
	Version        int
	CreatedAt      time.Time     // ageing starts here
	Anchor         time.Time     // last reinforcement; zero: none
	ValidFrom      time.Time     // start of valid time
	ExpiresAt      time.Time     // zero: never
	History        []graph.State // oldest first, at least one
	UseDays        []int32       // distinct UTC days of use, ascending
	LastUse        time.Time     // zero: never used
	Label          string        // first words of the content
	Cluster        graph.ID      // cluster that it is in, one of Frame.Clusters; empty: none
}

// Region is a named region of the map.
type Region struct {
	Centre [3]float32
	Radius float32 // radius that contains half of its memories
	Count  int     // number of memories in it
	Name   string
}

// Cluster is a group of memories that mean alike.
type Cluster struct {
	ID     graph.ID
	Label  string     // what it is about, in words
	Count  int        // number of members in the scene
	Centre [3]float32 // median of the positions of its members, by axis
	Radius float32    // radius around the centre that contains half of its members
}

// Edge joins two nodes by their index in the frame: in Nodes, continued in ExternalIDs.
type Edge struct {
	From, To int32
	Kind     string  // one of EdgeKinds; SUPERSEDES points from the newer to the older
	Weight   float64 // [0,1]; Jaccard index for ENTITY_OVERLAP
}

// EdgeKinds lists the kinds of edges in the order of their encoded numbers.
var EdgeKinds = []string{
	"SUPERSEDES", "DERIVED_FROM", "CONSOLIDATED_INTO", "EVIDENCE_FOR", "CONTRADICTS",
	"SAME_SESSION", "TEMPORAL_SEQ", "ENTITY_OVERLAP",
}
