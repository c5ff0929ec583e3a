# Pavage. `make test` checks every change; the other targets are parts of it or
# take longer. Tools are pinned in go.mod and run by `go tool`, those of the page in
# web/package-lock.json and run by npm.

GO       ?= go
FUZZTIME ?= 60s
N        ?= 100000
COUNT    ?= 6
PYTHON   ?= python3

PREFIX    ?= /usr/local
PLATFORMS ?= $(foreach os,linux darwin windows,$(os)/amd64 $(os)/arm64)
URL       :=

PICTURES := doc/pictures
STATIC   := CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=auto
PROGRAM  := $(STATIC) -o bin/pavage ./cmd/pavage

.PHONY: build program beam site web serve screenshots page-test page-test-long wasm-test page-bench share install uninstall programs dist dist-test wheel test-python pictures reference \
	test test-long lint fuzz differential faults race grids bench bench-engines bench-compiled bench-service bench-pairs bench-readme cover clean

build: web share ## bin/pavage, one static file, with the page in it; without Node.js: make program
	$(PROGRAM)

program: ## bin/pavage with the page as it was built last, or a short page that says that there is none
	$(PROGRAM)

# Two steps, make build and sudo make install: root need not have Go and Node.js.
install: ## PREFIX/bin/pavage, manual pages and completions, as make build made them; below DESTDIR, if it is set
	@[ -x bin/pavage ] && [ -d bin/share ] || { echo "make: there is nothing to install, run make build first; without Node.js: make program share" >&2; exit 1; }
	umask 022 && mkdir -p '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share'
	install -m 755 bin/pavage '$(DESTDIR)$(PREFIX)/bin'
	umask 022 && cp -R bin/share/. '$(DESTDIR)$(PREFIX)/share'

uninstall: ## removes the files that make install has installed
	@[ -d bin/share ] || { echo "make: there is no list of what was installed, run make share first" >&2; exit 1; }
	rm -f '$(DESTDIR)$(PREFIX)/bin/pavage'
	cd bin && find share -type f | while read -r file; do rm -f '$(DESTDIR)$(PREFIX)'/"$$file"; done

programs:
	rm -rf bin/programs
	$(GO) run ./internal/dist/programs bin/programs $(PLATFORMS)

dist: web share ## bin/dist: archives, packages and checksums of this commit for PLATFORMS; with URL, their folder on the web, also for Homebrew and Scoop
	$(MAKE) --no-print-directory programs
	rm -rf bin/dist
	$(GO) run ./internal/dist -url '$(URL)' bin/programs bin/share bin/dist

dist-test: web ## make dist in two clones of the last commit gives the same files, which can be installed, run and removed
	internal/dist/test.sh

# Beam sends the program to each machine: 84 MB, and 123 MB with its symbols.
beam: ## bin/pavage-beam: one sweep on many machines, by Apache Beam; a module of its own
	cd beam && $(STATIC) -ldflags="-s -w" -o ../bin/pavage-beam ./cmd/pavage-beam

wheel: programs ## bin/wheels: a wheel of the Python package for each of PLATFORMS, with the page as it was built last
	rm -rf bin/wheels
	$(PYTHON) python/wheel.py "$$($(GO) version -m bin/programs | awk '$$1 == "mod" {print $$3; exit}')" bin/programs bin/wheels

# The tests are run in a wheel as pip installs it, with the pytest and the NumPy of PYTHON.
test-python: ## the Python package; PYTHON needs pytest, venv and NumPy
	$(MAKE) --no-print-directory wheel PLATFORMS=$$($(GO) env GOOS)/$$($(GO) env GOARCH)
	$(PYTHON) -m venv --clear --system-site-packages bin/venv
	bin/venv/bin/pip install --quiet --no-index --find-links bin/wheels pavage
	bin/venv/bin/python -m pytest -q -p no:cacheprovider --doctest-modules --pyargs pavage python/tests

serve: build ## the page, the program, and the service at http://127.0.0.1:8080; other settings: make serve ARGS="--listen 127.0.0.1:9000"
	bin/pavage serve $(ARGS)

# The wasm program is 32 MB, 7.6 MB packed.
site: program web/node_modules/.package-lock.json ## site: the page without a server, for any host of files; needs Node.js
	GOOS=js GOARCH=wasm $(STATIC) -ldflags="-s -w" -o bin/pavage.wasm ./cmd/pavage-wasm
	cd web && GOROOT=$$($(GO) env GOROOT) npm run --silent site

web: web/dist/index.html ## web/dist: the page, which the program has in it; needs Node.js

