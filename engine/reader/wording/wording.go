// Package wording finds how the words of two statements show that the later one revises the earlier one: binary features of
// their sequences, of what they share, and of how they begin and end, with learned weights.
package wording

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// Token is a word of a statement as the weights see it.
type Token struct {
	Low, Lem   uint32 // hashes of the word in lower case and of its lemma, see Hash
	Class      byte   // letter of its class
	Value      bool   // its class is one of values
	Verb       bool   // its class is that of verbs
	Content    bool   // it is no function word
	First      bool   // it begins a sentence
	Possessive bool   // it had 's
	Sets       []Member
}

// Member is the place of a word in a set of words of one kind.
type Member struct {
	Set  uint16
	Side uint8 // words of different sides exclude each other
}

// MaxTokens is the number of words of a statement that count.
const MaxTokens = 96

// Buckets is the number of weights: features are hashed into 15 bits.
const Buckets = 1 << 15

// Features are the indices of the binary features of a pair of statements, below Buckets.
type Features = []uint16

// Hash is the 32-bit FNV-1a hash of a text.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// hasToken reports a word with content among tokens.
func hasToken(all []Token, lem uint32) bool {
	for i := range all {
		if all[i].Lem == lem && all[i].Content {
			return true
		}
	}
	return false
}

// Families of features of the wording.
const (
	saidWord uint32 = iota + 1
	saidTwo
	saidThree
	saidOpening
	leftWord
	leftTwo
	sharedWord
	sharedClass1
	pronounsOf
	countOf
	firstWords
	kindOf
	classesOf
	negations
	openings
	possessors
	newVerb
)

// wording collects the features of the words of two statements.
type wording struct {
	out Features
	a   []Token
	b   []Token
}

