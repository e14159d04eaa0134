#!/usr/bin/env bash
# Everything that must hold: formatting, lints, all tests, the documentation's examples, the programs that use Delphic as a library, the Python package.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s (after %s s)\n' "$*" "$SECONDS"; "$@"; }

# What is compiled once compiles a third faster in few large units than in many small ones that can be used again, and a tenth faster again
# without a second optimisation across the units. Clippy, tests, examples and the Python package have the same settings, so that build
# scripts, procedural macros and C libraries are compiled once.
export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
export CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_DEV_CODEGEN_UNITS=1 CARGO_PROFILE_DEV_LTO=off

step cargo fmt --all --check
# The table of games declares their modules in a macro, which cargo fmt does not look into.
find crates/games/src -name "*.rs" | xargs rustfmt --edition 2024 --check
step cargo clippy --workspace --all-targets --features delphic/cluster --locked -- -D warnings
# Tests are compiled with optimisation and with checks on (Cargo.toml, profile.test). nextest, where it is installed, runs tests of
# different files at the same time, which saves minutes; it leaves the examples of the documentation to cargo test.
if cargo nextest --version > /dev/null 2>&1; then
  step cargo nextest run --workspace --features delphic/cluster --locked --status-level slow
  step cargo test --workspace --features delphic/cluster --locked --doc
else
  step cargo test --workspace --features delphic/cluster --locked
fi
# A manager, workers and a NATS server as processes, with the program that was just built.
step scripts/test-cluster.sh
# The explorer in a real browser, with the program that was just built.
step scripts/test-web.sh

# The programs of examples/ are no members of the workspace: they are compiled as those of a stranger are, only into the same folder.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
example() { # the line expected, the program, its arguments
  local expected=$1 program=$2 printed
  shift 2
  printf '\n== %s %s\n' "$program" "$*"
  # Exit codes such as 10 and 20 are answers.
  printed=$(cargo run --quiet --locked --manifest-path examples/Cargo.toml --bin "$program" -- "$@") || true
  grep --fixed-strings --line-regexp -- "$expected" <<< "$printed" || {
    printf 'expected: %s\nprinted:\n%s\n' "$expected" "$printed"
    exit 1
  }
}
step rustfmt --edition 2024 --check examples/src/bin/*.rs
step cargo test --quiet --locked --manifest-path examples/Cargo.toml
example 'WIN: the first player, to move, wins' toads_and_frogs solve toads --proof "$CARGO_TARGET_DIR/toads.proof"
example 'VALID: the first player can force a win' toads_and_frogs check "$CARGO_TARGET_DIR/toads.proof"
example 'max/min       Proved after 31349 nodes' own_rule domineering:4x6
example 'auto: 16 hours, certificate checked' scheduling "$CARGO_TARGET_DIR/schedule.proof"
example 'brute: 16 hours, certificate checked' scheduling "$CARGO_TARGET_DIR/schedule.proof"
step scripts/test-python.sh
printf '\nall checks passed\n'
