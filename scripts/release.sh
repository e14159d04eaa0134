#!/usr/bin/env bash
# Makes what people without Rust need, in target/release-artifacts: a wheel, the source package, a stripped binary, a container image,
# checksums. What cannot be made on this machine is said to be skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }
skip() { printf '\nskipped: %s\n' "$*"; }

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
out=$CARGO_TARGET_DIR/release-artifacts
tools=$CARGO_TARGET_DIR/release-tools
rm -rf "$out"
mkdir -p "$out"

[ -x "$tools/bin/maturin" ] || { step "${PYTHON:-python3}" -m venv "$tools"; step "$tools/bin/pip" install --quiet 'maturin==1.16.0'; }
export PATH="$tools/bin:$PATH"

# With the profile of the wheel nothing is compiled twice; a panic ends a thread and not the process, which is all the difference. Both
# packages are named because the features of their dependencies are then those that the wheel needs.
step cargo build --quiet --locked --profile wheel --package delphic --package delphic-python
platform=$(rustc -vV | sed -n 's/^host: //p')
install -D --mode=755 "$CARGO_TARGET_DIR/wheel/delphic" "$out/delphic-$platform"

# One wheel for every CPython from 3.10 on.
step maturin build --quiet --locked --profile wheel --out "$out" --interpreter "$tools/bin/python"
step maturin sdist --out "$out"

if command -v docker > /dev/null && docker info > /dev/null 2>&1; then
  step docker build --tag delphic .
  docker save delphic | gzip > "$out/delphic-image.tar.gz"
else
  skip "the container image, docker does not run here"
fi

cd "$out"
sha256sum -- * > SHA256SUMS
printf '\n'
cat SHA256SUMS
