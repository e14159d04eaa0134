#!/usr/bin/env bash
# The explorer in a real browser: types of its scripts, then all tests of crates/web/tests/browser. Node and npm are needed; Chromium is
# installed where that is possible. What is missing is reported as skipped, which with CI=true is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  printf 'skipped: %s\n' "$1"
  [ "${CI:-}" != true ] || exit 1
  exit 0
}

command -v node > /dev/null && command -v npm > /dev/null || skip 'tests in a browser need node and npm'
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || skip 'tests in a browser need node 20'

# The program that `cargo test` has built; without it, it is built in the same way.
binary="${CARGO_TARGET_DIR:-$PWD/target}/debug/delphic"
[ -x "$binary" ] || cargo build --locked --profile test --package delphic

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ] && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } > /dev/null 2>&1 || true
  browser=$(command -v chromium || true)
fi

cd crates/web/tests/browser
npm ci --no-audit --no-fund --silent || skip 'npm could not install what the tests need'
npx tsc -p tsconfig.json
[ -n "$browser" ] || skip 'there is no Chromium'
DELPHIC="$binary" CHROMIUM="$browser" node --test --test-concurrency=2 --test-reporter=spec ./*.test.mjs
