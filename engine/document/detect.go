package document

import (
	"bytes"
	"mime"
	"path"
	"slices"
	"strings"
)

// format is a media type and its reader.
type format struct {
	mediaType string
	read      reader
}

// formatOf is a format with its names.
type formatOf struct {
	format
	aliases    []string // other media types
	extensions []string
	// magic is what the content begins with, if the format has such a mark; name is what an
	// error calls it.
	magic, name string
}

// formats are the formats with a reader of their own. Any other text is source code or plain
// text.
var formats = []formatOf{
	{format{"text/markdown", readMarkdown}, []string{"text/x-markdown"}, []string{"md", "markdown", "mdown", "mkd", "mdx"}, "", "Markdown"},
	{format{"text/html", readHTML}, []string{"application/xhtml+xml"}, []string{"html", "htm", "xhtml"}, "", "HTML"},
	{format{"application/pdf", readPDF}, []string{"application/x-pdf"}, []string{"pdf"}, "%PDF-", "a PDF"},
	{format{docxType, readDOCX}, nil, []string{"docx", "docm"}, "PK\x03\x04", "a DOCX document"},
	{format{"text/csv", readCSV}, []string{"application/csv"}, []string{"csv"}, "", "CSV"},
	{format{"text/tab-separated-values", readCSV}, nil, []string{"tsv", "tab"}, "", "CSV"},
	{format{"text/plain", readText}, nil, []string{"txt", "text", "log", "rst", "adoc", "asciidoc", "org", "tex"}, "", "plain text"},
}

// signatures are beginnings of binary files, with the name of the format for errors.
var signatures = []struct{ magic, name string }{
	{"%PDF-", "a PDF"}, {"PK\x03\x04", "a ZIP archive"}, {"PK\x05\x06", "an empty ZIP archive"}, {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an OLE file (an old or encrypted Office document)"},
	{"\x1F\x8B", "a gzip file"}, {"BZh", "a bzip2 file"}, {"\xFD7zXZ\x00", "an xz file"}, {"(\xB5\x2F\xFD", "a zstd file"}, {"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"}, {"Rar!\x1A\x07", "a RAR archive"},
	{"\x89PNG\r\n\x1A\n", "a PNG image"}, {"\xFF\xD8\xFF", "a JPEG image"}, {"GIF8", "a GIF image"}, {"\x7FELF", "a program"}, {"MZ\x90", "a program"}, {"\x00asm", "a WebAssembly module"},
	{"{\\rtf", "an RTF document"}, {"SQLite format 3\x00", "an SQLite database"},
}

// signature names the binary format of data, or is "".
func signature(data []byte) (magic, name string) {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.magic)) {
			return s.magic, s.name
		}
	}
	return "", ""
}

// detect finds the format of data: by the media type if it says something, else by the extension,
// else by the content. It refuses content that contradicts them.
func detect(data []byte, name, mediaType string) (format, error) {
	magic, found := signature(data)
	f, said, wants, err := declared(name, mediaType)
	if err != nil {
		return format{}, err
	}
	if f.read == nil { // nothing was said
		return byContent(data, magic, found)
	}
	switch {
	case wants != "" && magic == wants, wants == "" && magic == "":
		return f, nil
	case strings.HasPrefix(found, "an OLE file") && (wants != "" || !hasReader(name, mediaType)):
		return oleFormat(data)
	case found != "" && !hasReader(name, mediaType): // archive.zip is what it says
		return format{}, refuse(Unsupported, "it is %s", found)
	case wants != "" && found != "":
		return format{}, refuse(Broken, "%s, but the content is %s", said, found)
	case wants != "":
		return format{}, refuse(Broken, "%s, but the content does not begin as one", said)
	default:
		return format{}, refuse(Broken, "%s, but the content is %s", said, found)
	}
}

