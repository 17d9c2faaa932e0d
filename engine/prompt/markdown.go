package prompt

import (
	"strconv"
	"strings"
)

// markdownStyle writes a heading and a fenced list a layer. Every line of an entry begins
// with its bullet or with four spaces, so no text can pass for another entry or end
// the fence: what ends one is indented by three at most (CommonMark 0.31, section
// 4.5). For readers that are less exact, the fence is also longer than the rows of
// backticks inside, within reason.
type markdownStyle struct{}

// longestFence bounds the fence in backticks.
const longestFence = 12

var headings = map[Name]string{
	Procedural: "How to do things", Project: "Project and core", Memories: "Memories",
	Documents: "Documents", Conversation: "Conversation",
}

func (markdownStyle) entry(at, who string, count int, text string) string {
	var b strings.Builder
	b.WriteString("- ")
	if at != "" {
		b.WriteString(at + " ")
	}
	if count > 1 {
		b.WriteString("(×" + strconv.Itoa(count) + ") ")
	}
	if who != "" {
		b.WriteString(who + ": ")
	}
	b.WriteString(strings.ReplaceAll(text, "\n", "\n    "))
	b.WriteByte('\n')
	return b.String()
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

// backticks is the length of the longest row of backticks.
func backticks(s string) int {
	longest, row := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return longest
}
