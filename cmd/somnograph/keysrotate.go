package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/rotation"
	"github.com/somnograph/somnograph/graph"
)

func newKeysRotate(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Replace the keys of sealed data, of the audit, of proofs and of backups",
		Long: "Replace keys: all kinds of a stopped server with --data, and the kind seal of a running one with --addr and a key in SOMNOGRAPH_KEY that has\n" +
			"the scope server:admin. API keys are no part of this, see keys create and keys revoke. --kinds says which:\n" +
			"seal (the default): the master key, the keys of the tenants, and the data keys of the store and the archive, under which all content is\n" +
			"  sealed again. The former keys are destroyed, so that earlier copies of the data directory can't be read any more: make a backup before.\n" +
			"audit: the chain goes on under a new key, which the signed root of the former one names.\n" +
			"proofs: the former key signs which key comes after it, and documents say so; give the new public key to those who check receipts.\n" +
			"backups: the next backup is a full export under a new key; the former key is kept, so that older generations can be restored.\n" +
			"What is interrupted is finished by the next rotation, or by the server.",
		Example: "  somnograph keys rotate --addr 127.0.0.1:8420\n  somnograph keys rotate --data ./data\n  somnograph keys rotate --data ./data --kinds seal,audit,proofs,backups",
		Args:    none,
	}
	server := serverFlags(cmd, env)
	data := cmd.Flags().String("data", "", "data directory of a stopped server; the settings of its store are read as by serve")
	keys := cmd.Flags().String("keys", "", "directory of keys, as in serve")
	later := cmd.Flags().Bool("later", false, "leave the data keys to the next start of the server, which replaces them while it serves")
	kinds := cmd.Flags().StringSlice("kinds", []string{instance.SealKeys}, "keys to replace, comma-separated: "+strings.Join(instance.KeyKinds, ", "))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		running := cmd.Flags().Changed("addr") // no default: former copies of the data become unreadable
		switch {
		case running == (*data != ""):
			return usageError{errors.New("needs --addr, the address of a running server, or --data, the data directory of a stopped one")}
		case running && (*later || *keys != "" || !slices.Equal(*kinds, []string{instance.SealKeys})):
			return usageError{errors.New("--kinds other than seal, --later and --keys need --data, the data directory of a stopped server")}
		case running:
			return server.run(func(ctx context.Context, c *client.Client, _ []string) error { return rotateRunning(ctx, env, c) })(cmd, args)
		}
		if err := instance.CheckKeyKinds(*kinds); err != nil {
			return usageError{fmt.Errorf("--kinds: %w", err)}
		}
		c, err := storedConfig(env, map[string]string{"data": *data, "keys": *keys})
		if err != nil {
			return err
		}
		return rotateKeys(cmd.Context(), env, c, *kinds, *later)
	}
	return cmd
}

// rotateRunning replaces the keys that seal the data of a running server.
func rotateRunning(ctx context.Context, env environment, c *client.Client) error {
	show, end := rotationBar(env)
	keys, err := rotation.Rotate(ctx, c.Post, func(e rotation.Event) { show(e.Tenant, e.Done, e.Total) })
	end()
	if err == nil {
		_, err = printf(env.out, "the keys are replaced; earlier copies of the data can't be read any more. Back up %s of the server now, in place of earlier copies.\n", keys)
	}
	return err
}

// rotateKeys replaces keys of a stopped server.
func rotateKeys(ctx context.Context, env environment, c *config.Config, kinds []string, later bool) (err error) {
	o, err := storeOptions(c, c.Logger(env.err))
	if err != nil {
		return err
	}
	seals := slices.Contains(kinds, instance.SealKeys)
	o.Seal, o.SealNew = false, false // a store that is not sealed stays so
	if o.Blob, err = c.Recess.Blob(ctx); err != nil {
		return err
	}
	in, err := instance.OpenParts(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(context.WithoutCancel(ctx))) }()
	var failed error
	if seals {
		failed = rotateSeals(ctx, env, in, later)
	}
	if failed == nil {
		failed = in.RotateSecrets(ctx, kinds, time.Now, func(t graph.Tenant, public string) error {
			_, err := printf(env.out, "proofs of %s: the public key is now %s\n", instance.NameOf(t), public)
			return err
		})
	}
	if err := errors.Join(failed, in.RecordRotation(context.WithoutCancel(ctx), operator, time.Now, failed)); err != nil {
		return err
	}
	text := "the keys are replaced"
	switch {
	case seals && later:
		text = "the keys are replaced, but the data keys, which the server replaces when it starts"
	case seals:
		text += "; earlier copies of the data can't be read any more"
	}
	_, err = printf(env.out, "%s. Back up %s now, in place of earlier copies.\n", text, in.Ledger.Dir())
	return err
}

// rotateSeals replaces the keys that seal the data.
func rotateSeals(ctx context.Context, env environment, in *instance.Instance, later bool) error {
	show, end := rotationBar(env)
	defer end()
	return in.RotateKeys(ctx, later, func(t graph.Tenant, done, total int) { show(instance.NameOf(t), done, total) })
}

// rotationBar shows the progress of each tenant.
func rotationBar(env environment) (show func(tenant string, done, total int), end func()) {
	var bar *progress
	of := ""
	show = func(tenant string, done, total int) {
		if bar == nil || of != tenant {
			bar, of = newProgress(env.err, "sealing the content again", int64(total), time.Now), tenant
		}
		bar.at(int64(done), fmt.Sprintf("%d of %d rows of %s", done, total, tenant))
	}
	end = func() {
		if bar != nil {
			bar.end()
		}
	}
	return show, end
}
