package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/internal/counted"
)

func newReceipt(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "receipt ID",
		Short: "Print the document that proves an erasure",
		Long: "Print the document that proves an erasure, as JSON. somnograph verify checks it without a server. --public-key prints the key that\n" +
			"checks the documents of this server; give it to those who check them.",
		Example: "  somnograph receipt 019c74e9-bbe8-7000-9fb8-d82978daf007 > receipt.json\n  somnograph receipt --public-key",
	}
	run := memoryFlags(cmd, env)
	public := cmd.Flags().Bool("public-key", false, "print the public key of the server instead")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		if *public {
			key, err := c.ProofKey(ctx)
			if err == nil && key == "" {
				err = errors.New("the server keeps no directory of keys, and proves no erasures")
			}
			if err != nil {
				return err
			}
			_, err = printf(env.out, "%s\n", key)
			return err
		}
		if len(args) != 1 {
			return usageError{errors.New("needs the id of a receipt, which somnograph forget prints")}
		}
		document, err := c.Proof(ctx, args[0])
		if err != nil {
			return err
		}
		if document == nil {
			return errors.New("there is no proof of this erasure: it is not complete, or the server kept no directory of keys")
		}
		return printIndented(env.out, document)
	})
	return cmd
}

func newVerify(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE | -",
		Short: "Check the proof of an erasure, without a server",
		Long: "Check a document that somnograph receipt printed, without a server: that it is signed, lists all erased ids and none other, is in a log\n" +
			"of erasures that only grew, and that none of the ids was live when it was made. --key names the public key of the server that erased;\n" +
			"without it, the directory of keys of this machine is used. The exit code is 1 for a receipt that is forged, shortened or of another server.",
		Example: "  somnograph verify receipt.json --key 'somnograph/1f…+a1b2c3d4+AX…'",
		Args:    exactly(1, "the file of a receipt, or -"),
	}
	keys := cmd.Flags().StringArray("key", nil, "public key of the server, which somnograph receipt --public-key prints; may be repeated")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		document, err := readDocument(args[0])
		if err != nil {
			return err
		}
		known := *keys
		if len(known) == 0 {
			if known, err = keysOfMachine(env); err != nil {
				return err
			}
		}
		c, err := proof.Verify(document, known...)
		if err != nil {
			return fmt.Errorf("the receipt is not valid: %w", err)
		}
		if *asJSON {
			return printJSON(env.out, c)
		}
		_, err = printf(env.out, "the receipt is valid: %s erased on %s, signed by %s\n%s is in the log, which has %s; none of the ids was live at %s (%s)\n",
			counted.Of(c.Receipt.Count, "memory"), c.Receipt.CompletedAt.Format(time.RFC3339), c.Signer, c.Receipt.ID, counted.Of(c.Erasures, "erasure"), c.At.Format(time.RFC3339), counted.Of(c.Live, "live memory"))
		return err
	}
	return cmd
}

// maxReceipt is the largest document in bytes.
const maxReceipt = 1 << 30

func readDocument(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxReceipt+1))
	if err == nil && len(text) > maxReceipt {
		err = fmt.Errorf("%s has more than %d bytes", importer.InputName(name), maxReceipt)
	}
	return text, err
}

// keysOfMachine are the public keys of the stores whose keys are in the directory of keys.
func keysOfMachine(env environment) ([]string, error) {
	fs := pflag.NewFlagSet("verify", pflag.ContinueOnError)
	config.Flags(fs)
	c, _, err := config.Load(fs, serverEnvironment(env))
	if err != nil {
		return nil, usageError{err}
	}
	dir, err := keysDir(c)
	if err != nil {
		return nil, err
	}
	seeds, err := ledger.SecretsBelow(dir, proof.SeedPrefix)
	if err != nil {
		return nil, err
	}
	former, err := ledger.SecretsBelow(dir, proof.FormerPrefix)
	if err != nil {
		return nil, err
	}
	known, err := proof.PublicKeys(seeds, former)
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		return nil, usageError{fmt.Errorf("needs --key: no server on this machine has made a receipt (directory of keys %s)", dir)}
	}
	return known, nil
}
