package hashed

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
)

type passage struct{ topic, text string }

// passages are notes about an invented household, one per topic.
var passages = []passage{
	{"allergy", "Mira is allergic to penicillin; the doctor wrote it into her chart."},
	{"rent", "The landlord raised the rent by eighty euros from April."},
	{"piano", "Jonas practises the piano every evening before dinner."},
	{"bike", "The rear brake of the blue bicycle squeals and needs new pads."},
	{"release", "We moved the release from Tuesday to Thursday because the integration tests are flaky."},
	{"postgres", "The team chose PostgreSQL over MySQL for the billing service."},
	{"vegetarian", "Since last summer Mira has been a vegetarian and skips fish as well."},
	{"dentist", "Dentist appointment for Jonas on 14 March at half past nine."},
	{"garden", "Tomatoes and basil were planted in the raised bed behind the shed."},
	{"passport", "The passport expires in November, renewal takes six weeks."},
	{"cat", "Our cat Pixel hides under the sofa whenever it thunders."},
	{"backup", "Nightly backups are written to the second disk and tested on Sundays."},
	{"marathon", "She finished her first marathon in four hours and ten minutes."},
	{"insurance", "The household insurance covers water damage but not flooding."},
	{"spanish", "Jonas is learning Spanish with an app, twenty minutes a day."},
	{"wifi", "The router in the hallway drops the wireless connection in the kitchen."},
	{"wedding", "Lena and Tom are getting married at the lake in September."},
	{"coffee", "He switched from coffee to green tea because he slept badly."},
	{"deploy", "Deployments to production need two approvals and are frozen on Fridays."},
	{"tax", "The tax return was filed in May and the refund arrived in July."},
	{"bread", "Sourdough: feed the starter in the morning, bake the loaf next day."},
	{"telescope", "With the new telescope they saw the rings of Saturn."},
	{"parking", "Visitors can park in the courtyard after six o'clock."},
	{"chess", "Grandfather taught her chess when she was seven."},
	{"printer", "The printer jams when the paper tray is filled to the top."},
	{"interview", "The job interview at the museum went well; they will call back on Monday."},
	{"painting", "A watercolour of the old harbour hangs above the fireplace."},
	{"flight", "Flight to Lisbon leaves at 06:40 from terminal two."},
	{"budget", "The marketing budget was cut by a quarter for the rest of the year."},
	{"knee", "Her knee has been hurting since the skiing trip, so no running for now."},
}

// questions ask for passages with other words, other forms, or typos.
var questions = []struct{ topic, text string }{
	{"allergy", "Does Mira have any allergies to medicine?"},
	{"allergy", "peniciln allergy"},
	{"rent", "How much more do we pay to the landlord, when did the rents rise?"},
	{"piano", "When does Jonas do his piano practice?"},
	{"bike", "What is wrong with the brakes on my bike?"},
	{"release", "Why did the release get moved?"},
	{"release", "flakey integration test"},
	{"postgres", "Which database did we choose for billing, postgres or mysql?"},
	{"vegetarian", "Is anybody eating vegetarian food?"},
	{"dentist", "When is the appointment with the dentist?"},
	{"garden", "What did we plant in the raised beds?"},
	{"passport", "passport renewal"},
	{"cat", "What is the cat afraid of, why is it hiding?"},
	{"backup", "Where is the nightly backup written?"},
	{"marathon", "How fast did she run her marathon?"},
	{"insurance", "Are we insured against water damages?"},
	{"spanish", "Which language does Jonas learn?"},
	{"wifi", "wireless conection problems in the kitchen"},
	{"wedding", "Who will marry at the lake?"},
	{"coffee", "Why did he stop drinking cofee?"},
	{"deploy", "How many people must approve a deployment?"},
	{"tax", "Did we get the tax refunds?"},
	{"bread", "How do I bake sourdough bread?"},
	{"telescope", "What could they see through the telescopes?"},
	{"parking", "Where may visitors leave the car for parking?"},
	{"chess", "Who was the teacher that taught her to play chess?"},
	{"printer", "paper jam"},
	{"interview", "How did the interviews at the museum go?"},
	{"painting", "Which painting of a harbor hangs there?"},
	{"flight", "When do we fly to Lisbon, from which terminal?"},
	{"budget", "How big was the cut in the marketing budgets?"},
	{"knee", "Why does her knee hurt after skiing?"},
}

// The thresholds are well below the measured values, so that only a real regression fails.
func TestQuestionsFindTheirPassages(t *testing.T) {
	m, ctx := New(), context.Background()
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.text
	}
	stored, err := m.Embed(ctx, texts, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	first, third := 0, 0
	for _, q := range questions {
		asked, err := m.Embed(ctx, []string{q.text}, models.Query)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, len(passages))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(cosine(stored[b], asked[0]), cosine(stored[a], asked[0]))
		})
		rank := slices.IndexFunc(order, func(i int) bool { return passages[i].topic == q.topic })
		if rank == 0 {
			first++
		}
		if rank < 3 {
			third++
		} else {
			t.Logf("%q: rank %d behind %q", q.text, rank+1, passages[order[0]].text)
		}
	}
	t.Logf("first: %d, among three: %d of %d", first, third, len(questions))
	if first*10 < len(questions)*8 || third*10 < len(questions)*9 {
		t.Errorf("first: %d, among three: %d of %d", first, third, len(questions))
	}
}
