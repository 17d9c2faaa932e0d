package audit

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// BenchmarkOwnRow reads a row as each sealing does.
func BenchmarkOwnRow(b *testing.B) {
	c := &chain{Chain: "97a9acee56d49199", Pending: bytes.Repeat([]byte{1}, 32)}
	row := Row{At: time.Unix(1_700_000_000, 0).UTC(), Principal: "k_0123456789abcdef", Verb: "remember", Namespaces: []string{"default"},
		IDs: []graph.ID{"019cadc6-9a80-7001-a48e-d247dbe5882e"}, Outcome: OK, Decision: "CREATED", Count: 1, Millis: 12.25}
	n := &graph.Note{ID: "019cadc6-9a80-7001-a48e-d247dbe5882f"}
	text, err := json.Marshal(row)
	if err == nil {
		n.Data, err = json.Marshal(pending{Chain: c.Chain, MAC: mac(c.Pending, []byte(n.ID), text), Row: row})
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, own := c.ownRow(n); !own {
			b.Fatal("the row is not taken")
		}
	}
}
