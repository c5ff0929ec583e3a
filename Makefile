# Pavage. `make test` checks every change; other tests are parts of it or take longer. go.mod pins the
# versions of the Go tools, which `go tool` runs; web/package-lock.json pins those of the page, which
# npm runs.

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

build: web share ## bin/pavage, one static file that contains the page; without Node.js: make program
	$(PROGRAM)

program: ## bin/pavage with the page of the last build; without one, a short page says so
	$(PROGRAM)

# Installing takes two steps, `make build` and `sudo make install`, so root needs no Go and no Node.js.
install: ## installs the program, manual pages and completions that make build has made, below DESTDIR and PREFIX
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

dist: web share ## bin/dist: archives, packages and checksums of this commit for PLATFORMS; with URL, the web address of these files, also for Homebrew and Scoop
	$(MAKE) --no-print-directory programs
	rm -rf bin/dist
	$(GO) run ./internal/dist -url '$(URL)' bin/programs bin/share bin/dist

dist-test: web ## tests that make dist gives the same files in two clones of the last commit, and that they can be installed, run and removed
	internal/dist/test.sh

# Beam sends the program to each machine. -s -w drop its symbols: it has 84 MB, with symbols 123 MB.
beam: ## bin/pavage-beam: one sweep on many machines, by Apache Beam; a separate Go module
	cd beam && $(STATIC) -ldflags="-s -w" -o ../bin/pavage-beam ./cmd/pavage-beam

wheel: programs ## bin/wheels: a wheel of the Python package for each of PLATFORMS, with the page of the last build
	rm -rf bin/wheels
	$(PYTHON) python/wheel.py "$$($(GO) version -m bin/programs | awk '$$1 == "mod" {print $$3; exit}')" bin/programs bin/wheels

# pip installs the wheel in a virtual environment, where the tests run with PYTHON's pytest and NumPy.
test-python: ## tests of the Python package; PYTHON needs pytest, venv and NumPy
	$(MAKE) --no-print-directory wheel PLATFORMS=$$($(GO) env GOOS)/$$($(GO) env GOARCH)
	$(PYTHON) -m venv --clear --system-site-packages bin/venv
	bin/venv/bin/pip install --quiet --no-index --find-links bin/wheels pavage
	bin/venv/bin/python -m pytest -q -p no:cacheprovider --doctest-modules --pyargs pavage python/tests

serve: build ## builds the page and the program, and runs the service at http://127.0.0.1:8080; other settings: make serve ARGS="--listen 127.0.0.1:9000"
	bin/pavage serve $(ARGS)

# The WebAssembly program has 32 MB, compressed 7.6 MB.
site: program web/node_modules/.package-lock.json ## site: the page without a server, for any host of files; needs Node.js
	GOOS=js GOARCH=wasm $(STATIC) -ldflags="-s -w" -o bin/pavage.wasm ./cmd/pavage-wasm
	cd web && GOROOT=$$($(GO) env GOROOT) npm run --silent site

web: web/dist/index.html ## web/dist: the page, which the program contains; needs Node.js

# The commit of a release contains the page, so the page is not built again and Node.js is not needed.
RELEASED := $(shell git ls-files web/dist/index.html 2>/dev/null)
ifndef RELEASED
web/dist/index.html: web/node_modules/.package-lock.json web/index.html web/vite.config.ts web/tsconfig.json $(shell find web/src web/public -type f)
	@web/node.sh
	cd web && npm run --silent build
endif

# If node_modules is a symbolic link, npm must not change the folder that it names.
web/node_modules/.package-lock.json: web/package-lock.json
	@web/node.sh
	[ -L web/node_modules ] || (cd web && npm ci --no-audit --no-fund)

# The time limits only end tests that hang: a machine that is ten times slower stays within them. The
# target lint runs vet, so go test need not.
test: lint page-test ## must pass before a commit: about five minutes of CPU; the last lines are those of go test
	$(GO) test -vet=off -timeout 60m ./...
	cd beam && $(GO) test -vet=off -timeout 60m ./...

page-test: ## types and unit tests of the page; without Node.js skipped, or with TEST_PAGE an error
	@if web/node.sh quietly; then $(MAKE) --no-print-directory web web/node_modules/.package-lock.json && cd web && npm run --silent check && npm test --silent; else web/node.sh skip; fi

page-test-long: wasm-test ## tests in a browser: the page of bin/pavage, and site/ without a server; without Node.js or Chromium skipped, or with TEST_PAGE an error
	@if web/node.sh quietly chromium; then $(MAKE) --no-print-directory build site && cd web && npm run --silent e2e; else web/node.sh skip chromium; fi

# The tests compare the counts of 62 bundled puzzles with known counts, and those of random covers with
# the oracle's.
WASM_TEST := GOOS=js GOARCH=wasm $(GO) test -vet=off -short -exec "$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec"
wasm-test: ## tests of the engines as WebAssembly in Node.js: a minute; without Node.js skipped, or with TEST_PAGE an error
	@if web/node.sh quietly; then \
		$(WASM_TEST) ./bdd ./internal/engine/key ./internal/engine/limb ./server/browser && \
		$(WASM_TEST) ./count ./cover ./sample -run 'Facts|Random|Determinants|Pfaffians|Dimer|Diagram|Search|Solve|Unrank|Heights' && \
		$(WASM_TEST) ./job -run KnownCounts && $(WASM_TEST) ./server/child -run 'WorkerWaits|ParentAcknowledges'; \
	else web/node.sh skip; fi