// declared is the format that the media type or else the extension names. Said is a clause for
// errors, wants is the mark with which the content must begin. Without either it is zero.
func declared(name, mediaType string) (f format, said, wants string, err error) {
	base := baseName(name)
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	if strings.HasPrefix(base, ".") && strings.Count(base, ".") == 1 {
		ext = "" // ".gitignore" has no extension
	}
	if mediaType != "" {
		kind, _, err := mime.ParseMediaType(mediaType)
		if err != nil {
			return format{}, "", "", refuse(Unsupported, "the media type %q is not valid; right would be, for example, text/markdown", shorten(mediaType, 80))
		}
		said = "the media type is " + kind
		for _, x := range formats {
			if kind == x.mediaType || contains(x.aliases, kind) {
				return x.format, said, x.magic, nil
			}
		}
		switch {
		case kind == "application/octet-stream" || kind == "binary/octet-stream":
		case textual(kind):
			if ext == "" || hasReader(name, "") { // notes.txt that is sent as text/x-python
				ext = strings.TrimPrefix(kind[strings.IndexByte(kind, '/')+1:], "x-")
			}
			return sourceFormat(ext), said, "", nil
		default:
			return format{}, "", "", refuse(Unsupported, "documents of media type %s are not read; right would be one of %s, or source code", kind, known())
		}
	}
	if ext == "" {
		return format{}, "", "", nil
	}
	said = "the name ends in ." + ext
	for _, x := range formats {
		if contains(x.extensions, ext) {
			return x.format, said, x.magic, nil
		}
	}
	if !extensionLike(ext) {
		return format{}, "", "", nil
	}
	return sourceFormat(ext), said, "", nil
}

// NamesFormat reports whether the extension of a path says how a document is read, without its media
// type and content.
func NamesFormat(path string) bool {
	f, _, _, err := declared(path, "")
	return err == nil && f.read != nil
}

// hasReader reports whether a media type or else the extension is that of a format with a reader.
// Any other extension is taken for source code, which says nothing about the content.
func hasReader(name, mediaType string) bool {
	if mediaType != "" {
		return true
	}
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(baseName(name)), "."))
	return slices.ContainsFunc(formats, func(x formatOf) bool { return contains(x.extensions, ext) })
}

// baseName is the last element of a path of any operating system.
func baseName(name string) string {
	return path.Base(strings.ReplaceAll(name, `\`, "/"))
}

// textual reports whether a media type is that of a text without a reader of its own.
func textual(kind string) bool {
	main, sub, _ := strings.Cut(kind, "/")
	if main == "text" {
		return true
	}
	if main != "application" {
		return false
	}
	for _, suffix := range []string{"json", "xml", "yaml", "toml", "javascript", "ecmascript", "typescript", "sql", "graphql", "x-sh", "x-httpd-php", "jsonl", "ndjson"} {
		if sub == suffix || strings.HasSuffix(sub, "+"+suffix) || sub == "x-"+suffix {
			return true
		}
	}
	return false
}

// extensionLike reports whether a name can end in ext because of its format: "v2" and "11-23"
// are other ends of names.
func extensionLike(ext string) bool {
	if len(ext) > 12 || ext[0] >= '0' && ext[0] <= '9' {
		return false
	}
	for _, r := range ext {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '+' && r != '#' && r != '_' {
			return false
		}
	}
	return true
}

// known lists the media types with readers of their own.
func known() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.mediaType
	}
	return strings.Join(names, ", ")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// byContent is the format of data about which nothing is known.
func byContent(data []byte, magic, found string) (format, error) {
	if magic != "" {
		for _, f := range formats {
			if f.magic == magic {
				return f.format, nil
			}
		}
		if strings.HasPrefix(found, "an OLE file") {
			return oleFormat(data)
		}
		return format{}, refuse(Unsupported, "it is %s", found)
	}
	if start := strings.ToLower(string(bytes.TrimSpace(data[:min(len(data), 512)]))); strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html") {
		return format{"text/html", readHTML}, nil
	}
	if bytes.HasPrefix(data, []byte("#!")) {
		return sourceFormat("script"), nil
	}
	return format{"text/plain", readText}, nil
}

// oleFormat tells encrypted Office documents from old ones; both are OLE files.
func oleFormat(data []byte) (format, error) {
	// The names of streams are UTF-16 in the directory of the file.
	if bytes.Contains(data, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
		return format{}, refuse(Encrypted, "it is an Office document with a password; save it without one")
	}
	return format{}, refuse(Unsupported, "it is an Office document of the format before 2007; save it as DOCX")
}
