#!/usr/bin/env bash
# Everything that must hold: formatting, lints, all tests, the documentation's examples.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --workspace --all-targets --locked -- -D warnings
# Tests are compiled with optimisation and with checks on (Cargo.toml, profile.test); doc tests are included.
step cargo test --workspace --locked
printf '\nall checks passed\n'
