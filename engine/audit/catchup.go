package audit

import (
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// clone is a copy of the chain.
func (c *chain) clone() chain {
	x := *c
	x.past = maps.Clone(c.past)
	return x
}

// nextDay begins the next epoch.
func (c *chain) nextDay() {
	c.past[c.Epoch] = c.macKey()
	c.Seed, c.Epoch, c.Floor, c.Day = ratchet(c.Seed), c.Epoch+1, c.Day.Add(24*time.Hour), time.Time{}
}

// catchUp takes in the rows of the store that the keys do not know, because a crash came between the
// two, or because the keys are an older copy. It ends at the first row that does not belong to the chain
// and returns its number, 0 if there is none; Verify names such rows.
func (c *chain) catchUp(r graph.Reader) (stray uint64, err error) {
	late, err := c.late(r)
	if err != nil || len(late) == 0 {
		return 0, err
	}
	roots, err := rootTexts(r)
	if err != nil {
		return 0, err
	}
	for _, b := range late {
		for c.Epoch < b.Epoch && c.Next == nil && c.closedIn(roots) {
			c.nextDay()
		}
		for i, x := range b.Rows {
			seq := b.First + uint64(i)
			want, err := rowMAC(c.macKey(), c.MAC, seq, x.Row)
			if err != nil || seq != c.Seq+1 || b.Epoch != c.Epoch || !equal(want, x.MAC) {
				return seq, nil
			}
			c.Seq, c.MAC, c.Day = seq, x.MAC, c.dayOf(x.Row.At)
		}
	}
	return 0, nil
}

// late returns the blocks of the chain with rows that the keys do not know, oldest first.
func (c *chain) late(r graph.Reader) (late []*block, err error) {
	for n, err := range notes(r, graph.NoteAuditBlock, "", true) {
		if graph.DamagedNote(err) != "" {
			continue
		}
		if err != nil {
			return nil, err
		}
		b, err := decodeBlock(n)
		if err != nil || b.Chain != c.Chain {
			continue
		}
		if b.First+uint64(len(b.Rows)) <= c.Seq+1 {
			break
		}
		late = append(late, b)
	}
	slices.Reverse(late)
	return late, nil
}

// rootTexts returns the texts of the signed roots of the store.
func rootTexts(r graph.Reader) (map[string]bool, error) {
	texts := map[string]bool{}
	for n, err := range notes(r, graph.NoteAuditRoot, "", false) {
		if graph.DamagedNote(err) != "" {
			continue
		}
		if err != nil {
			return nil, err
		}
		var signed root
		if strictjson.DecodeExact(n.Data, &signed) == nil {
			texts[signed.Text] = true
		}
	}
	return texts, nil
}

// closedIn reports whether one of the texts is that of the root of the epoch.
func (c *chain) closedIn(texts map[string]bool) bool {
	r, err := c.close()
	return err == nil && texts[r.Text]
}
