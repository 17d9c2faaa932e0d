// Oidc is an OpenID Connect issuer for tests: the certified provider of zitadel/oidc on loopback, with
// users and clients in memory. It prints its URL and runs until its standard input ends.
//
//	user      password   scopes of the API that it may have
//	ana       ana        memory:read, memory:write
//	root      root       all
//	eve       eve        none
//
// The client explorer with the secret "explorer secret" signs people in, with PKCE only. The client service with the
// secret "service secret" gets tokens for itself. Tests change the issuer by POST /control/…:
//
//	redirect?uri=…             registers a redirect URI of the client explorer
//	rotate?alg=RS256|ES256     signs with a new key and publishes it alone
//	lifetime?seconds=…         sets the time to live of new access tokens
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	host := flag.String("host", "localhost", "host in the URL of the issuer")
	flag.Parse()
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	url := fmt.Sprintf("http://%s:%d", *host, l.Addr().(*net.TCPAddr).Port)
	d := newDirectory(url)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /control/{what}", d.control)
	mux.Handle("/", exampleop.SetupServer(url, d, slog.New(slog.NewTextHandler(os.Stderr, nil)), false))
	go func() { log.Fatal(http.Serve(l, mux)) }()
	fmt.Println("issuer " + url)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		log.Fatal(err)
	}
}

// users are the people of the issuer: their scopes of the API by name, which is also the password.
var users = map[string][]string{
	"ana": {"memory:read", "memory:write"}, "eve": nil,
	"root": {"memory:read", "memory:write", "memory:share", "memory:curate", "memory:admin", "audit:read", "server:admin"},
}

// userStore implements storage.UserStore.
type userStore struct{}

func (userStore) ExampleClientID() string { return "unused" }

func (userStore) GetUserByID(id string) *storage.User {
	if _, known := users[id]; !known {
		return nil
	}
	return &storage.User{ID: id, Username: id, Password: id, FirstName: id}
}

func (u userStore) GetUserByUsername(name string) *storage.User { return u.GetUserByID(name) }

// control changes the issuer for a test.
func (d *directory) control(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch r.PathValue("what") {
	case "redirect":
		d.redirects = append(d.redirects, r.FormValue("uri"))
	case "rotate":
		d.key = newKey(jose.SignatureAlgorithm(r.FormValue("alg")))
	case "lifetime":
		n, err := strconv.Atoi(r.FormValue("seconds"))
		if err != nil {
			http.Error(w, "seconds must be a number", http.StatusBadRequest)
			return
		}
		d.lifetime = time.Duration(n) * time.Second
	default:
		http.NotFound(w, r)
	}
}

// key is a signing key; it implements op.SigningKey and, as published, op.Key.
type key struct {
	id      string
	alg     jose.SignatureAlgorithm
	private crypto.Signer
}

func newKey(alg jose.SignatureAlgorithm) key {
	if alg == jose.ES256 {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		return key{uuid.NewString(), alg, k}
	}
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		log.Fatal(err)
	}
	return key{uuid.NewString(), jose.RS256, k}
}

func (k key) ID() string                                  { return k.id }
func (k key) SignatureAlgorithm() jose.SignatureAlgorithm { return k.alg }
func (k key) Key() any                                    { return k.private }

type published struct{ key }

func (p published) Algorithm() jose.SignatureAlgorithm { return p.alg }
func (p published) Use() string                        { return "sig" }
func (p published) Key() any                           { return p.private.Public() }
