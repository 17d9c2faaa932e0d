package extract

import "strings"

// AnnouncesTask reports a text of one sentence that says what is to be done: "TODO: send the contract".
func AnnouncesTask(text string) bool {
	low := strings.ToLower(text)
	if !strings.Contains(low, "todo") && !strings.Contains(low, "forget") {
		return false
	}
	tasks := Tasks(text)
	return len(tasks) == 1 && tasks[0].Certain && len(strings.TrimSpace(tasks[0].Sentence)) >= len(strings.TrimRight(strings.TrimSpace(text), ".!"))
}
