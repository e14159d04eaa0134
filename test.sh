#!/usr/bin/env bash
# Everything that must hold: formatting, lints, all tests, the documentation's examples.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
# The table of games declares their modules in a macro, which cargo fmt does not look into.
find crates/games/src -name "*.rs" | xargs rustfmt --edition 2024 --check
step cargo clippy --workspace --all-targets --locked -- -D warnings
# Tests are compiled with optimisation and with checks on (Cargo.toml, profile.test); doc tests are included.
step cargo test --workspace --locked
printf '\nall checks passed\n'
