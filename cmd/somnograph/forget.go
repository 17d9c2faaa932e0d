package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
	"github.com/somnograph/somnograph/internal/counted"
)

func newForget(env environment) *cobra.Command {
	in := client.ForgetInput{}
	var externalID string
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "forget [ID... | -]",
		Short: "Erase memories for good",
		Long: "Erase memories and what was derived from them, and print the receipt. Name ids (with - one per line on standard input), or one of\n" +
			"--external-id, --user, --subject, --entity, --namespace and --everything. The command says how many it would erase and asks; --yes does not ask.",
		Example: "  somnograph forget 019c74e9-bbe8-7000-9fb8-d82978daf007\n  somnograph forget --user bram --dry-run",
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&externalID, "external-id", "", "the memory with this name of your own, in --namespace (default \"default\")")
	f.StringVar(&in.User, "user", "", "all memories of this user")
	f.StringVar(&in.Subject, "subject", "", "all memories about this subject")
	f.StringVar(&in.Entity, "entity", "", "all memories that mention this entity, by name or id, whoever they belong to")
	f.StringVar(&in.Namespace, "namespace", "", "all memories of this namespace")
	f.BoolVar(&in.Tenant, "everything", false, "all memories of the tenant")
	f.BoolVar(&in.DryRun, "dry-run", false, "erase nothing; say what would be erased")
	f.BoolVarP(&yes, "yes", "y", false, "do not ask")
	f.BoolVar(&asJSON, "json", false, "print the receipt as JSON")
	run(func(ctx context.Context, c *client.Client, args []string) (err error) {
		if in.IDs, err = idsOf(args); err != nil {
			return err
		}
		if externalID != "" {
			m, err := c.ByExternalID(ctx, in.Namespace, externalID)
			if err != nil {
				return err
			}
			in.IDs, in.Namespace = append(in.IDs, m.ID), ""
		}
		if err := oneSelection(in); err != nil {
			return err
		}
		if !in.DryRun && !yes {
			if err := confirm(ctx, env, c, in); err != nil {
				return err
			}
		}
		r, err := c.Forget(ctx, in)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.out, r)
		}
		return printReceipt(env, r, in.DryRun)
	})
	return cmd
}

// idsOf are the ids of the arguments, or the lines of standard input for "-".
func idsOf(args []string) ([]string, error) {
	if len(args) != 1 || args[0] != "-" {
		return args, nil
	}
	text, err := textOf(args, "ids")
	if err != nil {
		return nil, err
	}
	return strings.Fields(text), nil
}

// oneSelection returns a usage error unless the input selects memories in exactly one way.
func oneSelection(in client.ForgetInput) error {
	ways := 0
	for _, given := range []bool{len(in.IDs) > 0, in.User != "", in.Subject != "", in.Entity != "", in.Namespace != "", in.Tenant} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return usageError{errors.New("needs ids or exactly one of --external-id, --user, --subject, --entity, --namespace and --everything")}
	}
	return nil
}

// confirm says what would be erased and asks. It returns nil for a yes.
func confirm(ctx context.Context, env environment, c *client.Client, in client.ForgetInput) error {
	if !terminal(os.Stdin) {
		return errNoAnswer
	}
	in.DryRun = true
	r, err := c.Forget(ctx, in)
	if err != nil {
		return err
	}
	if r.Count == 0 {
		return errors.New("there is nothing to erase")
	}
	if _, err := printf(env.err, "%sErase %s%s for good? [y/N] ", consequences(r), counted.Of(r.Count, "memory"), r.KeysText()); err != nil {
		return err
	}
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && answer == "" {
		return errors.New("nothing was erased")
	}
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return errors.New("nothing was erased")
	}
	return nil
}

func printReceipt(env environment, r *client.Receipt, dryRun bool) error {
	if dryRun {
		_, err := printf(env.out, "%s%s would be erased\n%s", counted.Of(r.Count, "memory"), r.KeysText(), consequences(r))
		return err
	}
	kept := ""
	if r.Anonymised > 0 {
		kept = fmt.Sprintf(", %d of the memories kept in anonymous form because they are safety-critical", r.Anonymised)
	}
	_, err := printf(env.out, "%s%s erased%s\nreceipt %s, %s, SHA-256 of the ids %s\n", counted.Of(r.Count, "memory"), r.KeysText(), kept, r.ID, strings.ToLower(r.Status), r.Hash)
	return err
}

// consequences are the lines about what a dry run found besides the number.
func consequences(r *client.Receipt) plain.Lines {
	var b strings.Builder
	if n := len(r.SafetyCriticalLost); n > 0 {
		_, _ = printf(&b, "warning: %s of them safety-critical or about an allergy, an illness or the like, and would be lost without an anonymous copy: %s\n",
			map[bool]string{true: "1 is", false: fmt.Sprintf("%d are", n)}[n == 1], strings.Join(r.SafetyCriticalLost, " "))
	}
	if r.Anonymised > 0 {
		_, _ = printf(&b, "%s safety-critical and would be kept in anonymous form\n", map[bool]string{true: "1 is", false: fmt.Sprintf("%d are", r.Anonymised)}[r.Anonymised == 1])
	}
	if r.Mentions != nil && *r.Mentions > 0 {
		_, _ = printf(&b, "%s of others or of nobody would stay and mention it\n", counted.Of(*r.Mentions, "memory"))
	}
	return plain.Lines(b.String())
}
