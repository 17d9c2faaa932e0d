package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/somnograph/somnograph/client"
)

func Example() {
	ctx := context.Background()
	c, err := client.New(url, client.WithUser("ana"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Add(ctx, "I moved from Oslo to Bergen."); err != nil {
		log.Fatal(err)
	}
	prompt, err := c.Context(ctx, "Where do I live?", client.ContextOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(prompt.Text, "Bergen"))
	// Output: true
}

func ExampleClient_AddMessages() {
	ctx := context.Background()
	c, err := client.New(url, client.WithUser("bo"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.AddMessages(ctx, []client.Message{
		{Role: client.RoleUser, Content: "My boat is called Heron."},
		{Role: client.RoleAssistant, Content: "A fine name."},
	}, client.AddOptions{Session: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	report, err := c.CloseSession(ctx, "monday", client.CloseSessionOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range report.Flushed {
		fmt.Println(m.Content)
	}
	// Output:
	// My boat is called Heron.
	// A fine name.
}

func ExampleClient_Search() {
	ctx := context.Background()
	c, err := client.New(url, client.WithUser("cleo"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Add(ctx, "The spare key hangs in the boat house."); err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(ctx, "Where is the spare key?", client.SearchOptions{TopK: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Hits[0].Label, found.Hits[0].Memory.Content)
	// Output: CURRENT The spare key hangs in the boat house.
}

func ExampleClient_Facts() {
	ctx := context.Background()
	c, err := client.New(url, client.WithUser("dan"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Add(ctx, "I moved from Oslo to Bergen."); err != nil {
		log.Fatal(err)
	}
	facts, err := c.Facts(ctx, "user", client.FactsOptions{Predicate: "lives in"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Predicate, f.Object)
	}
	// Output: lives in Bergen
}

func ExampleClient_Adjudicate() {
	ctx := context.Background()
	c, err := client.New(url, client.WithConsent(client.ConsentExplicit), client.WithNamespace("boats"))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Remember(ctx, "The winch is kept in the shed.", client.RememberOptions{Subject: "winch"}); err != nil {
		log.Fatal(err)
	}
	weak := []client.EvidenceInput{{Source: "tomas", Weight: 0.5, Confidence: 0.5}}
	verdict, err := c.Adjudicate(ctx, "The winch is kept in the hangar.", "winch", weak, client.AdjudicateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Decision, verdict.Current.Content)
	// Output: REJECTED The winch is kept in the shed.
}

func ExampleClient_Forget() {
	ctx := context.Background()
	c, err := client.New(url, client.WithUser("eva"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Add(ctx, "My locker is number 312."); err != nil {
		log.Fatal(err)
	}
	receipt, err := c.Forget(ctx, client.ForgetOptions{User: "eva"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Count, receipt.Status)
	// Output: 1 COMPLETE
}

func ExampleClient_Events() {
	ctx := context.Background()
	c, err := client.New(url, client.WithNamespace("watched"), client.WithConsent(client.ConsentExplicit))
	if err != nil {
		log.Fatal(err)
	}
	now, err := c.EventCursor(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Add(ctx, "The dyke was raised."); err != nil {
		log.Fatal(err)
	}
	for event, err := range c.Events(ctx, client.EventsOptions{After: now}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Kind, event.Memory.Content)
		break
	}
	// Output: CREATED The dyke was raised.
}

func ExampleError() {
	c, err := client.New(url)
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Search(context.Background(), "anything", client.SearchOptions{TopK: 100_000})
	var refused *client.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Field)
	}
	// Output: INVALID_REQUEST topK
}