screenshots: build ## bin/screenshots: pictures of the states of the page, to be looked at; doc/pictures has two of them
	@web/node.sh chromium
	cd web && npm run --silent screenshots

page-bench: build ## bin/page-bench.md: the time to the first paint, frames a second while a board of 64x64 is drawn and while 1,000 tilings scroll
	@web/node.sh chromium
	cd web && npm run --silent bench

test-long: page-test-long ## the tests that make test leaves out: more cases, and levels checked after every step; for one package: TEST_LONG=1 go test ./count
	$(GO) test -timeout 60m -tags invariants -skip '^(TestFacts|TestDistinctFacts)$$' ./count ./sample
	longer=$$($(GO) run ./internal/test/testkit/longer) && TEST_LONG=1 $(GO) test -timeout 60m $$longer
	cd beam && longer=$$($(GO) run github.com/pavage/pavage/internal/test/testkit/longer) && TEST_LONG=1 $(GO) test -timeout 60m $$longer

# Beam depends on 800 packages. The first run of staticcheck on them takes 45 s of CPU, a later run 8 s.
lint: ## go vet, gofumpt, staticcheck
	$(GO) vet ./...
	cd beam && $(GO) vet ./...
	@unformatted=$$($(GO) tool gofumpt -l .) && \
	if [ -n "$$unformatted" ]; then \
		echo "not gofumpt's format, run go tool gofumpt -w:" $$unformatted; exit 1; \
	fi
	$(GO) tool staticcheck ./...
	staticcheck=$$($(GO) tool -n staticcheck) && cd beam && $$staticcheck ./...

fuzz: ## runs every fuzz target for FUZZTIME
	@set -e; for package in $$($(GO) list ./... && cd beam && $(GO) list ./...); do \
		case $$package in */pavage/beam*) cd $(CURDIR)/beam;; *) cd $(CURDIR);; esac; \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package; \
		done; \
	done

differential: ## tests N random covers and puzzles with every engine and every relation
	$(GO) test ./internal/test/differential -run TestCases -v -timeout 6h -args -cases=$(N)

faults: ## tests that each planted fault makes its test fail: five minutes
	$(GO) test ./internal/test/faults -run TestFaultsAreCaught -timeout 60m -v -args -faults=all

race: ## tests of the packages that use several goroutines, with the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short ./bdd ./cmd/... ./config ./count ./verify/evidence ./internal/engine/search ./internal/engine/order ./internal/engine/sweep ./job ./sample ./verify
	cd beam && CGO_ENABLED=1 $(GO) test -race -short ./...

grids: ## counts all 637 published rectangles by `pavage sequence`: 8.4 minutes of CPU, 4 GB
	$(GO) test ./cmd/pavage/command -run TestSequenceGrids -timeout 60m -v -args -grids

bench: ## benchmarks, COUNT times each, summarized by benchstat
	@mkdir -p bin
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) -timeout 60m ./... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt

# The reports in bench/. If a command fails, the old report stays.
bench-engines: ## bench/engines.md: the time of auto and of every engine on every known count; a quarter of an hour
bench-compiled: ## bench/compiled.md: the time to write, open and load files of diagrams; 6 GB
bench-engines bench-compiled: bench-%:
	@mkdir -p bin
	$(GO) run ./bench/$* -commit $$(git rev-parse --short HEAD) > bin/$*.md
	mv bin/$*.md bench/$*.md

bench-service: program ## bench/service.md: how long clients of a service wait
	$(GO) run ./bench/service -pavage bin/pavage > bin/service.md
	mv bin/service.md bench/service.md

bench-pairs: program ## bench/pairs.md: compares this version with the program BEFORE, in turn; a quarter of an hour
	$(GO) run ./bench/pairs -before $(BEFORE) -now bin/pavage > bin/pairs.md
	mv bin/pairs.md bench/pairs.md

bench-readme: program ## measures the figures in README.md and doc/limits.md anew, by the commands in their tables: ten minutes, 4 GB
	$(GO) run ./bench/readme -pavage bin/pavage -commit $$(git rev-parse --short HEAD) README.md doc/limits.md

cover: ## statement coverage of all packages
	@mkdir -p bin
	$(GO) test -short -coverpkg=./... -coverprofile=bin/cover.out ./...
	$(GO) tool cover -func=bin/cover.out | tail -1

reference: ## doc/reference.md, from the help texts and the table of settings; and the files that give the page data of the program
	$(GO) test -p 1 ./cmd/pavage/command ./config -run TestReference -count 1 -args -update
	$(GO) test ./render ./tiling ./exchange -run TestPage -count 1 -args -update

share: ## bin/share: manual pages and completions, to be installed
	rm -rf bin/share
	umask 022 && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo $$SOURCE_DATE_EPOCH) $(GO) run ./cmd/pavage/share bin/share

pictures: program ## doc/pictures: the pictures of the README, of heat-maps and of methods; a test compares those of methods
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

clean: ## removes all files that the targets have made, except web/node_modules and a committed page
	rm -rf bin site $(if $(RELEASED),,web/dist/*)
