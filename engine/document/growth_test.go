package document

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// Line ends and tabs of a DOCX are text that counts when it is read, not when a paragraph of gigabytes ends.
func TestLineEndsOfADOCXCount(t *testing.T) {
	for name, body := range map[string]string{
		"line ends": strings.Repeat("<br/>", 1100), "tabs": strings.Repeat("<tab/>", 1100),
		"references": strings.Repeat(`<w:footnoteReference w:id="`+strings.Repeat("1", 100)+`"/>`, 20),
	} {
		file := docx("<w:p><w:r>" + body + "</w:broken>")
		_, err := Read(context.Background(), strings.NewReader(string(file)), int64(len(file)), "a.docx", "", Limits{Text: 1000})
		if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Reason != TooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The time in which the article of a page is found grows with its text times the elements around it.
func TestDeepTextOfAPageIsRefused(t *testing.T) {
	const depth = 480
	page := strings.Repeat("<div>", depth) + "<p>" + strings.Repeat("word, ", maxWeight/depth/6+1)
	if _, err := readBytes("a.html", []byte(page)); err == nil {
		t.Error("it was read")
	} else if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Reason != TooLarge {
		t.Error(err)
	}
}

// A menu within a menu counts once: the rest of a page is read without it.
func TestMenusInMenusAreLeftOut(t *testing.T) {
	d, err := readBytes("a.html", []byte("<nav><nav><a href=/a>"+strings.Repeat("menu ", 20)+"</a></nav></nav><p>The winch on the pier needs grease before the storm.</p>"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Elements {
		if strings.Contains(e.Text, "menu") {
			t.Errorf("%q", e.Text)
		}
	}
}
