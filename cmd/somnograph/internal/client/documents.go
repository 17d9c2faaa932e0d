package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
)

// busyWait is the pause before a request is repeated that the server had no room for.
const busyWait = 500 * time.Millisecond

// Ingest sends one document. open opens its content; it is called again if the server is busy. The
// query has the fields of POST /documents. A refused document is no error.
func (c *Client) Ingest(ctx context.Context, query url.Values, open func() (io.ReadCloser, error)) (*upload.Result, error) {
	for {
		result, busy, err := c.ingestOnce(ctx, query, open)
		if !busy {
			return result, err
		}
		select {
		case <-time.After(busyWait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Client) ingestOnce(ctx context.Context, query url.Values, open func() (io.ReadCloser, error)) (result *upload.Result, busy bool, err error) {
	body, err := open()
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = body.Close() }() // it was only read
	resp, err := c.Send(ctx, http.MethodPost, "/documents?"+query.Encode(), body, func(req *http.Request) {
		req.Header.Set("Content-Type", "application/octet-stream")
	})
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return nil, true, nil
	default:
		text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return nil, false, errors.Join(&Error{Message: strings.TrimSpace(string(text))}, err)
	}
	var a upload.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return nil, false, fmt.Errorf("client: read the response: %w", err)
	}
	if len(a.Documents) != 1 {
		return nil, false, fmt.Errorf("client: %d results for one document", len(a.Documents))
	}
	r := &a.Documents[0]
	return r, r.Error != nil && r.Error.Code == "RATE_LIMITED", nil
}
