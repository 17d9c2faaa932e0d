package extract

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

var (
	//go:embed testdata/lasting.tsv
	lastingSentences string
	//go:embed testdata/lasting-aside.tsv
	lastingAside string
	//go:embed testdata/present.tsv
	presentSentences string
	//go:embed testdata/present-aside.tsv
	presentAside string
)

// TestTypeByAspect reads sentences with their types: those that the rules were made on, and as many that were written afterwards, in
// other voices (notes of agents, people whose first language is German, notes without a subject). Of the latter the rules got 55 of 60
// lasting ones and 54 of 60 events right in the first run. The sets "present" are sentences in the simple present, of which the second was
// written after the rules for events in that tense: 27 of 30 lasting ones and 25 of 30 events were right in the first run, 27 and 6 before these rules. Since verbs
// that may be a duty ("pays the rent") tell of no event, 27 and 22.
func TestTypeByAspect(t *testing.T) {
	for name, set := range map[string]struct {
		lines          string
		lasting, event int // wrong ones at most
	}{
		"made on": {lastingSentences, 0, 0},
		"aside":   {lastingAside, 5, 6},
		"present": {presentSentences, 2, 7}, "present, aside": {presentAside, 3, 8},
	} {
		wrong := map[graph.Type]int{}
		for line := range strings.Lines(set.lines) {
			want, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got := Text(text, Hints{Speaker: "user"}).Type
			if (got == graph.Episodic) != (want == string(graph.Episodic)) {
				wrong[graph.Type(want)]++
				t.Logf("%s: %q is %s", name, text, got)
			}
		}
		if wrong[graph.Semantic] > set.lasting || wrong[graph.Episodic] > set.event {
			t.Errorf("%s: %v wrong", name, wrong)
		}
	}
}

func TestLastingTexts(t *testing.T) {
	for text, want := range map[string]graph.Type{
		"We have two cats. One of them sleeps in the sink.":                   graph.Semantic,
		"I wear contact lenses. Do you?":                                      graph.Semantic,
		"The cleaner comes on Thursdays. Yesterday she broke a vase.":         graph.Episodic,
		"The cleaner comes on Thursday.":                                      graph.Episodic,
		"The cleaner always comes on Thursday.":                               graph.Semantic,
		"I fly to Rome on 3 May.":                                             graph.Episodic,
		"I'm repairing the fence.":                                            graph.Episodic,
		"She has been teaching maths since 2009.":                             graph.Semantic,
		"She has been teaching all day.":                                      graph.Episodic,
		"My mother pays the rent.":                                            graph.Semantic,
		"Monika signs the invoices.":                                          graph.Semantic,
		"Dana approves the timesheets.":                                       graph.Semantic,
		"My sister raises her two kids alone.":                                graph.Semantic,
		"My daughter refuses to eat fish.":                                    graph.Semantic,
		"My aunt raises the chickens.":                                        graph.Semantic,
		"My mother drops the kids at school.":                                 graph.Semantic,
		"The school accepts the voucher.":                                     graph.Semantic,
		"The path disappears behind the hill.":                                graph.Semantic,
		"My mother pays the rent today.":                                      graph.Episodic,
		"The cat disappears.":                                                 graph.Episodic,
		"I and":                                                               graph.Episodic,
		"She or I and they and we or he and I":                                graph.Episodic,
		"It rains.":                                                           graph.Episodic,
		"If CI needs Node 22, we upgrade.":                                    graph.Episodic,
		"My grandfather was a miner.":                                         graph.Semantic,
		"The film was a disaster.":                                            graph.Episodic,
		"The ferry is out of service.":                                        graph.Episodic,
		"The invoices are due within 30 days.":                                graph.Semantic,
		"I take it. Lea sings. We bake. They sail. The ship leaves on Friday": graph.Episodic,
	} {
		if got := Text(text, Hints{Speaker: "user"}).Type; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
