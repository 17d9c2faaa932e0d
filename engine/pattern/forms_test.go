package pattern

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// compareTexts reads two sentences as statements of one matter.
func compareTexts(t *testing.T, a, b string) (against, agree bool) {
	t.Helper()
	sources := []Source{{ID: testID(t, 1), Text: a}, {ID: testID(t, 2), Text: b}}
	f, _ := newFinder(sources, nil, true)
	var all []*statement
	for i, s := range sources {
		all = append(all, statementsOf(i, s, sentencesOf(s.Text))...)
	}
	if len(all) != 2 {
		t.Fatalf("%q, %q: %d statements", a, b, len(all))
	}
	return f.compared.against(all[0], all[1]), f.compared.agree(all[0], all[1])
}

func TestFormsThatSayTheSame(t *testing.T) {
	for _, c := range [][2]string{
		{"Never write passwords on paper, put them into the safe.", "Passwords must be kept in the safe."},
		{"Don't park bicycles at the fence, they go into the yard.", "Bicycles have to stand in the yard."},
		{"No climber under ten without an adult.", "Climbers under ten need an adult."},
		{"Never store paint in the shed, it catches fire.", "Paint must not be stored in the shed because of fire."},
		{"Edda prefers no sugar.", "Edda hates sugar."},
		{"We prefer Mondays without calls.", "We don't like calls on Mondays."},
		{"No radios during a lesson.", "Radios have to be off during a lesson."},
		{"No visitors in the ward after eight.", "Visitors must leave the ward by eight."},
		{"No visitors in the ward after eight.", "Visitors have to leave the ward before eight."},
		{"Edda hates Monday calls.", "Edda doesn't like calls on Mondays."},
		{"Edda hates late trains.", "Edda loves early trains."},
	} {
		if against, agree := compareTexts(t, c[0], c[1]); against || !agree {
			t.Errorf("%q: against %v, agree %v", c, against, agree)
		}
	}
}

func TestFormsThatSayTheOpposite(t *testing.T) {
	for _, c := range [][2]string{
		{"Never put passwords into the safe, write them on paper.", "Passwords must be put into the safe."},
		{"Never leave the door, the hatch or the window open at night.", "The window must be open at night."},
		{"Never commit secrets, put them into the vault.", "Never put secrets into the vault."},
		{"Don't park bicycles at the fence, they go into the yard.", "Bicycles must not be parked in the yard."},
		{"Edda prefers no sugar.", "Edda likes sugar."},
		{"We prefer Mondays without calls.", "We love calls on Mondays."},
		{"Edda hates early trains.", "Edda loves early trains."},
		{"Visitors must stay on the ward after eight.", "No visitors on the ward after eight."},
		{"The form must be signed by two nurses.", "The form must not be signed by two nurses."},
	} {
		if against, agree := compareTexts(t, c[0], c[1]); !against || agree {
			t.Errorf("%q: against %v, agree %v", c, against, agree)
		}
	}
	if against, agree := compareTexts(t, "Edda hates steep stairs.", "Edda likes wooden stairs."); against || agree {
		t.Errorf("another thing of the kind: against %v, agree %v", against, agree)
	}
}

// amongOthers puts sentences among others of the same owner, each on a day of its own.
func amongOthers(t *testing.T, texts ...string) []Source {
	t.Helper()
	others := []string{"The ferry was late.", "A parcel came from Turin.", "We saw two deer.", "The roof got new tiles.", "Edda won a bet.", "The market was crowded.", "My uncle bought a van.", "Snow fell on the pass.", "The choir sang in Latin.", "Lunch was lentils."}
	var all []string
	for i, text := range texts {
		all = append(all, text, others[i%len(others)], others[(3*i+1)%len(others)], others[(7*i+2)%len(others)])
	}
	return onOwnDays(t, 0, .8, all...)
}

func TestEverydayWordsSecondAForm(t *testing.T) {
	for _, c := range []struct {
		kind  graph.PatternKind
		texts []string
	}{
		{graph.StatedPreference, []string{"Edda likes green tea.", "Edda drinks her green tea at nine.", "Edda prefers green tea.", "Green tea for Edda, please.", "Edda loves green tea."}},              // one name: "green tea"
		{graph.Constraint, []string{"The valve has to be shut before anyone sleeps.", "Shut the valve before you sleep.", "The valve must be shut before we sleep.", "Valve shut before sleep, please."}}, // "before" denies nothing
		{graph.FailureSignature, []string{"When sand gets into the sluice, it jams.", "The sluice jams whenever there is sand in it.", "Sand in the sluice and it was jammed.", "The sluice was jammed by sand."}},
		{graph.FailureSignature, []string{"The buzzer stops working in heavy rain.", "The buzzer gives up when heavy rain falls.", "The buzzer doesn't sound in heavy rain.", "The buzzer fails when there is heavy rain."}},
		{graph.FailureSignature, []string{"The gauge fails when both taps are open: it resets.", "If both taps are open, the gauge resets.", "The gauge reset itself again because both taps were open.", "Both taps open, and the gauge resets."}},
	} {
		found, refused := Find(amongOthers(t, c.texts...), nil)
		if len(found) != 1 || found[0].Kind != c.kind || len(found[0].Sources) != len(c.texts) {
			t.Errorf("%q: %q, refused %+v", c.texts[0], said(found), refused)
		}
	}
}

