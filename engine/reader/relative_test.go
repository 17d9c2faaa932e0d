package reader

import "testing"

// The relative clause of a subject belongs to it, and says what the complement names.
func TestRelativeClausesOfSubjects(t *testing.T) {
	for text, want := range map[string][3]string{
		"The book that I am reading is Emma.":                  {"ana", "is reading", "Emma"},
		"The guy I'm seeing is called Tom.":                    {"ana", "is seeing", "Tom"},
		"The school my kids go to is Larkfield.":               {"my kids", "attends", "Larkfield"},
		"The town I live in is Ghent and the street is quiet.": {"ana", "lives in", "Ghent"},
		"The person who cuts my hair is Lena.":                 {"Lena", "cuts", "my hair"},
		"The people I work with are Dana and Jo.":              {"ana", "works with", "Dana and Jo"},
		"The gym that I go to closes at nine.":                 {"gym that I go", "closes at", "nine"},
		"The train I take leaves at 7:40.":                     {"train I take", "leaves at", "7:40"},
		"The flat we rent costs 900 euros.":                    {"flat we rent", "costs", "900 euros"},
		"The woman who runs the bakery is a nurse.":            {"woman who runs the bakery", "is", "nurse"},
		"The car I drive is red.":                              {"car I drive", "is", "red"},
		"The meeting that was moved is the Monday one.":        {"meeting that was moved", "is", "Monday one"},
	} {
		c := Read(text, Hints{Speaker: "ana"})[0]
		if got := [3]string{c.Subject, c.Predicate, c.Object}; got != want || c.Modality != Asserted {
			t.Errorf("%q: %q, %v, want %q", text, got, c.Modality, want)
		}
	}
}
