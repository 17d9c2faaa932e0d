package client

import "context"

// Model is an embedding model, with the terms of the configuration.
type Model struct {
	Kind          string `json:"kind"`
	URL           string `json:"url,omitempty"`
	Model         string `json:"model,omitempty"`
	Token         string `json:"token,omitempty"`
	Dimension     int    `json:"dimension,omitempty"`
	QueryPrefix   string `json:"queryPrefix,omitempty"`
	PassagePrefix string `json:"passagePrefix,omitempty"`
}

// Reembedding is the progress of embedding all memories with another model.
type Reembedding struct {
	Model    string `json:"model"`
	Done     int    `json:"done"`
	Total    int    `json:"total"`
	Running  bool   `json:"running"`
	Complete bool   `json:"complete"`
	Failure  string `json:"failure"`
}

const reembedFields = `{model done total running complete failure}`

// Reembed starts to embed all memories with another model, in the background.
func (c *Client) Reembed(ctx context.Context, m Model) (*Reembedding, error) {
	var out struct{ Reembed *Reembedding }
	return reembedding(&out.Reembed, c.Do(ctx, `mutation($input:ReembedInput!){reembed(input:$input)`+reembedFields+`}`, map[string]any{"input": m}, &out))
}

// Reembedding returns the progress.
func (c *Client) Reembedding(ctx context.Context) (*Reembedding, error) {
	var out struct{ Reembedding *Reembedding }
	return reembedding(&out.Reembedding, c.Do(ctx, `{reembedding`+reembedFields+`}`, nil, &out))
}

func reembedding(out **Reembedding, err error) (*Reembedding, error) {
	if err != nil {
		return nil, err
	}
	if *out == nil {
		return nil, &Error{Code: "INTERNAL", Message: "the server returned no progress"}
	}
	return *out, nil
}
