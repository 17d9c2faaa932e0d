package static

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe merges the characters of a part pair by pair, in the order in which the pairs were
// learned (Sennrich et al., "Neural machine translation of rare words with subword units", ACL
// 2016, section 3.2).
type bpe struct {
	ids            vocabulary
	joins          map[pair]join
	prefix, suffix string      // prefix of a character that is not the first; suffix of the last one
	bytes          *[256]int32 // byte tokens for characters without a token; nil: none
	whole          bool        // keep a part that is itself a token
	unknown        int32       // id of the unknown token; -1: none
}

// pair is two adjacent tokens.
type pair struct{ left, right int32 }

// join is the result of merging a pair.
type join struct {
	rank int // the lowest rank is merged first
	id   int32
}

// merge is a pair of tokens: "a b" or ["a", "b"] in the file.
type merge struct{ left, right string }

// UnmarshalJSON reads both forms.
func (m *merge) UnmarshalJSON(data []byte) error {
	var two []string
	if len(data) > 0 && data[0] == '"' {
		var both string
		if err := json.Unmarshal(data, &both); err != nil {
			return err
		}
		two = strings.Split(both, " ")
	} else if err := json.Unmarshal(data, &two); err != nil {
		return err
	}
	if len(two) != 2 {
		return errors.New("a merge must have two tokens")
	}
	m.left, m.right = two[0], two[1]
	return nil
}

func readBPE(data []byte) (wordModel, int, error) {
	var file struct {
		Dropout      *float64   `json:"dropout"`
		Unknown      *string    `json:"unk_token"`
		Prefix       string     `json:"continuing_subword_prefix"`
		Suffix       string     `json:"end_of_word_suffix"`
		ByteFallback bool       `json:"byte_fallback"`
		IgnoreMerges bool       `json:"ignore_merges"`
		Vocab        vocabulary `json:"vocab"`
		Merges       []merge    `json:"merges"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, 0, fmt.Errorf("model: %w", err)
	}
	highest, err := file.Vocab.highest()
	if err != nil {
		return nil, 0, err
	}
	if file.Dropout != nil && *file.Dropout != 0 {
		return nil, 0, errors.New("model: dropout (merges left out at random) is not supported")
	}
	b := &bpe{
		ids: file.Vocab, joins: make(map[pair]join, len(file.Merges)),
		prefix: file.Prefix, suffix: file.Suffix, whole: file.IgnoreMerges, unknown: -1,
	}
	for rank, m := range file.Merges {
		left, there := b.ids[m.left]
		right, also := b.ids[m.right]
		id, joined := b.ids[m.left+strings.TrimPrefix(m.right, b.prefix)]
		if !there || !also || !joined {
			return nil, 0, fmt.Errorf("model: merge %d, of %q and %q, has a token that is not in the vocabulary", rank, m.left, m.right)
		}
		b.joins[pair{left, right}] = join{rank, id}
	}
	if file.ByteFallback {
		b.bytes = bytesOf(b.ids)
	}
	if file.Unknown != nil {
		b.unknown = b.ids.id(*file.Unknown)
	}
	return b, highest, nil
}

// bytesOf returns the ids of the tokens <0x00> to <0xFF>, or nil if one is missing.
func bytesOf(ids vocabulary) *[256]int32 {
	var all [256]int32
	for i := range all {
		id, there := ids[fmt.Sprintf("<0x%02X>", i)]
		if !there {
			return nil
		}
		all[i] = id
	}
	return &all
}

func (b *bpe) tokens(ids []int32, part string) []int32 {
	if id, there := b.ids[part]; there && b.whole {
		return append(ids, id)
	}
	for _, id := range b.joined(b.characters(part)) {
		if id != b.unknown {
			ids = append(ids, id)
		}
	}
	return ids
}

// characters returns the tokens of the single characters. A character without a token becomes
// its byte tokens, the unknown token, or nothing.
func (b *bpe) characters(part string) []int32 {
	out := make([]int32, 0, len(part))
	for rest := part; rest != ""; {
		_, size := utf8.DecodeRuneInString(rest)
		letter := rest[:size]
		name := letter
		if len(rest) < len(part) {
			name = b.prefix + name
		}
		if rest = rest[size:]; rest == "" {
			name += b.suffix
		}
		id, there := b.ids[name]
		switch {
		case there:
			out = append(out, id)
		case b.bytes != nil:
			for _, c := range []byte(letter) {
				out = append(out, b.bytes[c])
			}
		case b.unknown >= 0:
			out = append(out, b.unknown)
		}
	}
	return out
}

// bond is a position where two tokens can be merged.
type bond struct {
	join
	left, right int32 // tokens at the time of insertion, to detect outdated bonds
	at          int
}

// bonds is a heap with the pair of the lowest rank on top. Equal pairs are ordered from left
// to right.
type bonds []bond

func (h bonds) Len() int { return len(h) }
func (h bonds) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].rank, h[j].rank), cmp.Compare(h[i].at, h[j].at)) < 0
}
func (h bonds) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *bonds) Push(x any)   { *h = append(*h, x.(bond)) }
func (h *bonds) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// joined applies all merges, in O(n log n) for n tokens.
func (b *bpe) joined(ids []int32) []int32 {
	n := len(ids)
	before, after := make([]int, n), make([]int, n) // remaining neighbours; n: none
	var open bonds
	offer := func(at int) {
		if at < 0 || at >= n || after[at] >= n {
			return
		}
		left, right := ids[at], ids[after[at]]
		if j, there := b.joins[pair{left, right}]; there {
			heap.Push(&open, bond{j, left, right, at})
		}
	}
	for i := range ids {
		before[i], after[i] = i-1, i+1
	}
	for i := range ids {
		offer(i)
	}
	const gone = -1
	for open.Len() > 0 {
		top := heap.Pop(&open).(bond)
		if ids[top.at] != top.left || after[top.at] >= n || ids[after[top.at]] != top.right {
			continue
		}
		second := after[top.at]
		ids[top.at], ids[second] = top.id, gone
		after[top.at] = after[second]
		if after[second] < n {
			before[after[second]] = top.at
		}
		offer(before[top.at])
		offer(top.at)
	}
	left := ids[:0]
	for at := 0; at < n; at = after[at] {
		left = append(left, ids[at])
	}
	return left
}
