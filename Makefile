# `make run` shows what Provoke does, `make test` is what must pass before a change goes in.

SHELL := bash
export PATH := $(PATH):$(HOME)/.cargo/bin
CARGO ?= cargo
PREFIX ?= /usr/local
DESTDIR ?=
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
PROVOKE := $(TARGET)/release/provoke
export PROVOKE_SELFCHECK ?= 1
# What passes once passes everywhere: random cases are the same each time. `make test-deep` makes others.
export PROPTEST_RNG_SEED ?= 20080421

.PHONY: run build setup test lint doc test-code test-random test-rt bench test-real test-deep install clean

run: build
	examples/run $(PROVOKE)

setup:
	scripts/setup

build: setup
	$(CARGO) build --release --locked -p provoke-cli

test: setup lint doc test-code test-random test-rt

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

doc: setup
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

test-code: setup
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --workspace --locked && $(CARGO) test --workspace --doc --locked; \
	else \
		$(CARGO) test --workspace --locked; \
	fi

# The first few of the random programs that test-deep runs hundreds of.
test-random: setup
	$(CARGO) build --locked -p provoke-cli -p provoke-testing
	PROVOKE=$(TARGET)/debug/provoke PROVOKE_COMPARE=$(TARGET)/debug/provoke-compare tests/csmith/run 10
	PROVOKE=$(TARGET)/debug/provoke PROVOKE_COMPARE=$(TARGET)/debug/provoke-compare tests/csmith/run --float 3

# The runtime is no member of the workspace: it is built for other people's programs.
test-rt: setup
	$(CARGO) fmt --manifest-path crates/rt/Cargo.toml --check
	$(CARGO) clippy --manifest-path crates/rt/Cargo.toml --target-dir $(TARGET)/rt --locked --all-targets -- -D warnings
	$(CARGO) test --manifest-path crates/rt/Cargo.toml --target-dir $(TARGET)/rt --locked

# Ratios against native programs and other solvers. Takes a while.
bench: build
	for bench in bench/*/run; do env -u PROVOKE_SELFCHECK PROVOKE=$(PROVOKE) $$bench || exit 1; done

# Real programs from Debian source packages: their own test suites, natively and in the concolic view.
test-real: build
	for test in tests/cc/run tests/real/run; do PROVOKE=$(PROVOKE) $$test || exit 1; done

# Longer than anybody waits for: hundreds of random programs, tens of thousands of random terms, 10,000 programs a theorem.
test-deep: build
	unset PROPTEST_RNG_SEED; for test in tests/deep/*/run; do PROVOKE=$(PROVOKE) $$test || exit 1; done

install: build
	install -D -m 755 $(PROVOKE) $(DESTDIR)$(PREFIX)/bin/provoke
	ln -sf provoke $(DESTDIR)$(PREFIX)/bin/provoke-cc
	ln -sf provoke $(DESTDIR)$(PREFIX)/bin/provoke-c++
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	$(PROVOKE) man --output $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(PROVOKE) completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/provoke
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	$(PROVOKE) completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_provoke
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(PROVOKE) completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/provoke.fish

clean:
	$(CARGO) clean
