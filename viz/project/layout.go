package project

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/umap"
)

// Radius is the distance from the centre within which nearly all positions lie.
const Radius = 100

const (
	sampleSize = 1024    // memories in a map that is drawn while a request waits
	maxDrawn   = 250_000 // maximum memories in a map; larger sets keep the map of a sample
)

// Layout holds the positions of a growing set of memories. The zero value is empty and ready to
// use. It is safe for concurrent use.
//
// Positions are stored in units of the map, in which close neighbours are about 0.1 apart. The
// returned positions are scaled by a factor that changes only when a map is drawn from scratch.
type Layout struct {
	sampleLimit int        // memories in a sample; 0: sampleSize
	drawMu      sync.Mutex // serialises drawings

	mu        sync.Mutex
	base      *umap.Map // map on which new memories are placed; nil: none yet
	complete  bool      // base is a map of all memories, not of a sample
	drawing   uint64    // id of the current drawing
	scale     float64
	positions map[graph.ID]position
}

// position is the position of a memory in units of the map.
type position struct {
	at          [3]float32
	fingerprint uint64 // of the vector at this position
	drawn       bool   // part of a drawing; else placed on one
}

// Point is a memory with its vector; nil if it is not embedded yet.
type Point struct {
	ID     graph.ID
	Vector []float32
}

// Places returns the positions of the points, in their order. A point whose vector can't be
// drawn (missing, not finite, or not of the most common dimension) gets a position on a shell
// outside the map. If there is no map, or a small one that the set has outgrown, Places draws
// one of at most 1,024 memories. Otherwise it takes about 50 µs for each new memory. The error
// is that of ctx.
func (l *Layout) Places(ctx context.Context, points []Point) ([][3]float32, error) {
	all := members(points)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.ensureMap(ctx, all); err != nil {
		return nil, err
	}
	var fresh []member
	for _, m := range all {
		if _, known := l.knownPosition(m); !known {
			fresh = append(fresh, m)
		}
	}
	spots, errs := make([]position, len(fresh)), make([]error, len(fresh))
	parallelFor(len(fresh), func(k int) {
		m := fresh[k]
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		spots[k].fingerprint = m.fingerprint
		spots[k].at, errs[k] = l.base.Place(m.vector)
		for d, x := range direction(m.id) { // near duplicates get adjacent positions
			spots[k].at[d] += x / 16
		}
	})
	for k, m := range fresh {
		if errs[k] != nil {
			return nil, errs[k]
		}
		l.positions[m.id] = spots[k]
	}
	out := make([][3]float32, len(points))
	for i, p := range points {
		out[i] = shellPosition(p.ID)
	}
	for _, m := range all {
		for d, x := range l.positions[m.id].at {
			out[m.index][d] = float32(float64(x) * l.scale)
		}
	}
	return out, nil
}

// Drawing identifies the map of the positions. It changes whenever memories on the map may have
// moved. 0: there is no map.
func (l *Layout) Drawing() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drawing
}

