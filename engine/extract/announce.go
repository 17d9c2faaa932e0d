package extract

import (
	"slices"
	"strings"
)

// AnnouncesTask reports a text of one sentence that says what is to be done: "TODO: send the contract".
func AnnouncesTask(text string) bool {
	low := strings.ToLower(text)
	if !strings.Contains(low, "todo") && !strings.Contains(low, "forget") && !strings.Contains(low, "remind") {
		return false
	}
	tasks := Tasks(text)
	return len(tasks) == 1 && tasks[0].Certain && len(strings.TrimSpace(tasks[0].Sentence)) >= len(strings.TrimRight(strings.TrimSpace(text), ".!"))
}

// AsksToBeReminded reports a sentence in which the speaker asks to be reminded of something once: "Don't let me forget to lock up". It is no rule.
func AsksToBeReminded(sentence string) bool {
	low := strings.ToLower(sentence)
	if !strings.Contains(low, "remind") && !strings.Contains(low, "forget") {
		return false
	}
	return slices.ContainsFunc(Tasks(sentence), func(t Task) bool { return t.Own && t.Certain })
}
