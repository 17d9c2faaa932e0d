package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/agents"
	commands "github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/graph"
)

// hookTime is how long the command waits for the server: a person waits for the agent.
const hookTime = 8 * time.Second

// maxHookEvent is the largest event in bytes; the server accepts no larger one.
const maxHookEvent = 1 << 20

// newHook passes an event of an agent on to a server, for events that the agent does not send over
// HTTP.
func newHook(env environment) *cobra.Command {
	var namespace, user string
	cmd := &cobra.Command{
		Use:   "hook claude-code",
		Short: "Pass an event of an agent on to a running server, for the hooks of the agent",
		Long: "Send the event on standard input to a running server, and print its answer. init --hooks writes this command into the hooks of\n" +
			"Claude Code, for the events that it does not send over HTTP.",
		Args:      exactly(1, "the name of an agent: claude-code"),
		ValidArgs: []string{"claude-code"},
	}
	server := serverFlags(cmd, env)
	cmd.Flags().StringVar(&namespace, "namespace", "", "namespace of the agent's memory")
	cmd.Flags().StringVar(&user, "user", "", "user whose memories the agent reads and writes")
	cmd.RunE = server.run(func(ctx context.Context, c *commands.Client, args []string) error {
		if args[0] != agents.Hooks.Name {
			return usageError{fmt.Errorf("there are no hooks of %q; known are those of %s", args[0], agents.Hooks.Name)}
		}
		if namespace != "" && !graph.ValidNamespace(namespace) {
			return usageError{fmt.Errorf("--namespace %s", graph.NamespaceRule)}
		}
		event, err := io.ReadAll(io.LimitReader(os.Stdin, maxHookEvent+1))
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(event)) == 0 {
			return usageError{errors.New("needs an event of the agent on standard input")}
		}
		ctx, cancel := context.WithTimeout(ctx, hookTime)
		defer cancel()
		answer, err := sendHook(ctx, c, namespace, user, event)
		if err != nil {
			return err
		}
		_, err = env.out.Write(answer)
		return err
	})
	return cmd
}

// sendHook returns the server's answer to an event.
func sendHook(ctx context.Context, c *commands.Client, namespace, user string, event []byte) ([]byte, error) {
	path := agents.HooksPath
	if namespace != "" {
		path += "/" + url.PathEscape(namespace)
	}
	if user != "" {
		path += "?" + url.Values{"user": {user}}.Encode()
	}
	resp, err := c.Send(ctx, http.MethodPost, path, bytes.NewReader(event), func(req *http.Request) {
		req.Header.Set("Content-Type", "application/json")
	})
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxHookEvent))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	switch text := strings.TrimSpace(string(answer)); {
	case resp.StatusCode == http.StatusOK:
		return answer, nil
	case resp.StatusCode == http.StatusUnauthorized:
		return nil, &client.Error{Code: "UNAUTHENTICATED", Message: "the server asks for a key: set SOMNOGRAPH_KEY in the environment of the agent"}
	case text != "":
		return nil, errors.New(text)
	}
	return nil, fmt.Errorf("the server answered with HTTP status %d", resp.StatusCode)
}
