package document

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// The limits of a page. The time of the conversion is linear in none of them.
const (
	maxTags      = 200_000   // which need about 150 bytes of memory each
	maxListDepth = 40        // lists and quotations in one another
	maxCells     = 1_000_000 // rows of all tables times cells of the longest row
	maxSpan      = 20        // columns or rows of one cell
	maxWeight    = 1 << 30   // bytes of text times elements around them: finding the article reads the text of each
)

// readHTML reads the article of a page as Markdown, or its body if it has none. Menus, scripts
// and hidden parts are left out. The page's title stands above all headings.
func readHTML(ctx context.Context, in input) (string, []Element, error) {
	if n := bytes.Count(in.data, []byte("<")); n > maxTags {
		return "", nil, refuse(TooLarge, "it has some %d tags; the limit is %d", n, maxTags)
	}
	source, err := decodeHTML(in.data)
	if err != nil {
		return "", nil, err
	}
	page, err := html.Parse(strings.NewReader(source))
	if err != nil { // only nesting is an error to the parser
		return "", nil, refuse(TooLarge, "its elements are nested too deeply")
	}
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	title := pageTitle(page)
	stripHidden(page)
	if err := checkPage(page); err != nil {
		return "", nil, err
	}
	content := articleOf(page)
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	convert := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal))))
	text, err := convert.ConvertNode(content)
	if err != nil {
		return "", nil, refuse(Broken, "its HTML cannot be converted")
	}
	o := newOutline(ctx, in.lim)
	if err := o.setTitle(title); err != nil {
		return "", nil, err
	}
	if _, err := markdown(o, strings.ToValidUTF8(string(text), "\uFFFD"), false); err != nil {
		return "", nil, err
	}
	elements, err := o.finish()
	return title, elements, err
}

// decodeHTML decodes a page by its byte order mark, its meta element or its content.
func decodeHTML(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return decode(data)
	}
	if isBinary(data) {
		return "", refuse(Unsupported, "it is binary, not HTML")
	}
	_, name, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], "text/html")
	if !certain || name == "utf-8" {
		return decode(data)
	}
	encoding, _ := charset.Lookup(name)
	if encoding == nil {
		return decode(data)
	}
	text, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return "", refuse(Broken, "it states the encoding %s, but is of another", name)
	}
	return string(text), nil
}

// pageTitle is the text of the title element in the head.
func pageTitle(page *html.Node) string {
	for n := range page.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return oneLine(n.FirstChild.Data)
		}
	}
	return ""
}

// stripHidden removes what a reader of the page does not see, and images that are in the page
// itself.
func stripHidden(page *html.Node) {
	var drop []*html.Node
	for n := range page.Descendants() {
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Iframe, atom.Object, atom.Embed:
			drop = append(drop, n)
			continue
		}
		if n.Type == html.CommentNode {
			drop = append(drop, n)
		}
		for _, a := range n.Attr {
			if a.Key == "hidden" || n.DataAtom == atom.Img && a.Key == "src" && strings.HasPrefix(a.Val, "data:") {
				drop = append(drop, n)
				break
			}
		}
	}
	for _, n := range drop {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// checkPage refuses a page whose conversion would take too long. It removes spans of cells that
// no table has.
func checkPage(page *html.Node) error {
	rows, longest, weight := 0, 0, 0
	for n := range page.Descendants() {
		if n.Type == html.TextNode {
			for range n.Ancestors() {
				weight += len(n.Data)
			}
			if weight > maxWeight {
				return refuse(TooLarge, "it has too much text in elements that are nested")
			}
		}
		switch n.DataAtom {
		case atom.Ul, atom.Ol, atom.Dl, atom.Blockquote:
			depth := 1
			for a := range n.Ancestors() {
				switch a.DataAtom {
				case atom.Ul, atom.Ol, atom.Dl, atom.Blockquote:
					depth++
				}
			}
			if depth > maxListDepth {
				return refuse(TooLarge, "its lists or quotations are nested too deeply")
			}
		case atom.Tr:
			cells := 0
			for c := range n.ChildNodes() {
				if c.Type == html.ElementNode {
					cells++
				}
			}
			rows, longest = rows+1, max(longest, cells)
		case atom.Td, atom.Th:
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
				span, err := strconv.Atoi(strings.TrimSpace(a.Val))
				return (a.Key == "colspan" || a.Key == "rowspan") && (err != nil || span > maxSpan)
			})
		}
	}
	if cells := int64(rows) * int64(longest); cells > maxCells {
		return refuse(TooLarge, "its tables have %d rows of up to %d cells", rows, longest)
	}
	return nil
}

// articleOf is the article of a page. If none is found, or it has less than a third of the text
// without the menus, it is the body.
func articleOf(page *html.Node) *html.Node {
	stripMenus(page)
	parser := readability.NewParser()
	parser.KeepClasses = true // they name the languages of code
	// The address makes links absolute; without one they stay as they are.
	article, err := parser.ParseDocument(page, &url.URL{})
	body := page
	for n := range page.Descendants() {
		if n.DataAtom == atom.Body {
			body = n
			break
		}
	}
	if err == nil && article.Node != nil && 3*textLength(article.Node) >= textLength(body) {
		return article.Node
	}
	return body
}

// stripMenus removes the menus and the footer of a page.
func stripMenus(page *html.Node) {
	var drop []*html.Node
	for n := range page.Descendants() {
		switch n.DataAtom {
		case atom.Nav, atom.Button, atom.Select:
		case atom.Footer:
			if within(n, atom.Article, atom.Blockquote, atom.Main) {
				continue
			}
		default:
			continue
		}
		if last := len(drop) - 1; last < 0 || !inside(n, drop[last]) { // the text of one in another counts once
			drop = append(drop, n)
		}
	}
	kept := textLength(page)
	for _, n := range drop {
		if n.Parent != nil {
			kept -= textLength(n)
		}
	}
	if kept <= 0 {
		return // the page consists of them
	}
	for _, n := range drop {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// inside reports whether n is below another node.
func inside(n, other *html.Node) bool {
	for a := range n.Ancestors() {
		if a == other {
			return true
		}
	}
	return false
}

// within reports whether n is inside one of some elements.
func within(n *html.Node, elements ...atom.Atom) bool {
	for a := range n.Ancestors() {
		if slices.Contains(elements, a.DataAtom) {
			return true
		}
	}
	return false
}

// textLength is the number of characters of text below n, white space aside.
func textLength(n *html.Node) (length int) {
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		for _, r := range d.Data {
			if !unicode.IsSpace(r) {
				length++
			}
		}
	}
	return length
}
