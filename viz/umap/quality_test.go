package umap

import (
	"math"
	"testing"
)

func TestEvaluateByHand(t *testing.T) {
	// Directions at 0°, 10°, 30° and 70°: the nearest of each are 1, 0, 1, 2.
	var in [][]float32
	for _, degrees := range []float64{0, 10, 30, 70} {
		in = append(in, []float32{float32(math.Cos(degrees * math.Pi / 180)), float32(math.Sin(degrees * math.Pi / 180))})
	}
	line := func(x ...float32) (places [][3]float32) {
		for _, x := range x {
			places = append(places, [3]float32{x, 0, 0})
		}
		return places
	}
	for _, x := range []struct {
		name   string
		places [][3]float32
		want   Quality
	}{
		{"true", line(0, 1, 3, 7), Quality{1, 1}},
		// Nearest on the map: 1, 0, 3, 2. By angle, 3 is third for 2, after 1 and 0.
		{"one wrong", line(0, 1, 7, 9), Quality{0.75, 1 - 2.0*2/(4*1*(8-3-1))}},
	} {
		got, err := Evaluate(t.Context(), in, x.places, 1)
		if err != nil || math.Abs(got.Preservation-x.want.Preservation) > 1e-12 || math.Abs(got.Trustworthiness-x.want.Trustworthiness) > 1e-12 {
			t.Errorf("%s: %+v, %v, want %+v", x.name, got, err, x.want)
		}
	}
	for _, k := range []int{0, 2} {
		if _, err := Evaluate(t.Context(), in, line(0, 1, 2, 3), k); err == nil {
			t.Errorf("k = %d of 4: no error", k)
		}
	}
	if _, err := Evaluate(t.Context(), in, line(0, 1), 1); err == nil {
		t.Error("two places of four vectors: no error")
	}
}
