# Somnograph. `make run` needs Go alone; `make test` needs Go and Node and installs
# what else it needs. See README.md.

GO          ?= go
ADDR        ?= 127.0.0.1:8420
DATA        ?= data/demo
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOTEST      := .ci/gotest
# Where concurrency lives; the race detector looks at these.
RACE        := ./graph/... ./engine/... ./resolvers/... ./cmd/...

.PHONY: run build test check bench soak generate help go-test race node browser web-test client-test \
	fmt vet lint generated dist tidy clean dgraph redis cluster cluster-down deploy-test

help: ## show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: build ## build and serve the demo world
	@mkdir -p $(DATA)
	./bin/somnograph serve --demo --data $(DATA) --addr $(ADDR)

build: ## build bin/somnograph
	@mkdir -p bin
	$(GO) build -trimpath -o bin/somnograph ./cmd/somnograph

test: go-test race web-test client-test deploy-test ## everything that proves the product

check: fmt vet lint tidy generated dist ## everything that proves the sources

dgraph: ## a real Dgraph for the tests; takes minutes the first time
	@test -n "$(DGRAPH)" || (cd deploy/dgraph && $(GO) tool -n dgraph >/dev/null)

redis: ## a real Redis for the tests
	@.ci/redis >/dev/null

cluster: build ## run Dgraph, Redis and two Somnographs on loopback
	deploy/dgraph/cluster up

cluster-down: ## end it
	deploy/dgraph/cluster down

go-test: test/clients/node_modules dgraph redis ## all Go tests; one of them runs other people's clients
	$(GOTEST) -timeout 15m ./...

race: ## short Go tests of the core under the race detector
	$(GOTEST) -race -short -timeout 20m $(RACE)

node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "make test needs Node 20.19 or later with npm"; exit 1; }

browser: ## a Chromium for the tests of the explorer
	.ci/browser

web/node_modules: web/package.json web/package-lock.json | node
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test/clients/node_modules: test/clients/package.json test/clients/package-lock.json | node
	cd test/clients && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

web-test: build web/node_modules browser ## unit tests and browser tests of the explorer
	cd web && npm test
	cd web && SOMNOGRAPH_BIN=$(CURDIR)/bin/somnograph CHROMIUM=$$(../.ci/browser --path) npm run e2e

client-test: build test/clients/node_modules ## other people's GraphQL clients against the server
	.ci/clients

deploy-test: build ## the manifests of deploy/ against the types and parsers of what reads them
	cd deploy/manifests && SOMNOGRAPH_BIN=$(CURDIR)/bin/somnograph ../../.ci/gotest ./...

fmt:
	@files=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$files" || { echo "not formatted:"; echo "$$files"; exit 1; }

vet:
	$(GO) vet ./...

lint:
	$(STATICCHECK) ./...

tidy:
	$(GO) mod tidy -diff

generate: web/node_modules ## write all generated files anew
	$(GO) tool gqlgen generate
	cd web && npm run types
	cd web && npm run build

generated: web/node_modules ## the generated files are what the sources generate
	$(GO) tool gqlgen generate
	cd web && npm run types
	.ci/unchanged resolvers/internal/gql web/src/api

dist: web/node_modules ## the committed explorer is what its sources build
	cd web && npm run build
	.ci/unchanged web/dist

bench: build ## measure; writes bench/out/*.json
	bench/run

soak: ## long runs of faults; SOAK sets how long, as 30m
	bench/soak

clean:
	rm -rf bin bench/out web/test-results
