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

func (xmlStyle) entry(l line) string {
	var b strings.Builder
	b.WriteString("<memory")
	for _, a := range []struct{ name, value string }{{"at", l.at}, {"role", l.role}, {"who", l.who}, {"mark", l.mark}} {
		if a.value != "" {
			b.WriteString(" " + a.name + `="` + escapeAttr.Replace(a.value) + `"`)
		}
	}
	if l.count > 1 {
		b.WriteString(` count="` + strconv.Itoa(l.count) + `"`)
	}
	b.WriteByte('>')
	b.WriteString(escapeText.Replace(l.text))
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

func (xmlStyle) empty() string { return "<context></context>\n" }
