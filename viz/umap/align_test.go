package umap

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func cloud(noise *splitmix, n int, flat bool) [][3]float32 {
	out := make([][3]float32, n)
	for i := range out {
		out[i] = [3]float32{4 * noise.signed(), 2 * noise.signed(), noise.signed()}
		if flat {
			out[i][2] = 0
		}
	}
	return out
}

// rotation is a rotation about an axis by an angle (Rodrigues' formula).
func rotation(axis [3]float64, angle float64) (r [3][3]float64) {
	c, s := math.Cos(angle), math.Sin(angle)
	x, y, z := axis[0], axis[1], axis[2]
	return [3][3]float64{
		{c + x*x*(1-c), x*y*(1-c) - z*s, x*z*(1-c) + y*s},
		{y*x*(1-c) + z*s, c + y*y*(1-c), y*z*(1-c) - x*s},
		{z*x*(1-c) - y*s, z*y*(1-c) + x*s, c + z*z*(1-c)},
	}
}

func applied(t Transform, places [][3]float32) [][3]float32 {
	out := make([][3]float32, len(places))
	for i, p := range places {
		out[i] = t.Apply(p)
	}
	return out
}

func TestProcrustesUndoesRotationAndTranslation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := splitmix(rapid.Uint64().Draw(t, "seed"))
		flat := rapid.Bool().Draw(t, "flat")
		from := cloud(&noise, 12, flat)
		axis := [3]float64{0, 0, 1}
		shift := [3]float64{5, -3, 0}
		if !flat {
			axis = [3]float64{float64(noise.signed()), float64(noise.signed()), float64(noise.signed()) + 1e-3}
			l := math.Sqrt(axis[0]*axis[0] + axis[1]*axis[1] + axis[2]*axis[2])
			for d := range axis {
				axis[d] /= l
			}
			shift[2] = 7
		}
		r := rotation(axis, rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle"))
		to := applied(Transform{r, shift}, from)
		if d := Displacement(to, applied(Procrustes(from, to), from)); d > 1e-5 {
			t.Errorf("off by %g of the radius", d)
		}
	})
}

func TestProcrustesNeverReflects(t *testing.T) {
	noise := splitmix(3)
	for _, flat := range []bool{false, true} {
		from := cloud(&noise, 20, flat)
		to := make([][3]float32, len(from))
		for i, p := range from {
			to[i] = [3]float32{-p[0], p[1], p[2]}
		}
		r := Procrustes(from, to).Rotation
		det := r[0][0]*(r[1][1]*r[2][2]-r[1][2]*r[2][1]) - r[0][1]*(r[1][0]*r[2][2]-r[1][2]*r[2][0]) + r[0][2]*(r[1][0]*r[2][1]-r[1][1]*r[2][0])
		if math.Abs(det-1) > 1e-9 {
			t.Errorf("flat %v: the determinant is %g, want 1", flat, det)
		}
	}
}

func TestProcrustesOfDegenerateInput(t *testing.T) {
	for name, x := range map[string]struct{ from, to [][3]float32 }{
		"none": {}, "one": {[][3]float32{{1, 2, 3}}, [][3]float32{{4, 4, 4}}},
		"a spot": {make([][3]float32, 5), make([][3]float32, 5)},
		"a line": {[][3]float32{{0, 0, 1}, {0, 0, 2}}, [][3]float32{{1, 0, 0}, {2, 0, 0}}},
	} {
		got := applied(Procrustes(x.from, x.to), x.from)
		for i := range got {
			for d := range got[i] {
				if math.Abs(float64(got[i][d]-x.to[i][d])) > 1e-5 {
					t.Errorf("%s: %v, want %v", name, got, x.to)
				}
			}
		}
	}
}

func TestDisplacementByHand(t *testing.T) {
	before := [][3]float32{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}} // radius 1
	after := [][3]float32{{-1, 0, 0.1}, {1, 0, 0.3}, {0, 1, 0.2}, {0, -1, 0.5}}
	if d := Displacement(before, after); math.Abs(d-0.3) > 1e-6 {
		t.Errorf("displacement %g, want .3", d)
	}
	if Displacement(nil, nil) != 0 || Displacement(make([][3]float32, 3), after[:3]) != 0 {
		t.Error("a map without extent has a displacement")
	}
}
