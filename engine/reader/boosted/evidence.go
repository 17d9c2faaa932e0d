package boosted

import "math"

// Evidence is what the trees are asked about a pair of clauses: what the alignment shows, each
// answer in a byte. Sets of alternatives have one byte for each of them.
type Evidence [Size]uint8

// Writer fills in the answers in a fixed order.
type Writer struct {
	Out *Evidence
	N   int // answers that were written or left out
}

// Number writes a number of at most 255.
func (w *Writer) Number(v int) {
	w.Out[w.N] = uint8(max(0, min(255, v)))
	w.N++
}

// Flag writes whether something is so.
func (w *Writer) Flag(b bool) {
	if b {
		w.Out[w.N] = 1
	}
	w.N++
}

// One marks one of n alternatives; others above n are the last one.
func (w *Writer) One(v, n int) {
	w.Out[w.N+min(v, n-1)] = 1
	w.N += n
}

// Share writes a part of a whole in sixteenths; of nothing it is 16.
func (w *Writer) Share(part, whole int) {
	if whole == 0 {
		part, whole = 1, 1
	}
	w.Number(16 * part / whole)
}

// Logit writes a logit in eighths, from 0 to 255.
func (w *Writer) Logit(z float64) { w.Number(int(math.Round(128 + 8*z))) }

// Bytes returns the answers for the trees.
func (x *Evidence) Bytes() *[Size]uint8 { return (*[Size]uint8)(x) }

// SetWording adds the logit of the words of the two statements to the answers.
func (x *Evidence) SetWording(z float64) {
	x[Size-1] = uint8(max(0, min(255, math.Round(128+16*z))))
}

// WordGroups is the number of groups of classes of words.
const WordGroups = 9

// WordGroup puts classes of words, by their letters, into groups; 0 is no word.
func WordGroup(class byte) int {
	switch class {
	case 0:
		return 0
	case 'n', '$', 'u', '%': // number, money, amount, percent
		return 1
	case 't', 'd', 'w', 'p': // clock, date, weekday, part of a day
		return 2
	case 'v', 'i', '@': // version, code, address
		return 3
	case 'P': // person
		return 4
	case 'L', 'N': // place, name
		return 5
	case 'V': // verb
		return 6
	case 'x': // noun
		return 7
	}
	return 8
}
