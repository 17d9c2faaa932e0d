package main

import (
	"context"
	"fmt"
	"os"

	"github.com/somnograph/somnograph/viz/umap"
)

// nightly holds the figures of a map over ten nights with 5 % new memories each.
type nightly struct {
	Kind           string
	First, Last    int       // memories
	Drift          []float64 // movement of the median old point in each night, in radii of the map
	Net            float64   // movement of the median point of the first map over all nights
	Preservation   float64   // of 10 neighbours, after the last night
	Anew           float64   // the same of a map drawn from scratch
	AnewMoves      float64   // how far that map moves the median old point, after rotation onto the old map
	SecondsOfNight float64   // processor time of the last night
}

func tenNights(ctx context.Context, k kind, last int) (*nightly, error) {
	fmt.Fprintf(os.Stderr, "ten nights, %s\n", k.Name)
	all := k.vectors(last)
	sizes := []int{last}
	for range 10 {
		sizes = append(sizes, sizes[len(sizes)-1]*20/21)
	}
	s := &nightly{Kind: k.Name, First: sizes[10], Last: last}
	m, err := umap.Fit(ctx, all[:s.First], umap.Options{})
	if err != nil {
		return nil, err
	}
	base := m.Places
	for night := 9; night >= 0; night-- {
		old, used := m.Places, processor()
		m, err = umap.Grow(ctx, all[:sizes[night]], func(i int) ([3]float32, umap.PointState) {
			if i < len(old) {
				return old[i], umap.Drawn
			}
			return [3]float32{}, umap.Unknown
		}, umap.Options{})
		if err != nil {
			return nil, err
		}
		s.Drift, s.SecondsOfNight = append(s.Drift, m.Drift), processor()-used
	}
	s.Net = umap.Displacement(base, m.Places[:s.First])
	anew, err := umap.Fit(ctx, all, umap.Options{})
	if err != nil {
		return nil, err
	}
	t := umap.Procrustes(anew.Places, m.Places)
	turned := make([][3]float32, last)
	for i, p := range anew.Places {
		turned[i] = t.Apply(p)
	}
	s.AnewMoves = umap.Displacement(m.Places, turned)
	for _, x := range []struct {
		places [][3]float32
		to     *float64
	}{{m.Places, &s.Preservation}, {anew.Places, &s.Anew}} {
		q, err := judge(ctx, all, x.places)
		if err != nil {
			return nil, err
		}
		*x.to = q.Preservation
	}
	return s, nil
}