// What has no word of a failure is no failure, also if it is said to happen again.
func TestWhatJustHappensIsNoFailure(t *testing.T) {
	found, _ := Find(amongOthers(t, "The lamp glows when the door opens.", "Whenever the door opens, the lamp glows.", "The lamp glows if the door is opened.", "The lamp glowed because the door was opened.", "The lamp glows as soon as the door opens."), nil)
	if len(found) != 0 {
		t.Errorf("%q", said(found))
	}
	for _, texts := range [][]string{
		{"The attic hums when the wind is from the east.", "The attic hummed again because of the east wind.", "Whenever the wind blows from the east, the attic hums.", "The attic hums if there is an east wind."},
		{"Trams are late when it snows.", "While it is snowing trams are late.", "The trams were late again because it snowed.", "Trams are late whenever it snows."},
	} {
		if found, _ := Find(amongOthers(t, texts...), nil); len(found) != 0 {
			t.Errorf("%q", said(found))
		}
	}
	for _, text := range []string{"My back feels good again after a walk.", "The museum opens again after the holidays.", "The roses bloom again when the rain stops.", "The baby smiles again after the bottle.", "The choir sings again when the summer ends."} {
		if found, _ := Find(amongOthers(t, repeated(6, text)...), nil); len(found) != 0 {
			t.Errorf("%q", said(found))
		}
	}
	found, _ = Find(amongOthers(t, "We sing again because the choir is back.", "I sang again because the choir is back.", "Lotte sings again because the choir is back.", "She sings again because the choir is back."), nil)
	if slices.ContainsFunc(found, func(f Found) bool { return f.Kind == graph.FailureSignature }) {
		t.Errorf("%q", said(found))
	}
}

// What is preferred without something has no condition.
func TestWithoutIsNoConditionOfAPreference(t *testing.T) {
	found, refused := Find(onOwnDays(t, 0, .8, repeated(4, "I prefer my tea without sugar.")...), nil)
	if len(found) != 1 || len(found[0].Conditions) != 0 || !slices.Equal(found[0].Actions, []string{"I prefer my tea without sugar"}) {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// One sentence says the same each time: it does not contradict itself.
func TestADislikeOfALackIsOnePattern(t *testing.T) {
	for _, text := range []string{"I hate rooms without windows.", "I don't like tea without sugar.", "Edda hates cake with no cream."} {
		found, refused := Find(onOwnDays(t, 0, .8, repeated(5, text)...), nil)
		if len(found) != 1 || len(found[0].Sources) != 5 {
			t.Errorf("%q: %q, refused %+v", text, said(found), refused)
		}
	}
	if against, agree := compareTexts(t, "I hate rooms without windows.", "I prefer rooms without windows."); !against || agree {
		t.Errorf("likes the lack: against %v, agree %v", against, agree)
	}
}

// The reason of a prohibition is not what is done instead.
func TestAReasonIsNoTurn(t *testing.T) {
	found, refused := Find(append(onOwnDays(t, 0, .8, repeated(6, "Never store paint in the shed, it catches fire.")...), onOwnDays(t, 100, .8, repeated(6, "Paint must not be stored in the shed because of fire.")...)...), nil)
	if len(found) != 1 || len(found[0].Sources) != 12 || len(found[0].Against) > 0 {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// Two statements that do not contradict each other may still say different things.
func TestWhatIsNoSupport(t *testing.T) {
	for _, c := range [][2]string{
		{"Guests must park on the lawn when it is dry.", "Guests can park on the lawn when it is dry."},
		{"The tablets must be taken before nine.", "Never take the tablets after nine."},
	} {
		if against, agree := compareTexts(t, c[0], c[1]); against || agree {
			t.Errorf("%q: against %v, agree %v", c, against, agree)
		}
	}
	if against, agree := compareTexts(t, "The phone line crackles when it rains.", "The phone line does not crackle when it rains."); !against || agree {
		t.Errorf("denied: against %v, agree %v", against, agree)
	}
}

// "By" before an amount is no deadline, and what a person may do is no failure.
func TestByAndBreak(t *testing.T) {
	for text, want := range map[string]int{
		"The form must be signed by all partners.": 0, "Never raise the dose by 5.": 0, "The total must be divided by four.": 0, "The card must be 8 by 11.": 0,
		"Visitors must leave the ward by eight.": 1, "Everybody must be back by noon.": 1,
	} {
		if n := len(sentencesOf(text)[0].conds); n != want {
			t.Errorf("%q: %d conditions, want %d", text, n, want)
		}
	}
	for text, want := range map[string]bool{"You may break the seal when the tank is empty.": false, "The pump can fail when the tank is low.": true} {
		all := statementsOf(0, Source{Text: text}, sentencesOf(text))
		if len(all) != 1 || (all[0].kind == graph.FailureSignature) != want {
			t.Errorf("%q: %+v", text, all)
		}
	}
}
