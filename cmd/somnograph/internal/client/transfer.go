package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// Backup asks the server for a round of a backup after a manifest, and returns the frames of its
// answer.
func (c *Client) Backup(ctx context.Context, media string, manifest []byte, query url.Values) (io.ReadCloser, error) {
	resp, err := c.Send(ctx, http.MethodPost, "/backup?"+query.Encode(), bytes.NewReader(manifest), func(req *http.Request) { req.Header.Set("Content-Type", media) })
	if err != nil {
		return nil, err
	}
	if err := wantOK(resp); err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Post sends a request without a body and without a deadline, and returns the body of the answer.
func (c *Client) Post(ctx context.Context, path, media string) (io.ReadCloser, error) {
	resp, err := c.Send(ctx, http.MethodPost, path, nil, func(req *http.Request) { req.Header.Set("Content-Type", media) })
	if err != nil {
		return nil, err
	}
	if err := wantOK(resp); err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// BackupCommitted tells the server which manifest of a backup the target has.
func (c *Client) BackupCommitted(ctx context.Context, media string, manifest []byte) error {
	return c.tellBackup(ctx, "/backup?committed=1", media, manifest)
}

// BackupEnded tells the server that the backup of a manifest does not go on; nil: none does.
func (c *Client) BackupEnded(ctx context.Context, media string, manifest []byte) error {
	return c.tellBackup(ctx, "/backup?ended=1", media, manifest)
}

// BackupKept tells the server the oldest generation that the target of a backup has, with the manifest of
// a later one.
func (c *Client) BackupKept(ctx context.Context, media string, manifest []byte, oldest int) error {
	return c.tellBackup(ctx, fmt.Sprintf("/backup?oldest=%d", oldest), media, manifest)
}

func (c *Client) tellBackup(ctx context.Context, path, media string, manifest []byte) error {
	resp, err := c.Send(ctx, http.MethodPost, path, bytes.NewReader(manifest), func(req *http.Request) { req.Header.Set("Content-Type", media) })
	if err != nil {
		return err
	}
	if err := wantOK(resp); err != nil {
		return err
	}
	return resp.Body.Close()
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
	return resp, wantOK(resp)
}

// wantOK returns the error of a response with another status than 200, and closes its body.
func wantOK(resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("client: read the response: %w", err)
	}
	return &Error{Message: strings.TrimSpace(string(text))}
}
