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

// ndjson is the media type of whole exports.
const ndjson = "application/x-ndjson"

// Export streams everything the server remembers to w.
func (c *Client) Export(ctx context.Context, w io.Writer) error {
	resp, err := c.move(ctx, http.MethodGet, "/export", nil)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, resp.Body); err != nil {
		err = fmt.Errorf("the export broke off: %w", err)
	}
	return errors.Join(err, resp.Body.Close())
}

// Import sends what Export gave to a server that holds nothing yet, and decodes what it
// says of it into sum.
func (c *Client) Import(ctx context.Context, r io.Reader, sum any) error {
	resp, err := c.move(ctx, http.MethodPost, "/import", io.NopCloser(r))
	if err != nil {
		return err
	}
	if err = json.NewDecoder(resp.Body).Decode(sum); err != nil {
		err = fmt.Errorf("client: read the answer: %w", err)
	}
	return errors.Join(err, resp.Body.Close())
}

// move sends a request that takes as long as it takes. An answer other than 200 is an
// *Error with the line that the server said.
func (c *Client) move(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", ndjson)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &NoServerError{c.base.String(), err}
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("client: read the answer: %w", err)
	}
	return nil, &Error{Message: strings.TrimSpace(string(text))}
}