# The commit of a release has the page in it: it is not built again, and needs no Node.js.
RELEASED := $(shell git ls-files web/dist/index.html 2>/dev/null)
ifndef RELEASED
web/dist/index.html: web/node_modules/.package-lock.json web/index.html web/vite.config.ts web/tsconfig.json $(shell find web/src web/public -type f)
	@web/node.sh
	cd web && npm run --silent build
endif

# A folder that is a link belongs to somebody else, who keeps it up to date.
web/node_modules/.package-lock.json: web/package-lock.json
	@web/node.sh
	[ -L web/node_modules ] || (cd web && npm ci --no-audit --no-fund)

# The time limits end what hangs. A machine may be ten times too busy and keep them.
# What lint has vetted, go test need not.
test: lint page-test ## must pass before a commit: some five minutes of CPU; ends with go test's own lines
	$(GO) test -vet=off -timeout 60m ./...
	cd beam && $(GO) test -vet=off -timeout 60m ./...

page-test: ## types and unit tests of the page; skipped without Node.js, unless TEST_PAGE is set
	@if web/node.sh quietly; then $(MAKE) --no-print-directory web web/node_modules/.package-lock.json && cd web && npm run --silent check && npm test --silent; else web/node.sh skip; fi

page-test-long: wasm-test ## the page in a browser, against bin/pavage, and site without it; skipped without Node.js or Chromium, unless TEST_PAGE is set
	@if web/node.sh quietly chromium; then $(MAKE) --no-print-directory build site && cd web && npm run --silent e2e; else web/node.sh skip chromium; fi

# 62 bundled puzzles have their known counts, random covers those of the oracle.
WASM_TEST := GOOS=js GOARCH=wasm $(GO) test -vet=off -short -exec "$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec"
wasm-test: ## the engines as WebAssembly, by Node.js: a minute; skipped without Node.js, unless TEST_PAGE is set
	@if web/node.sh quietly; then \
		$(WASM_TEST) ./bdd ./internal/engine/key ./internal/engine/limb ./server/browser && \
		$(WASM_TEST) ./count ./cover ./sample -run 'Facts|Random|Determinants|Pfaffians|Dimer|Diagram|Search|Solve|Unrank|Heights' && \
		$(WASM_TEST) ./job -run KnownCounts && $(WASM_TEST) ./server/child -run 'WorkerWaits|ParentAcknowledges'; \
	else web/node.sh skip; fi

screenshots: build ## bin/screenshots: states of the page, to be looked at; those in doc/pictures are for the README
	@web/node.sh chromium
	cd web && npm run --silent screenshots

page-bench: build ## how fast the page is: first paint, frames while a board of 64x64 is drawn, 1,000 tilings
	@web/node.sh chromium
	cd web && npm run --silent bench

test-long: page-test-long ## what make test leaves out: more cases, levels checked after every step; of one package: TEST_LONG=1 go test ./count
	$(GO) test -timeout 60m -tags invariants -skip '^(TestFacts|TestDistinctFacts)$$' ./count ./sample
	longer=$$($(GO) run ./internal/test/testkit/longer) && TEST_LONG=1 $(GO) test -timeout 60m $$longer
	cd beam && longer=$$($(GO) run github.com/pavage/pavage/internal/test/testkit/longer) && TEST_LONG=1 $(GO) test -timeout 60m $$longer

# Beam brings 800 packages, which staticcheck reads once: 45 s of CPU, and 8 s when it has read them.
lint: ## vet, format, staticcheck
	$(GO) vet ./...
	cd beam && $(GO) vet ./...
	@unformatted=$$($(GO) tool gofumpt -l .) && \
	if [ -n "$$unformatted" ]; then \
		echo "not gofumpt's format, run go tool gofumpt -w:" $$unformatted; exit 1; \
	fi
	$(GO) tool staticcheck ./...
	staticcheck=$$($(GO) tool -n staticcheck) && cd beam && $$staticcheck ./...

fuzz: ## every fuzz target for FUZZTIME
	@set -e; for package in $$($(GO) list ./... && cd beam && $(GO) list ./...); do \
		case $$package in */pavage/beam*) cd $(CURDIR)/beam;; *) cd $(CURDIR);; esac; \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package; \
		done; \
	done

differential: ## N random covers and puzzles through every engine and relation
	$(GO) test ./internal/test/differential -run TestCases -v -timeout 6h -args -cases=$(N)

faults: ## every planted fault is caught by its test: five minutes
	$(GO) test ./internal/test/faults -run TestFaultsAreCaught -timeout 60m -v -args -faults=all

race: ## the packages that use several goroutines, under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short ./bdd ./cmd/... ./config ./count ./verify/evidence ./internal/engine/search ./internal/engine/order ./internal/engine/sweep ./job ./sample ./verify
	cd beam && CGO_ENABLED=1 $(GO) test -race -short ./...

