package distil

import (
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// A first step that all sources have in other words is a step, whether it could be read in all of them or not.
func TestAFirstStepInOtherWords(t *testing.T) {
	for _, c := range []struct {
		said []string
		text string
	}{
		{[]string{"I fed the starter, then folded the dough, then shaped the loaf, then baked it.", "I gave the starter its feed, then folded the dough, then shaped the loaf, then baked it.", "Refreshed the starter, folded the dough, shaped the loaf and baked it."},
			"1. Gave the starter its feed. 2. Folded the dough. 3. Shaped the loaf. 4. Baked it."},
		{[]string{"1. Feed the starter\n2. Fold the dough\n3. Shape the loaf\n4. Bake the bread", "1. Starter feeding\n2. Fold the dough\n3. Shape the loaf\n4. Bake the bread", "1. Give the starter its feed\n2. Fold the dough\n3. Shape the loaf\n4. Bake the bread"},
			"1. Give the starter its feed. 2. Fold the dough. 3. Shape the loaf. 4. Bake the bread."},
		{[]string{"Greased the tin. Then weighed the flour. Then mixed the batter. Then lit the oven.", "The tin got its grease. Then weighed the flour. Then mixed the batter. Then lit the oven.", "Put grease into the tin. Then weighed the flour. Then mixed the batter. Then lit the oven."},
			"1. Put grease into the tin. 2. Weighed the flour. 3. Mixed the batter. 4. Lit the oven."},
		{[]string{"Put the harness on, then grabbed the bags, then locked the gate, then whistled the tune.", "Put the harness on, then grabbed the bags, then locked the gate, then whistled the tune.", "Put the harness on, then grabbed the bags, then locked the gate, then whistled the tune."},
			"1. Put the harness on. 2. Grabbed the bags. 3. Locked the gate. 4. Whistled the tune."},
		// what one of three did is no step of all
		{[]string{"Fed the starter. The kitchen smelled of flour. Then folded the dough. Then shaped the loaf. Then baked the bread.", "Cleaned the kitchen. Then folded the dough. Then shaped the loaf. Then baked the bread.", "Renewed the starter. The kitchen was cold. Then folded the dough. Then shaped the loaf. Then baked the bread."},
			"1. Folded the dough. 2. Shaped the loaf. 3. Baked the bread."},
		// what is denied, or is about other things, is no step of all
		{[]string{"Fed the starter. Then folded the dough. Then shaped the loaf. Then baked the bread.", "The starter got no feed. Then folded the dough. Then shaped the loaf. Then baked the bread.", "Fed the starter. Then folded the dough. Then shaped the loaf. Then baked the bread."},
			"1. Folded the dough. 2. Shaped the loaf. 3. Baked the bread."},
		{[]string{"The starter was old. Then folded the dough. Then shaped the loaf. Then baked the bread.", "Rain fell. Then folded the dough. Then shaped the loaf. Then baked the bread.", "The radio played. Then folded the dough. Then shaped the loaf. Then baked the bread."},
			"1. Folded the dough. 2. Shaped the loaf. 3. Baked the bread."},
	} {
		var sources []Source
		for i, said := range c.said {
			sources = append(sources, Source{ID: graph.ID(fmt.Sprint("m", i)), Text: said, At: time.Date(2026, 1, 1+i, 9, 0, 0, 0, time.UTC), Session: fmt.Sprint(i)})
		}
		got := Procedures(sources)
		if len(got) != 1 || got[0].Text != c.text {
			t.Errorf("%q: %+v", c.said[1], got)
		}
	}
}
