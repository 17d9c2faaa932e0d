package prompt

import (
	"strconv"
	"strings"
)

// markdownStyle writes a heading and a fenced list for each layer. Every line of an entry
// begins with its bullet or with four spaces, so no text can look like another entry or end the
// fence: a closing fence is indented by at most three spaces (CommonMark 0.31, section 4.5).
// For less exact readers, the fence is also longer than the runs of backticks in the text, up
// to a limit.
type markdownStyle struct{}

// longestFence is the maximum length of the fence in backticks.
const longestFence = 12

var headings = map[Name]string{
	Procedural: "Rules, constraints, procedures", Project: "Project and core", Memories: "Memories",
	Documents: "Documents", Conversation: "Conversation",
}

func (markdownStyle) entry(l line) string {
	var b strings.Builder
	b.WriteString("- ")
	if l.at != "" {
		b.WriteString(l.at + " ")
	}
	if l.count > 1 {
		b.WriteString("(×" + strconv.Itoa(l.count) + ") ")
	}
	if l.mark != "" {
		b.WriteString("(" + l.mark + ") ")
	}
	if said := Speaker(l.role, l.who); said != "" {
		b.WriteString(said + ": ")
	}
	b.WriteString(strings.ReplaceAll(l.text, "\n", "\n    "))
	b.WriteByte('\n')
	return b.String()
}

// Speaker is a role and a quoted name: user "ana". The name can't end its quotation. Either may be
// empty.
func Speaker(role, who string) string {
	if who == "" {
		return role
	}
	return strings.TrimSpace(role + " \"" + strings.ReplaceAll(who, "\"", "'") + "\"")
}

func (markdownStyle) separator() string { return "" }

func (markdownStyle) frame(n Name, entries []string) (before, after string) {
	longest := 0
	for _, e := range entries {
		longest = max(longest, backticks(e))
	}
	fence := strings.Repeat("`", min(max(3, longest+1), longestFence))
	return "## " + headings[n] + "\n" + fence + "\n", fence + "\n"
}

func (markdownStyle) joinLayers(layers []string) string {
	return notice + "\n\n" + strings.Join(layers, "\n")
}

func (markdownStyle) empty() string { return "" }

// backticks is the length of the longest run of backticks.
func backticks(s string) int {
	longest := 0
	for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return r != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}
