package wire

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// accepted is the media type that the request wants an answer in, or empty where it
// wants none that there is. The best quality wins, then the order in which they are
// named; without a wish, and for a wildcard, it is application/json.
func accepted(r *http.Request) string {
	wishes := r.Header.Values("Accept")
	if len(wishes) == 0 {
		return mediaJSON
	}
	best, quality := "", 0.0
	for _, wish := range strings.Split(strings.Join(wishes, ","), ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(wish))
		if err != nil {
			continue
		}
		if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
			continue
		}
		q := 1.0
		if text, given := params["q"]; given {
			if q, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		switch media {
		case mediaJSON, mediaGraphQL:
		case "*/*", "application/*":
			media = mediaJSON
		default:
			continue
		}
		if q > quality {
			best, quality = media, q
		}
	}
	return best
}

// wantsEvents reports whether the request asks for server-sent events.
func wantsEvents(r *http.Request) bool {
	for _, wish := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, err := mime.ParseMediaType(strings.TrimSpace(wish)); err == nil && media == mediaEvents {
			return true
		}
	}
	return false
}
