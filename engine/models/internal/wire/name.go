package wire

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
)

// Endpoint parses the URL of a model. what names the model in the error.
func Endpoint(address, what string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("models: the URL of %s must begin with http:// or https:// and name a host", what)
	}
	return u, nil
}

// OpenAI returns the URL of a call of the OpenAI API, such as /embeddings. The address may have
// no path, the path of the API, or that of the call.
func OpenAI(address, call, what string) (string, error) {
	u, err := Endpoint(address, what)
	if err != nil {
		return "", err
	}
	switch path := strings.TrimSuffix(u.Path, "/"); {
	case path == "":
		u.Path = "/v1" + call
	case !strings.HasSuffix(path, call):
		u.Path = path + call
	}
	return u.String(), nil
}

// Name returns the stored name of a model: protocol, model, dimension and, if there are any, a
// hash of the prefixes, since they also change the vectors.
func Name(protocol, model string, dimension int, p Prefixes) string {
	name := fmt.Sprintf("%s/%s-%d", protocol, model, dimension)
	if p == (Prefixes{}) {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.Query + "\x00" + p.Passage)) // never fails
	return fmt.Sprintf("%s+%08x", name, h.Sum32())
}
