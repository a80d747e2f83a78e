# What a contributor runs. It needs Go and make; what else the tests use is fetched at the versions pinned here.

SHELL := /bin/bash
GO    ?= go

.PHONY: test tools graphviz format vet staticcheck unit fmt clean

# test is what .ci/run calls: everything that must hold before a change goes in.
test: tools graphviz format vet staticcheck unit

tools: bin/staticcheck

bin/staticcheck: tools/go.mod tools/go.sum
	@mkdir -p bin
	$(GO) -C tools build -o ../bin/ tool
	@touch $@

# The graph tests draw with dot. Without it they say that they were skipped.
graphviz:
	@if command -v dot >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
		echo "graphviz is missing: install the program 'dot'; until then the tests that draw graphs are skipped"; \
	elif [ "$$(id -u)" -ne 0 ]; then \
		echo "graphviz is missing: run 'sudo apt-get install graphviz'; until then the tests that draw graphs are skipped"; \
	else \
		echo "installing graphviz"; \
		apt-get install -y -q --no-install-recommends graphviz >/dev/null 2>&1 || \
			{ apt-get update -q >/dev/null && apt-get install -y -q --no-install-recommends graphviz >/dev/null; }; \
	fi

format:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "not formatted, run 'make fmt':"; echo "$$bad"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck: tools
	bin/staticcheck ./...

unit:
	$(GO) test ./...

fmt:
	gofmt -w .

clean:
	rm -rf bin dist
