# What a contributor runs. It needs Go and make; what else the tests use is fetched at the versions pinned here.

SHELL := /bin/bash
GO    ?= go

# Longer comparisons of every clever thing with its dumb twin.
soak:
	IBCHECK_SOAK=10000 $(GO) test -count=1 -timeout 120m -run 'TestReductions' -v .

.PHONY: bench soak test tools outside format vet staticcheck unit scenarios fmt dist clean

# test is what .ci/run calls: everything that must hold before a change goes in.
test: tools outside format vet staticcheck unit scenarios

tools: bin/staticcheck

bin/staticcheck: tools/go.mod tools/go.sum
	@mkdir -p bin
	$(GO) -C tools build -o ../bin/ tool
	@touch $@

# Programs of others that read what ibcheck writes, by the name of their Debian
# package. The tests that need a program which is missing say that they were skipped.
OUTSIDE := dot:graphviz tshark:tshark chromium:chromium prove:perl man:man-db vim:vim nvim:neovim emacs:emacs-nox

outside:
	@missing=; for pair in $(OUTSIDE); do \
		command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
		echo "missing:$$missing; until they are installed, some tests are skipped"; \
	elif [ "$$(id -u)" -ne 0 ]; then \
		echo "missing: run 'sudo apt-get install$$missing'; until then some tests are skipped"; \
	else \
		echo "installing$$missing"; \
		install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null; }; \
		install 2>/dev/null || { apt-get update -q >/dev/null && install; }; \
	fi

format:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "not formatted, run 'make fmt':"; echo "$$bad"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck: tools
	bin/staticcheck ./...

unit:
	$(GO) test ./...

# The catalogue against its expected verdicts.
scenarios:
	$(GO) run ./cmd/ibcheck test ./scenarios/... ./ibchecktest/testdata

fmt:
	gofmt -w .

# Other checkers beside this one, and how scenarios grow: the tables of
# docs/performance.md, in about ten minutes on an idle machine.
bench: OUTSIDE := spin:spin rumur:rumur gcc:build-essential
bench: outside
	$(GO) run ./bench -peers
	$(GO) run ./bench -growth

# What is shipped: archives and Debian packages with man pages and completions.
dist:
	tools/dist.sh dist

clean:
	rm -rf bin dist