// mapDigest is FNV-1a over the positions and the scale of a map.
func mapDigest(m *umap.Map, scale float64) uint64 {
	h := fnv.New64a()
	var b [12]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(scale))
	h.Write(b[:8])
	for _, p := range m.Places {
		for d, x := range p {
			binary.LittleEndian.PutUint32(b[4*d:], math.Float32bits(x))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

// knownPosition is the position of a memory, unless its vector has changed.
func (l *Layout) knownPosition(m member) (position, bool) {
	s, ok := l.positions[m.id]
	return s, ok && s.fingerprint == m.fingerprint
}

// ensureMap makes sure that there is a map for placing memories: the saved one if it covers
// most memories, else one of a sample; and a new one if the set has outgrown a small map.
func (l *Layout) ensureMap(ctx context.Context, all []member) error {
	if l.positions == nil {
		l.positions = map[graph.ID]position{}
	}
	limit := l.sampleLimit
	if limit == 0 {
		limit = sampleSize
	}
	grown := outgrown(l.compare(all).drawn, len(all))
	if len(all) == 0 || l.base != nil && (!grown || len(l.base.Places) >= limit) {
		return nil
	}
	if l.base == nil && !grown {
		var have []member
		for _, m := range all {
			if s, ok := l.knownPosition(m); ok && s.drawn {
				have = append(have, m)
			}
		}
		have = evenSample(have, limit)
		places, _ := l.startPositions(have, false)
		m, err := umap.Restore(ctx, vectors(have), places, umap.Options{})
		if err == nil {
			l.base, l.drawing = m, mapDigest(m, l.scale)
		}
		return err
	}
	some := evenSample(all, limit)
	places, stands := l.startPositions(some, true)
	m, err := umap.Grow(ctx, vectors(some), func(k int) ([3]float32, umap.PointState) { return places[k], stands[k] }, umap.Options{})
	if err == nil {
		l.install(m, some, len(some) == len(all), true)
	}
	return err
}

// NeedsRedraw reports whether Redraw is due: the map is that of a sample, or one in twenty
// memories was added or removed since the drawing.
func (l *Layout) NeedsRedraw(points []Point) bool {
	all := members(points)
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(all) > 0 && len(all) <= maxDrawn && (!l.complete || l.compare(all).stale())
}

// Redraw draws the map of the points on at most workers processors. It takes seconds for tens
// of thousands of points. Until it is done, Places returns the old positions. Memories on the
// old map stay near their positions; drift is their median move in radii of the map, or 0 if
// the map is drawn from scratch (the first time, and when a third of it is new). If almost
// nothing has changed, nothing moves. Points that are not given are forgotten. The error is
// that of ctx.
func (l *Layout) Redraw(ctx context.Context, points []Point, workers int) (drift float64, err error) {
	l.drawMu.Lock()
	defer l.drawMu.Unlock()
	all := members(points)
	l.mu.Lock()
	count := l.compare(all)
	scratch := outgrown(count.drawn, len(all))
	places, stands := l.startPositions(all, scratch)
	l.mu.Unlock()

	o := umap.Options{Workers: workers}
	var m *umap.Map
	if count.known == len(all) && !scratch && !count.stale() {
		m, err = umap.Restore(ctx, vectors(all), places, o)
	} else {
		m, err = umap.Grow(ctx, vectors(all), func(k int) ([3]float32, umap.PointState) { return places[k], stands[k] }, o)
	}
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.install(m, all, true, scratch)
	return m.Drift, nil
}

// startPositions returns the positions and states of memories before a drawing. A drawing from
// scratch may move all of them.
func (l *Layout) startPositions(all []member, scratch bool) ([][3]float32, []umap.PointState) {
	places, stands := make([][3]float32, len(all)), make([]umap.PointState, len(all))
	for k, m := range all {
		s, ok := l.knownPosition(m)
		switch {
		case !ok:
			continue
		case s.drawn && !scratch:
			stands[k] = umap.Drawn
		default:
			stands[k] = umap.Placed
		}
		places[k] = s.at
	}
	return places, stands
}

// install replaces all positions by those of a map.
func (l *Layout) install(m *umap.Map, all []member, whole, scratch bool) {
	l.base, l.complete = m, whole
	l.positions = make(map[graph.ID]position, len(all))
	for k, member := range all {
		l.positions[member.id] = position{m.Places[k], member.fingerprint, whole}
	}
	if scratch {
		l.scale = Radius / outerRadius(m.Places)
	}
	l.drawing = mapDigest(m, l.scale)
}

// setChange counts the differences between a set and the map.
type setChange struct{ all, known, drawn, gone int }

func (l *Layout) compare(all []member) setChange {
	c := setChange{all: len(all)}
	for _, m := range all {
		if s, ok := l.knownPosition(m); ok {
			c.known++
			if s.drawn {
				c.drawn++
			}
		}
	}
	for _, s := range l.positions {
		if s.drawn {
			c.gone++
		}
	}
	c.gone -= c.drawn
	return c
}

// stale reports whether at least five memories, and one in twenty, were added or removed since
// the drawing.
func (c setChange) stale() bool { return (c.all-c.drawn+c.gone-5)*20 >= c.all }

// outgrown reports whether more than a third of n memories are not on the map.
func outgrown(drawn, n int) bool { return drawn*3 < n*2 }
