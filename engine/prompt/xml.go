package prompt

import (
	"strconv"
	"strings"
)

// xmlStyle writes XML: an element for each layer and each entry, with escaped text. clean has
// removed the characters that XML can't contain.
type xmlStyle struct{}

var (
	escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeAttr = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
)

func (xmlStyle) entry(at, who string, count int, text string) string {
	var b strings.Builder
	b.WriteString("<memory")
	if at != "" {
		b.WriteString(` at="` + at + `"`)
	}
	if who != "" {
		b.WriteString(` who="` + escapeAttr.Replace(who) + `"`)
	}
	if count > 1 {
		b.WriteString(` count="` + strconv.Itoa(count) + `"`)
	}
	b.WriteByte('>')
	b.WriteString(escapeText.Replace(text))
	b.WriteString("</memory>\n")
	return b.String()
}

func (xmlStyle) separator() string { return "" }

func (xmlStyle) frame(n Name, _ []string) (before, after string) {
	tag := strings.ToLower(string(n))
	return "<" + tag + ">\n", "</" + tag + ">\n"
}

func (xmlStyle) joinLayers(layers []string) string {
	return `<context note="` + notice + "\">\n" + strings.Join(layers, "") + "</context>\n"
}
