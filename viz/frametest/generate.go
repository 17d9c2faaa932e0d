// Package frametest generates scenes of any size for benchmarks and for viewing.
package frametest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/frame"
)

// noCluster is one in how many memories that is in no cluster.
const noCluster = 9

// Generate returns a scene of n memories in sixty clusters, written over a year, with two edges
// each. One memory in nine is in no cluster. The same n gives the same scene.
func Generate(n int, now time.Time) *frame.Frame {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	topics := []string{"ferry", "kettle", "weir", "ledger", "orchard", "lantern"}
	places := []string{"harbour", "upper weir", "mill", "east quay", "winter store", "school", "long pond", "north field", "tower", "market"}
	labels := map[graph.ID]string{}
	var middles [60][3]float64
	for c := range middles {
		middles[c] = direction(r, 30+60*math.Cbrt(r.Float64()))
	}
	f := &frame.Frame{At: now, Cursor: 1, Drawing: 1, Total: n, Nodes: make([]frame.Node, n)}
	for i := range f.Nodes {
		c := r.IntN(len(middles))
		around := direction(r, 9*math.Abs(r.NormFloat64()))
		born := now.Add(-time.Duration(float64(365*24*time.Hour) * (1 - float64(i)/float64(n)))).Truncate(time.Millisecond)
		var id [16]byte
		id[6], id[8] = 0x70, 0x80
		binary.BigEndian.PutUint32(id[10:], uint32(i))
		binary.BigEndian.PutUint16(id[14:], uint16(r.Uint32()))
		node := &f.Nodes[i]
		*node = frame.Node{
			ID: graph.IDFromBytes(id), Type: graph.Types[r.IntN(len(graph.Types))], Namespace: "default", Project: topics[c%len(topics)],
			Session: fmt.Sprint("session ", i/12), Importance: math.Pow(r.Float64(), 3), Confidence: 1 - math.Pow(r.Float64(), 4), DecayClass: graph.DecayMedium, K: 0.005 + 0.02*r.Float64(),
			Version: 1, CreatedAt: born, ValidFrom: born, History: []graph.State{{From: born, Status: graph.Active, Tier: graph.L1}},
			Label: fmt.Sprintf("Note %d about the %s, written on day %d.", i, topics[c%len(topics)], i*365/n),
		}
		if i%noCluster != 0 {
			node.Cluster = graph.IDFromBytes([16]byte{1, 6: 0x70, 8: 0x80, 15: byte(c + 1)})
			topic := topics[c%len(topics)]
			labels[node.Cluster] = strings.ToUpper(topic[:1]) + topic[1:] + " and " + places[c/len(topics)]
		}
		for d := range node.Position {
			node.Position[d] = float32(middles[c][d] + around[d])
		}
		if r.IntN(3) == 0 {
			node.LastUse = born.Add(time.Duration(r.Int64N(int64(now.Sub(born) + 1)))).Truncate(time.Millisecond)
			node.UseDays = []int32{graph.Day(node.LastUse)}
		}
		if i > 0 {
			kind := "TEMPORAL_SEQ"
			if i%12 == 0 {
				kind = "SUPERSEDES"
			}
			f.Edges = append(f.Edges, frame.Edge{From: int32(i), To: int32(i - 1), Kind: kind, Weight: 1},
				frame.Edge{From: int32(i), To: int32(r.IntN(i)), Kind: "ENTITY_OVERLAP", Weight: r.Float64()})
		}
	}
	f.Clusters = frame.NewClusters(f.Nodes, labels)
	return f
}

// direction is a random point on a sphere.
func direction(r *rand.Rand, radius float64) [3]float64 {
	var v [3]float64
	for d := range v {
		v[d] = r.NormFloat64()
	}
	scale := radius / math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])
	for d := range v {
		v[d] *= scale
	}
	return v
}