func (f *wording) add(values ...uint32) {
	h := uint32(0x7f4a7c15)
	for _, v := range values {
		h = bits.RotateLeft32(h^v*0x85ebca6b, 13) * 0xc2b2ae35
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 13
	f.out = append(f.out, uint16(h&(Buckets-1)))
}

// symbol is what stands for a word: '=' for content that the other statement has, the class of a
// value, and otherwise the word itself, or its class if words are masked.
func symbol(t *Token, others []Token, masked bool) uint32 {
	switch {
	case !t.Content:
		return t.Low
	case hasToken(others, t.Lem):
		return '='
	case t.Value || masked:
		return uint32(t.Class)
	}
	return t.Lem
}

// group of a pronoun: 1 I, 2 we, 3 you, 4 another person, 0 no pronoun.
var pronounGroups = func() map[uint32]uint32 {
	m := map[uint32]uint32{}
	for g, words := range [][]string{1: {"i", "me", "my", "mine", "myself"}, 2: {"we", "us", "our", "ours"}, 3: {"you", "your", "yours"}, 4: {"he", "him", "his", "she", "her", "hers"}, 5: {"they", "them", "their", "theirs"}, 6: {"it", "its"}, 7: {"someone", "somebody", "everyone", "everybody", "anyone"}} {
		for _, w := range words {
			m[Hash(w)] = uint32(g)
		}
	}
	return m
}()

var negativeWords = func() map[uint32]bool {
	m := map[uint32]bool{}
	for _, w := range []string{"not", "no", "never", "nothing", "none", "without", "nobody"} {
		m[Hash(w)] = true
	}
	return m
}()

// Of returns the features of the words of two statements.
func Of(a, b []Token) Features {
	f := wording{a: a, b: b, out: make(Features, 0, 6*len(b)+4*len(a)+32)}
	f.sequences()
	f.shared()
	f.openings()
	return f.out
}

// sequences adds what the later statement says and what it leaves out.
func (f *wording) sequences() {
	const start, end = '^', '$'
	last, before, lastMask := uint32(start), uint32(start), uint32(start)
	sentence := uint32(0)
	for i := range f.b {
		t := &f.b[i]
		if t.First && i > 0 {
			f.add(saidTwo, last, end)
			last, before, lastMask = start, start, start
			sentence++
		}
		s, m := symbol(t, f.a, false), symbol(t, f.a, true)
		f.add(saidWord, s)
		f.add(saidTwo, last, s)
		f.add(saidThree, before, lastMask, m)
		if t.First && i+1 < len(f.b) {
			next := symbol(&f.b[i+1], f.a, false)
			f.add(saidOpening, min(sentence, 1), s)
			f.add(saidOpening, min(sentence, 1), s, next)
		}
		if t.Content && t.Verb && s != '=' {
			f.add(newVerb, s)
		}
		before, last, lastMask = lastMask, s, m
	}
	f.add(saidTwo, last, end)
	last = start
	for i := range f.a {
		t := &f.a[i]
		s := symbol(t, f.b, false)
		if s != '=' {
			f.add(leftWord, s)
		}
		m := symbol(t, f.b, true)
		f.add(leftTwo, last, m)
		last = m
	}
}

// shared adds what the statements have in common and what of one kind differs.
func (f *wording) shared() {
	common, left, new := uint32(0), uint32(0), uint32(0)
	var classesA, classesB uint64
	var saidBy [2]uint32
	var negated [2]uint32
	var owners [2]uint32
	for side, list := range [...][]Token{f.a, f.b} {
		others := f.b
		if side == 1 {
			others = f.a
		}
		for i := range list {
			t := &list[i]
			if !t.Content {
				if g, ok := pronounGroups[t.Low]; ok {
					saidBy[side] |= 1 << g
				}
				if negativeWords[t.Low] {
					negated[side] = 1
				}
				continue
			}
			in := hasToken(others, t.Lem)
			if t.Possessive {
				owners[side] |= 1 + flag(in)
			}
			switch {
			case in && side == 0:
				common++
				f.add(sharedWord, t.Lem)
				f.add(sharedClass1, uint32(t.Class))
			case side == 0:
				left++
				classesA |= 1 << (t.Class & 63)
			case !in:
				new++
				classesB |= 1 << (t.Class & 63)
			}
		}
	}
	f.add(countOf, 1, min(common, 4))
	f.add(countOf, 2, min(left, 4), min(new, 5))
	f.add(countOf, 3, min(common, 3), min(new, 6))
	f.add(countOf, 4, min(common, 3), min(left, 3))
	f.add(countOf, 5, min(uint32(len(f.b))/3, 8))
	f.add(negations, negated[0], negated[1])
	f.add(negations, negated[0], negated[1], min(common, 2))
	f.add(possessors, owners[0], owners[1])
	for g := uint32(1); g < 8; g++ {
		if x, y := saidBy[0]>>g&1, saidBy[1]>>g&1; x+y > 0 {
			f.add(pronounsOf, g, x, y)
		}
	}
	f.add(pronounsOf, 99, saidBy[0]&7, saidBy[1]&7)
	for a := classesA; a != 0; a &= a - 1 {
		for b := classesB; b != 0; b &= b - 1 {
			f.add(classesOf, uint32(bits.TrailingZeros64(a)), uint32(bits.TrailingZeros64(b)))
		}
	}
	f.kinds()
}

// kinds adds the sets of the table that a word which only the earlier statement has shares with one
// that only the later one has.
func (f *wording) kinds() {
	for i := range f.a {
		x := &f.a[i]
		if len(x.Sets) == 0 || !x.Content || hasToken(f.b, x.Lem) {
			continue
		}
		for j := range f.b {
			y := &f.b[j]
			if len(y.Sets) == 0 || !y.Content || hasToken(f.a, y.Lem) {
				continue
			}
			for _, m := range x.Sets {
				for _, n := range y.Sets {
					if m.Set == n.Set {
						f.add(kindOf, uint32(m.Set), flag(m.Side != n.Side))
						f.add(kindOf, 9999, flag(m.Side != n.Side))
					}
				}
			}
		}
	}
}

// openings adds how the statements begin and end, and whether the other one has these words.
func (f *wording) openings() {
	if len(f.a) == 0 || len(f.b) == 0 {
		return
	}
	x, y := opening(f.a), opening(f.b)
	f.add(openings, x, y)
	fa, fb := firstContent(f.a), firstContent(f.b)
	if fa != nil && fb != nil {
		f.add(firstWords, 1, flag(hasToken(f.b, fa.Lem)), flag(hasToken(f.a, fb.Lem)), flag(fa.Lem == fb.Lem))
		f.add(firstWords, 2, flag(hasToken(f.b, fa.Lem)), uint32(fa.Class), uint32(fb.Class))
	}
	la, lb := lastContent(f.a), lastContent(f.b)
	if la != nil && lb != nil {
		f.add(firstWords, 3, flag(hasToken(f.b, la.Lem)), flag(hasToken(f.a, lb.Lem)))
		f.add(firstWords, 4, uint32(la.Class), uint32(lb.Class), flag(la.Lem == lb.Lem))
	}
}

func opening(list []Token) uint32 {
	if list[0].Content {
		return uint32(list[0].Class)
	}
	return list[0].Low
}

func firstContent(list []Token) *Token {
	for i := range list {
		if list[i].Content {
			return &list[i]
		}
	}
	return nil
}

func lastContent(list []Token) *Token {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Content {
			return &list[i]
		}
	}
	return nil
}

// Model is the weights of the words of two statements, learned from written pairs.
type Model struct {
	Scale   float32 // of the quantised weights
	Weights [Buckets]int8
}

// Logit returns the logit that the later statement revises the earlier one, as far as their words
// show it.
func (m *Model) Logit(f Features) float64 {
	sum := int32(0)
	for _, i := range f {
		sum += int32(m.Weights[i])
	}
	return float64(sum) * float64(m.Scale)
}

const magic = "SRP1"

// Read reads what AppendTo wrote. An empty file knows nothing.
func Read(data []byte) (*Model, error) {
	m := &Model{}
	if len(data) == 0 {
		return m, nil
	}
	if len(data) != len(magic)+4+Buckets || string(data[:len(magic)]) != magic {
		return nil, errors.New("wording: weights: the file is cut or of another version")
	}
	data = data[len(magic):]
	m.Scale, data = math.Float32frombits(binary.LittleEndian.Uint32(data)), data[4:]
	for i := range m.Weights {
		m.Weights[i] = int8(data[i])
	}
	return m, nil
}

// AppendTo appends the bytes of the weights: "SRP1", scale and weights, little endian.
func (m *Model) AppendTo(b []byte) []byte {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Scale))
	for _, w := range m.Weights {
		b = append(b, byte(w))
	}
	return b
}
