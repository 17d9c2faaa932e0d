package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// unigram segments a text into the tokens with the highest product of probabilities, by the
// Viterbi algorithm (Kudo, "Subword regularization", ACL 2018, section 3.2). A character that
// no token covers is skipped at the cost of unknownCost.
type unigram struct {
	ids     map[string]int32
	scores  []float64 // log probability by id
	longest int       // bytes of the longest token
	unknown int32     // id of the unknown token; -1: none
	cost    float64   // log probability of a character without a token
}

// unknownCost is subtracted from the lowest log probability for an unknown character, as in
// SentencePiece.
const unknownCost = 10

// piece is a token with its log probability, stored as a pair in the file.
type piece struct {
	token string
	score float64
}

// UnmarshalJSON reads [token, score].
func (p *piece) UnmarshalJSON(data []byte) error {
	pair := [2]any{&p.token, &p.score}
	return json.Unmarshal(data, &pair)
}

func readUnigram(data []byte) (wordModel, int, error) {
	var file struct {
		Unknown *int    `json:"unk_id"`
		Bytes   bool    `json:"byte_fallback"`
		Vocab   []piece `json:"vocab"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, 0, fmt.Errorf("model: %w", err)
	}
	switch {
	case len(file.Vocab) == 0:
		return nil, 0, errors.New("model: has no vocabulary")
	case len(file.Vocab) > maxTokens:
		return nil, 0, fmt.Errorf("model: has %d tokens; at most %d are supported", len(file.Vocab), maxTokens)
	case file.Bytes:
		return nil, 0, errors.New("model: byte_fallback is not supported")
	case file.Unknown != nil && (*file.Unknown < 0 || *file.Unknown >= len(file.Vocab)):
		return nil, 0, fmt.Errorf("model: unk_id %d is not one of its %d tokens", *file.Unknown, len(file.Vocab))
	}
	u := &unigram{ids: make(map[string]int32, len(file.Vocab)), scores: make([]float64, len(file.Vocab)), unknown: -1}
	if file.Unknown != nil {
		u.unknown = int32(*file.Unknown)
	}
	rarest := math.Inf(1)
	for i, p := range file.Vocab {
		if math.Abs(p.score) > 1e6 {
			return nil, 0, fmt.Errorf("model: token %q has the score %g", p.token, p.score)
		}
		u.scores[i] = p.score
		rarest = min(rarest, p.score)
		if p.token == "" || int32(i) == u.unknown {
			continue
		}
		u.longest = max(u.longest, len(p.token))
		u.ids[p.token] = int32(i)
	}
	u.cost = rarest - unknownCost
	return u, len(file.Vocab) - 1, nil
}

// step is the best path to an offset of the text.
type step struct {
	score float64
	from  int
	id    int32 // last token of the path; -1: a character without a token
}

func (u *unigram) tokens(ids []int32, text string) []int32 {
	var held [64]step
	best := append(held[:0], make([]step, len(text)+1)...)
	for i := range best {
		best[i].score = math.Inf(-1)
	}
	best[0].score = 0
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		offer := func(n int, score float64, id int32) {
			if total := best[at].score + score; total > best[at+n].score {
				best[at+n] = step{total, at, id}
			}
		}
		covered := false
		for n := size; n <= min(u.longest, len(text)-at); n++ {
			if at+n < len(text) && !utf8.RuneStart(text[at+n]) {
				continue
			}
			if id, there := u.ids[text[at:at+n]]; there {
				offer(n, u.scores[id], id)
				covered = covered || n == size
			}
		}
		if !covered {
			offer(size, u.cost, -1)
		}
		at += size
	}
	begun := len(ids)
	for at := len(text); at > 0; at = best[at].from {
		if best[at].id >= 0 {
			ids = append(ids, best[at].id)
		}
	}
	slices.Reverse(ids[begun:])
	return ids
}
