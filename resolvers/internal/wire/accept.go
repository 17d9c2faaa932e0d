package wire

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// accepted returns the media type for the response, or "" if the request accepts none of the
// supported ones. The highest quality wins, then the order in the header. Without an Accept
// header, and for wildcards, it is application/json.
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

// wantsEvents reports whether the request accepts server-sent events.
func wantsEvents(r *http.Request) bool {
	for _, wish := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, err := mime.ParseMediaType(strings.TrimSpace(wish)); err == nil && media == mediaEvents {
			return true
		}
	}
	return false
}
