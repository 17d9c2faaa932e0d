package frame

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// NewClusters returns the clusters of a scene, the largest first, ties by id: each with the
// number of its members among the nodes, and where they are. labels has the label of every
// cluster by its id. A cluster without a member is left out.
func NewClusters(nodes []Node, labels map[graph.ID]string) []Cluster {
	members := make(map[graph.ID][]int32, len(labels))
	for i := range nodes {
		if id := nodes[i].Cluster; id != "" {
			members[id] = append(members[id], int32(i))
		}
	}
	out := make([]Cluster, 0, len(members))
	for id, list := range members {
		centre := median(nodes, list)
		out = append(out, Cluster{ID: id, Label: labels[id], Count: len(list), Centre: centre, Radius: halfRadius(nodes, list, centre)})
	}
	slices.SortFunc(out, compareClusters)
	return out
}

// compareClusters orders clusters: the largest first, ties by id.
func compareClusters(a, b Cluster) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
}

// median is the median of the positions of some nodes, by axis: members that lie far from the
// others hardly move it.
func median(nodes []Node, members []int32) [3]float32 {
	var out [3]float32
	axis := make([]float32, len(members))
	for d := range out {
		for k, i := range members {
			axis[k] = nodes[i].Position[d]
		}
		slices.Sort(axis)
		out[d] = axis[len(axis)/2]
	}
	return out
}

// halfRadius is the radius around a position that contains half of some nodes.
func halfRadius(nodes []Node, members []int32, centre [3]float32) float32 {
	far := make([]float64, len(members))
	for k, i := range members {
		for d, x := range nodes[i].Position {
			far[k] += float64(x-centre[d]) * float64(x-centre[d])
		}
	}
	slices.Sort(far)
	return float32(math.Sqrt(far[len(far)/2]))
}

// packClusters returns the columns of the clusters and of the nodes' membership; none if the
// frame lists no cluster.
func packClusters(f *Frame) ([]column, error) {
	numbers := make(map[graph.ID]uint32, len(f.Clusters))
	ids := make([]graph.ID, len(f.Clusters))
	var places, radii []float32
	var counts, ends []uint32
	var labels []byte
	for i, c := range f.Clusters {
		ids[i], numbers[c.ID] = c.ID, uint32(i+1)
		places, radii = append(places, c.Centre[:]...), append(radii, c.Radius)
		counts, labels = append(counts, uint32(c.Count)), append(labels, c.Label...)
		ends = append(ends, uint32(len(labels)))
	}
	of := make([]uint32, len(f.Nodes))
	for i := range f.Nodes {
		id := f.Nodes[i].Cluster
		if id == "" {
			continue
		}
		n, listed := numbers[id]
		if !listed {
			return nil, fmt.Errorf("frame: node %d is in the cluster %q, which is not listed", i, id)
		}
		of[i] = n
	}
	if len(f.Clusters) == 0 {
		return nil, nil
	}
	col, err := idColumn("cl.id", ids)
	return []column{
		numberColumn("cluster", of), col, numberColumn("cl.pos", places), numberColumn("cl.r", radii), numberColumn("cl.n", counts),
		numberColumn("cl", ends), u8Column("cl.b", labels),
	}, err
}

// clusters reads the clusters and the membership of the nodes, which are read before.
func (d *decoder) clusters(f *Frame) {
	ids := d.ids("cl.id")
	if d.err != nil || ids == nil {
		return
	}
	n := len(ids)
	labels := d.slices(numbers[uint32](d, "cl", n), d.u8("cl.b", -1))
	counts, places, radii := numbers[uint32](d, "cl.n", n), numbers[float32](d, "cl.pos", 3*n), numbers[float32](d, "cl.r", n)
	of := numbers[uint32](d, "cluster", len(f.Nodes))
	if d.err != nil {
		return
	}
	f.Clusters = make([]Cluster, n)
	for i := range f.Clusters {
		f.Clusters[i] = Cluster{ID: ids[i], Label: labels[i], Count: int(counts[i]), Centre: [3]float32(places[3*i:]), Radius: radii[i]}
	}
	for i, k := range of {
		if int(k) > n {
			d.fail("node %d is in cluster %d of %d", i, k, n)
			return
		}
		if k > 0 {
			f.Nodes[i].Cluster = ids[k-1]
		}
	}
}

// diffClusters lists the clusters that are new or changed, those that the nodes of the part are
// in, and the ids of those that are gone.
func (p *Frame) diffClusters(before, after *Frame) {
	held := make(map[graph.ID]Cluster, len(before.Clusters))
	for _, c := range before.Clusters {
		held[c.ID] = c
	}
	named := p.clustersOfNodes()
	for _, c := range after.Clusters {
		old, known := held[c.ID]
		delete(held, c.ID)
		if !known || old != c || named[c.ID] {
			p.Clusters = append(p.Clusters, c)
		}
	}
	for _, c := range before.Clusters { // in order, so that the bytes don't depend on map iteration
		if _, gone := held[c.ID]; gone {
			p.RemovedClusters = append(p.RemovedClusters, c.ID)
		}
	}
}

// clustersOfNodes returns the ids of the clusters that the nodes of a frame are in.
func (f *Frame) clustersOfNodes() map[graph.ID]bool {
	named := map[graph.ID]bool{}
	for i := range f.Nodes {
		if id := f.Nodes[i].Cluster; id != "" {
			named[id] = true
		}
	}
	return named
}
