package distil

import "testing"

// What says that nothing has changed is left out where it is a clause of its own, and stays where it is a part of what is said.
func TestWithoutRepeats(t *testing.T) {
	for text, want := range map[string]string{
		"Standup: the Atlas migration is blocked, same as before.":     "Standup: the Atlas migration is blocked.",
		"Standup: the migration is blocked, the same as yesterday.":    "Standup: the migration is blocked.",
		"The migration is blocked as before. Ana is on leave.":         "The migration is blocked. Ana is on leave.",
		"Nothing new, the migration is blocked.":                       "The migration is blocked.",
		"Standup: nothing new, the migration is blocked":               "Standup: the migration is blocked",
		"The migration is blocked, no news, same as before, as usual.": "The migration is blocked.",
		"Standup: the Atlas migration made no progress.":               "Standup: the Atlas migration made no progress.",
		"The vendor gave no update.":                                   "The vendor gave no update.",
		"The rent is as before.":                                       "The rent is as before.",
		"The colour is the same as before.":                            "The colour is the same as before.",
		"Nothing new.":                                                 "Nothing new.",
		"":                                                             "",
	} {
		if got := withoutRepeats(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
