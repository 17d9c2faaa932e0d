package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ndjson is the media type of exports.
const ndjson = "application/x-ndjson"

// Export streams the whole memory of the server to w.
func (c *Client) Export(ctx context.Context, w io.Writer) error {
	resp, err := c.stream(ctx, http.MethodGet, "/export", nil)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, resp.Body); err != nil {
		err = fmt.Errorf("the export was cut off: %w", err)
	}
	return errors.Join(err, resp.Body.Close())
}

// Import sends an export to an empty server and decodes the server's summary into sum.
func (c *Client) Import(ctx context.Context, r io.Reader, sum any) error {
	resp, err := c.stream(ctx, http.MethodPost, "/import", io.NopCloser(r))
	if err != nil {
		return err
	}
	if err = json.NewDecoder(resp.Body).Decode(sum); err != nil {
		err = fmt.Errorf("client: read the response: %w", err)
	}
	return errors.Join(err, resp.Body.Close())
}

// stream sends a request without a deadline. A status other than 200 is an *Error with the
// server's message.
func (c *Client) stream(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	resp, err := c.Send(ctx, method, path, body, func(req *http.Request) {
		if body != nil {
			req.Header.Set("Content-Type", ndjson)
		}
	})
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("client: read the response: %w", err)
	}
	return nil, &Error{Message: strings.TrimSpace(string(text))}
}
