// Package linear has the logistic models that read how two statements are related from the words of both, with one
// calibrated certainty.
package linear

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Buckets is the number of weights of a head: features are hashed into 15 bits.
const Buckets = 1 << 15

// Features are the indices of the binary features of a pair of statements, below Buckets.
type Features = []uint16

// Heads of the model.
const (
	HeadFact   = iota // the later statement is asserted as a current fact
	HeadSlot          // both are about one slot
	HeadOther         // the values exclude each other
	HeadRevise        // all three, learned directly
	Heads
)

// Model is the weights of the heads and the calibration of the certainty.
type Model struct {
	Seed    uint64
	Scale   [Heads]float32       // of the quantised weights
	Weights [Heads][Buckets]int8 // weight = Scale · quantised
	Platt   [3]float64           // certainty = σ(Platt₀·logit(product) + Platt₁·revise + Platt₂)
}

// magic begins a file of weights; the digit is the version of the layout.
const magic = "SRW1"

// Read reads what AppendTo wrote. An empty file is a model that knows nothing.
func Read(data []byte) (*Model, error) {
	m := &Model{}
	if len(data) == 0 {
		return m, nil
	}
	size := len(magic) + 8 + 4*Heads + 8*len(m.Platt) + Heads*Buckets
	if len(data) != size || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("linear: weights: %d bytes, want %d that begin with %q", len(data), size, magic)
	}
	data = data[len(magic):]
	m.Seed, data = binary.LittleEndian.Uint64(data), data[8:]
	for i := range m.Scale {
		m.Scale[i], data = math.Float32frombits(binary.LittleEndian.Uint32(data)), data[4:]
	}
	for i := range m.Platt {
		m.Platt[i], data = math.Float64frombits(binary.LittleEndian.Uint64(data)), data[8:]
	}
	for h := range m.Weights {
		for i := range m.Weights[h] {
			m.Weights[h][i] = int8(data[i])
		}
		data = data[Buckets:]
	}
	return m, nil
}

// AppendTo appends the bytes of a model: "SRW1", seed, scales, calibration and weights, little
// endian.
func (m *Model) AppendTo(b []byte) []byte {
	b = slices.Grow(b, Heads*Buckets+100)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint64(b, m.Seed)
	for _, s := range m.Scale {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	for _, p := range m.Platt {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p))
	}
	for h := range m.Weights {
		for _, w := range m.Weights[h] {
			b = append(b, byte(w))
		}
	}
	return b
}

// Logits returns the logit of each head.
func (m *Model) Logits(f Features) (z [Heads]float64) {
	var sum [Heads]int32
	for _, i := range f {
		for h := range sum {
			sum[h] += int32(m.Weights[h][i])
		}
	}
	for h := range z {
		z[h] = float64(sum[h]) * float64(m.Scale[h])
	}
	return z
}

// Certainty returns the calibrated probability, in (0, 1), that the later statement revises the
// earlier one: Platt scaling (Platt, "Probabilistic outputs for support vector machines", 1999)
// of the logit of the product of the first three heads and the logit of the fourth.
func (m *Model) Certainty(z [Heads]float64) float64 {
	x := Joint(z)
	return sigmoid(m.Platt[0]*x + m.Platt[1]*z[HeadRevise] + m.Platt[2])
}

// Joint returns the logit of the product of the probabilities of the first three heads, in
// [-20, 20].
func Joint(z [Heads]float64) float64 {
	p := sigmoid(z[HeadFact]) * sigmoid(z[HeadSlot]) * sigmoid(z[HeadOther])
	return max(-20, min(20, math.Log(p/(1-p))))
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Embedded returns a model that is part of the program.
func Embedded[M any](m *M, err error) *M {
	if err != nil {
		panic(err)
	}
	return m
}
