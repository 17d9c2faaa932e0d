package cluster

import "testing"

// A tag of half of the members says what their sentences do not, and nothing that they say already.
func TestATagNamesWhatTheSentencesDoNot(t *testing.T) {
	storm := []string{"Petrel: gusts of twelve. Sailed.", "Heron: nine at the narrows.", "Petrel: falling, and late.", "The Petrel turned back.", "Petrel stayed out."}
	mixed := []string{"The grant is half written.", "They opened a call.", "Cash is low.", "Somebody paid.", "The grant arrived.", "Nobody asked."}
	for _, c := range []struct {
		name  string
		want  string
		texts []string
		tags  []string // of each text
	}{
		{"a thing alone", "Petrel and storm", storm, []string{"storm", "storm", "storm", "", "storm"}},
		{"few tags", "Petrel", storm, []string{"storm", "", "storm", "", ""}},
		{"the name again", "Petrel", storm, []string{"petrel", "petrel", "petrel", "petrel", "petrel"}},
		{"no noun of half", "Grant", mixed, []string{"grant", "grant", "", "", "grant", ""}},
		{"two words", "Grant money", mixed, []string{"grant-money", "grant_money", "grant money", "", "", ""}},
	} {
		members := count(c.texts...)
		for _, tag := range c.tags {
			members.AddTags([]string{tag, tag, "!", "monday"})
		}
		all := NewTerms()
		all.Merge(members, others)
		if got := Label(LabelInput{Members: members, All: all, Classes: 4, Medoid: c.texts[0]}).Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
