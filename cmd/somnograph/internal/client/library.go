package client

import "context"

// Document is a stored document.
type Document struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	User string `json:"user"` // empty: nobody in particular
	// Private: only one agent sees it.
	Private bool `json:"private"`
}

// documentsPage is the number of documents of one request.
const documentsPage = 200

// Documents lists the documents of a namespace that the caller sees.
func (c *Client) Documents(ctx context.Context, namespace string) ([]Document, error) {
	var all []Document
	for after := (*string)(nil); ; {
		var out struct {
			Documents *struct {
				Nodes    []Document
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		err := c.Do(ctx, `query($namespaces:[String!],$first:Int,$after:String){documents(namespaces:$namespaces,first:$first,after:$after){nodes{id path user private} pageInfo{hasNextPage endCursor}}}`,
			map[string]any{"namespaces": []string{namespace}, "first": documentsPage, "after": after}, &out)
		page, err := present(out.Documents, err)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Nodes...)
		if !page.PageInfo.HasNextPage {
			return all, nil
		}
		after = page.PageInfo.EndCursor
	}
}

// RemoveDocument ends a document and returns the number of chunks that ended.
func (c *Client) RemoveDocument(ctx context.Context, id string) (ended int, err error) {
	var out struct{ RemoveDocument *struct{ Superseded int } }
	err = c.Do(ctx, `mutation($id:ID!){removeDocument(id:$id){superseded}}`, map[string]any{"id": id}, &out)
	x, err := present(out.RemoveDocument, err)
	if err != nil {
		return 0, err
	}
	return x.Superseded, nil
}

// OwnUser returns the user that the credentials are bound to; empty: none.
func (c *Client) OwnUser(ctx context.Context) (string, error) {
	var out struct{ Whoami *struct{ User string } }
	err := c.Do(ctx, `{whoami{user}}`, nil, &out)
	x, err := present(out.Whoami, err)
	if err != nil {
		return "", err
	}
	return x.User, nil
}
