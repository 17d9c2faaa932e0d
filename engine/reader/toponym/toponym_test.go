package toponym

import "testing"

func TestTold(t *testing.T) {
	for text, want := range map[string]Kind{
		"I moved to Kamoo.":                             Untold,
		"Here in Kamoo it rains a lot.":                 Place,
		"My sister lives in Kamoo.":                     Place,
		"The rent in Kamoo is mad.":                     Place,
		"There is a lake near Kamoo.":                   Place,
		"My notes are in Kamoo.":                        Untold,
		"I moved my mail to Kamoo. The rent is due.":    Untold,
		"I use Kamoo for search.":                       Tool,
		"I love Kamoo and the rent is low.":             Place,
		"I keep the floor plans of my flat in Kamoo.":   Untold,
		"I plan my kitchen renovation in Kamoo.":        Untold,
		"My neighbours switched to Kamoo.":              Untold,
		"I pay my rent to Kamoo.":                       Untold,
		"The Kamoo app is slow.":                        Tool,
		"Kamoo's inbox is full.":                        Untold,
		"Here in Kamoo I pay for the Kamoo app myself.": Tool,
		"": Untold,
	} {
		if got := Told(text, "kamoo"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"I moved to Kamoo. The commute is shorter.": true,
		"I moved to Kamoo. It is faster.":           false,
		"The flat in Kamoo is small.":               false,
	} {
		if got := TellsDwelling(text, "kamoo"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The letters tell names of both kinds apart that are not in the lists of names, whatever their case; weights that are missing count as 0.
func TestTown(t *testing.T) {
	for _, x := range [][2]string{{"Oberstadt", "Logify"}, {"Kingsbury", "Stackdb"}, {"Hartlington", "Quickly"}} {
		if town, other := Town(x[0]), Town(x[1]); town < 0.7 || other > 0.5 {
			t.Errorf("%s %.2f, %s %.2f", x[0], town, x[1], other)
		}
	}
	if Town("KINGSBURY") != Town("kingsbury") {
		t.Error("the case counts")
	}
	if p := Read(nil).Town("kingsbury"); p != 0.5 {
		t.Errorf("without weights: %v", p)
	}
	m := Read(model.Bytes())
	if *m != *model {
		t.Error("the weights are not read as they were written")
	}
	if m.Quantise(0, 1e9); m[0] != 127 {
		t.Errorf("a large weight: %d", m[0])
	}
}