grids: ## all 637 published rectangles by `pavage sequence`: 8.4 minutes of CPU, 4 GB
	$(GO) test ./cmd/pavage/command -run TestSequenceGrids -timeout 60m -v -args -grids

bench: ## benchmarks, COUNT times each, summarized by benchstat
	@mkdir -p bin
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) -timeout 60m ./... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt

# Reports of bench/, each made by one command. A report that fails leaves the old one as it is.
bench-engines: ## bench/engines.md: auto against every engine on every known count; a quarter of an hour
bench-compiled: ## bench/compiled.md: files of diagrams, written, opened and loaded; 6 GB
bench-engines bench-compiled: bench-%:
	@mkdir -p bin
	$(GO) run ./bench/$* -commit $$(git rev-parse --short HEAD) > bin/$*.md
	mv bin/$*.md bench/$*.md

bench-service: program ## bench/service.md: what clients of a service wait for
	$(GO) run ./bench/service -pavage bin/pavage > bin/service.md
	mv bin/service.md bench/service.md

bench-pairs: program ## bench/pairs.md: this version and the program BEFORE, in turn; a quarter of an hour
	$(GO) run ./bench/pairs -before $(BEFORE) -now bin/pavage > bin/pairs.md
	mv bin/pairs.md bench/pairs.md

bench-readme: program ## the figures of README.md and doc/limits.md, from the commands in their tables: ten minutes, 4 GB
	$(GO) run ./bench/readme -pavage bin/pavage -commit $$(git rev-parse --short HEAD) README.md doc/limits.md

cover: ## statement coverage over all packages
	@mkdir -p bin
	$(GO) test -short -coverpkg=./... -coverprofile=bin/cover.out ./...
	$(GO) tool cover -func=bin/cover.out | tail -1

reference: ## doc/reference.md, from the help texts and the table of settings; what the page knows of the program
	$(GO) test -p 1 ./cmd/pavage/command ./config -run TestReference -count 1 -args -update
	$(GO) test ./render ./tiling ./exchange -run TestPage -count 1 -args -update

share: ## bin/share: manual pages and completions, as they are installed
	rm -rf bin/share
	umask 022 && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo $$SOURCE_DATE_EPOCH) $(GO) run ./cmd/pavage/share bin/share

pictures: program ## doc/pictures: the pictures of the README, of heat-maps and of methods: those are compared by a test
	bin/pavage sample $(PICTURES)/aztec-diamond.yaml --method sweep --seed 1 --sheet $(PICTURES)/aztec-diamond.svg
	bin/pavage sample name:pentominoes-8x8-hole --method diagram --seed 3 --sheet $(PICTURES)/pentominoes.svg
	bin/pavage sample name:bedlam --method diagram --seed 7 --sheet $(PICTURES)/bedlam.svg
	bin/pavage query $(PICTURES)/aztec-diamond.yaml --marginals=kinds --scale 8 --label none --png $(PICTURES)/heat-aztec.png
	bin/pavage sample --board 100x100 --piece domino=any --seed 1 --color-by kind --scale 4 --png $(PICTURES)/dominoes-100.png
	bin/pavage sample --board diamond:100 --piece domino=any --seed 1 --color-by kind --scale 4 --png $(PICTURES)/aztec-100.png
	bin/pavage sample --board diamond:100 --piece domino=any --weight domino:1@@*,0mod2=1/2 --weight domino:2@@0mod2,*=1/2 --seed 1 --color-by kind --scale 4 --png $(PICTURES)/three-phases.png
	bin/pavage sample --lattice triangle --board hexagon:40 --piece lozenge=any --weight volume=9/10 --seed 1 --color-by kind --scale 8 --png $(PICTURES)/volume-40.png
	bin/pavage sample --lattice triangle --board hexagon:30 --piece lozenge=any --seed 1 --color-by kind --scale 8 --png $(PICTURES)/lozenges-30.png
	bin/pavage sample --lattice triangle --board hexagon:30 --piece lozenge=any --seed 1 --heights --scale 4 --png $(PICTURES)/heights-30.png
	bin/pavage sample --board 8x8 --piece domino=any --seed 3 --heights --svg $(PICTURES)/heights.svg
	bin/pavage query --board diamond:60 --piece domino=any --marginals=heights --scale 4 --png $(PICTURES)/mean-heights-60.png
	bin/pavage query --board diamond:6 --piece domino=any --marginals=heights --svg $(PICTURES)/mean-heights.svg
	TEST_LONG=1 $(GO) test ./cmd/pavage/command -run TestDocs/doc/howto/heatmaps.md -update
	$(GO) test ./job -run TestMethods -update

clean: ## all that the targets have made, but for what npm has installed and a page that is committed
	rm -rf bin site $(if $(RELEASED),,web/dist/*)
