package distil

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// said is a Tuesday.
var said = time.Date(2026, 3, 3, 18, 0, 0, 0, time.UTC)

// corpus holds texts of many kinds: people, schedules, preferences, code, numbers,
// dates, denials, instructions, questions, small talk.
var corpus = strings.Split(strings.TrimSpace(`
Mara restores old violins in a workshop near the harbour.
My sister Ingrid moved to Bergen in 2019 and works for a ferry company.
Bram is allergic to walnuts, not to hazelnuts.
I don't drink coffee after lunch, because it keeps me awake.
The choir rehearses every Thursday at 19:30 in the old mill.
Yesterday the boiler failed twice. The plumber replaced the valve and charged 180 euros.
We decided to keep the ledger in Postgres 16 and to drop Redis.
The nightly import takes 47 minutes since release 2.4.1.
Orrin said the bridge stays closed until 14 June 2026.
I prefer window seats. I never fly with hand luggage only.
Zuri's thesis is due on 1 October 2026; her supervisor is Professor Okafor.
The rent went up from 900 to 960 euros last month.
Wow, that's great! Congratulations!
Thanks, Mara.
How was your weekend?
Did the parser handle empty lines?
I adopted a grey cat named Pixel two weeks ago.
Pixel weighs 4.2 kg and eats at 7 am and 6 pm.
The staging cluster has three nodes, and none of them runs GPU jobs.
Tomorrow I will drive to Graz with Ana and Leo.
The password rotation runs on the first day of each month.
We no longer use Jenkins; GitHub Actions builds everything.
Kenji hates crowds, but he loves the fireworks in August.
The recipe needs 250 g of flour, 3 eggs and no sugar.
Heron 3 failed its load test at 1,200 requests per second.
Ana thinks the budget of $4,500 is too low.
The dentist moved my appointment to 12 March 2026 at 9:15.
Nobody has tested the backup since November 2025.
The spare key is under the blue pot beside the garage.
I've been learning Portuguese for 18 months, and I still can't roll my r.
It turned out that the cache was stale whenever a node restarted.
Should we shard the ledger by region?
She sold the boat last summer. It had a leak that nobody could find.
The Kestrel project ships on Friday.
Run the migration, then restart the workers, and finally clear the queue.
Steps:
`), "\n")

// sources draws a group of texts from the corpus.
func sources(t *rapid.T) []Source {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
	out := make([]Source, rapid.IntRange(0, 9).Draw(t, "n"))
	for i := range out {
		var text []string
		for range 1 + r.IntN(4) {
			text = append(text, corpus[r.IntN(len(corpus))])
		}
		out[i] = Source{
			ID: graph.ID(fmt.Sprintf("m%02d", i)), Text: strings.Join(text, []string{" ", "\n"}[r.IntN(2)]), Weight: float64(r.IntN(5)) / 4,
			At: said.Add(time.Duration(r.IntN(200)) * time.Hour), Speaker: []string{"", "Mara", "Leo Brandt"}[r.IntN(3)], Session: []string{"", "s1", "s2", "s3"}[r.IntN(4)],
		}
		if r.IntN(8) == 0 {
			out[i].At = time.Time{}
		}
	}
	return out
}

// moved returns the group in another order.
func moved(t *rapid.T, in []Source) []Source {
	return rapid.Permutation(slices.Clone(in)).Draw(t, "order")
}
