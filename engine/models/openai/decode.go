package openai

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/somnograph/somnograph/engine/models"
)

// answer is the part of the response that is used.
type answer struct {
	Data []struct {
		Index     *int   `json:"index"`
		Embedding vector `json:"embedding"`
	} `json:"data"`
}

// vector decodes a list of numbers, or base64 of little-endian float32.
type vector []float32

func (v *vector) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '"' {
		return json.Unmarshal(b, (*[]float32)(v))
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	if len(raw)%4 != 0 {
		return errors.New("not a whole number of float32")
	}
	*v = make(vector, len(raw)/4)
	for i := range *v {
		(*v)[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return nil
}

// decode reads n vectors and sorts them by index. Without indexes, the vectors are in the
// order of the texts.
func decode(r io.Reader, n int) ([][]float32, error) {
	var a answer
	if err := json.NewDecoder(r).Decode(&a); err != nil {
		return nil, &models.Error{Message: "the answer is not that of an embeddings endpoint"}
	}
	if len(a.Data) != n {
		return nil, &models.Error{Message: fmt.Sprintf("received %d vectors for %d texts", len(a.Data), n)}
	}
	out := make([][]float32, n)
	for place, d := range a.Data {
		if d.Index != nil {
			place = *d.Index
		}
		if place < 0 || place >= n || out[place] != nil {
			return nil, &models.Error{Message: "the indexes of the vectors are not those of the texts"}
		}
		out[place] = d.Embedding
		if out[place] == nil {
			return nil, &models.Error{Message: "received a vector of length 0 or with non-finite numbers"}
		}
	}
	return out, nil
}
