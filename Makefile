# Somnograph. `make run` needs only Go. `make test` needs Go and Node, and fetches the rest.
# See README.md.

GO          ?= go
ADDR        ?= 127.0.0.1:8420
DATA        ?= data/demo
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOTEST      := .ci/gotest
STAGES_OF   := MAKE="$(MAKE)" .ci/stages

.PHONY: run build test check verify bench soak generate train help go-test race node browser web-unit web-e2e client-test python-test python-types guide-test \
	fmt vet cross lint generated dist tidy skips clean helpers dgraph redis issuer s3 collector cluster cluster-down deploy-test pictures

help: ## show the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: build ## build and serve the demo world
	@mkdir -p $(DATA)
	./bin/somnograph serve --demo --data $(DATA) --addr $(ADDR)

build: ## build bin/somnograph
	@mkdir -p bin
	$(GO) build -trimpath -o bin/somnograph ./cmd/somnograph

# Three tiers of proof, each a list of stages whose times are printed at the end.
check: ## check the sources: format, lint, generated files (up to 10 minutes)
	@$(STAGES_OF) fmt tidy skips vet cross lint generated dist python-types

test: ## test the product: units, both stores, a scenario with each external part (about an hour on two cores)
	@$(STAGES_OF) build helpers go-test race web-unit web-e2e client-test python-test guide-test deploy-test

verify: ## long tests: soaks, evaluations, kills, a million memories, pictures; STAGE="eval kills" selects
	bench/verify $(STAGE)

helpers: dgraph redis issuer s3 collector browser web/node_modules clients/typescript/node_modules test/clients/node_modules test/conformance/node_modules ## install what the tests need besides Go, once

dgraph: ## build Dgraph for the tests; minutes the first time
	@.ci/dgraph >/dev/null

redis: ## install Redis for the tests
	@.ci/redis >/dev/null

s3: ## build the S3 server of the tests; minutes the first time
	@.ci/s3 >/dev/null

issuer: ## build the OpenID Connect issuer of the tests
	@.ci/oidc >/dev/null

collector: ## build the OpenTelemetry collector of the tests; minutes the first time
	@.ci/collector >/dev/null

cluster: build ## run Dgraph, Redis and two Somnographs on loopback
	deploy/dgraph/cluster up

cluster-down: ## stop the cluster
	deploy/dgraph/cluster down

go-test: test/clients/node_modules test/conformance/node_modules dgraph redis issuer s3 collector ## all Go tests
	$(GOTEST) -timeout 30m ./...

race: ## short Go tests of the core under the race detector
	$(GOTEST) -race -short -timeout 40m $$(.ci/racy ./graph/... ./engine/... ./resolvers/... ./cmd/somnograph/internal/...)

node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "make test needs Node 20.19 or later with npm"; exit 1; }

browser: ## install Chromium for the tests of the explorer
	.ci/browser

web/node_modules: web/package.json web/package-lock.json | node
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test/clients/node_modules: test/clients/package.json test/clients/package-lock.json | node
	cd test/clients && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test/conformance/node_modules: test/conformance/package.json test/conformance/package-lock.json | node
	cd test/conformance && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

clients/typescript/node_modules: clients/typescript/package.json clients/typescript/package-lock.json | node
	cd clients/typescript && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

web-unit: web/node_modules ## unit tests of the explorer
	cd web && npm test

web-e2e: build web/node_modules browser issuer ## browser tests of the explorer
	cd web && SOMNOGRAPH_BIN=$(CURDIR)/bin/somnograph CHROMIUM=$$(../.ci/browser --path) npm run e2e

client-test: build test/clients/node_modules test/conformance/node_modules clients/typescript/node_modules ## other projects' GraphQL clients, and our clients, against the server
	.ci/clients
	.ci/typescript

python-test: build ## the Python client as a wheel against the server
	.ci/python

python-types: ## check the types of the Python client
	.ci/python --types

guide-test: build clients/typescript/node_modules ## every code block of docs/guide, as a newcomer would run it
	.ci/guide

deploy-test: build ## tests of deploy/ with the parsers of Kubernetes, Compose, Docker, goreleaser and the MCP registry
	cd deploy/manifests && SOMNOGRAPH_BIN=$(CURDIR)/bin/somnograph ../../.ci/gotest ./...
	cd deploy/release && SOMNOGRAPH_BIN=$(CURDIR)/bin/somnograph ../../.ci/gotest ./...

fmt: ## check the format of Go sources
	@files=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$files" || { echo "not formatted:"; echo "$$files"; exit 1; }

vet: ## go vet
	$(GO) vet ./...

cross: ## compile for Windows and macOS
	GOOS=windows GOARCH=amd64 $(GO) build -trimpath -o /dev/null ./cmd/somnograph
	GOOS=darwin GOARCH=arm64 $(GO) build -trimpath -o /dev/null ./cmd/somnograph

lint: ## staticcheck
	$(STATICCHECK) ./...

skips: ## check that the tests named in .ci/skips exist
	@.ci/skipped

tidy: ## check that go.mod is tidy
	$(GO) mod tidy -diff

train: ## compute the weights and trees of engine/reader; the same seed gives the same files
	$(GO) run ./engine/reader/train -seed 1 -pairs 120000 -o engine/reader/data

generate: web/node_modules clients/typescript/node_modules ## write all generated files
	$(GO) tool gqlgen generate
	$(GO) run ./clients/generate
	cd web && npm run types
	cd clients/typescript && npm run types
	cd web && npm run build

generated: web/node_modules clients/typescript/node_modules ## check that generated files match their sources
	$(GO) tool gqlgen generate
	$(GO) run ./clients/generate
	cd web && npm run types
	cd clients/typescript && npm run types
	.ci/unchanged resolvers/internal/gql web/src/api clients/typescript/src clients/python/src client

dist: web/node_modules ## check that the committed pages match their sources
	cd web && npm run build
	.ci/unchanged web/dist web/graphiql/dist

pictures: build web/node_modules browser ## take the pictures of docs/images again
	cd web && CHROMIUM=$$(../.ci/browser --path) npm run pictures

bench: build ## run the benchmark; writes bench/out/*.json
	bench/run

soak: ## long runs with faults; SOAK sets the duration, such as 30m
	bench/soak

clean:
	rm -rf bin bench/out web/test-results
