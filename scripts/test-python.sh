#!/usr/bin/env bash
# Builds the Python package into a virtual environment of its own and runs all that is written in Python: tests, examples in docstrings
# and documentation, type checkers, notebooks. Where Python is missing it is skipped; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }
skip() {
  printf '\nPython: skipped, %s\n' "$1"
  [ "${CI:-}" != true ] || { printf 'with CI=true that is a failure\n'; exit 1; }
  exit 0
}

python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "there is no $python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$("$python" --version) is too old; 3.10 or newer is needed"
"$python" -c 'import ensurepip, venv' 2> /dev/null || skip "$python has no venv"

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
environment=$CARGO_TARGET_DIR/python
requirements=crates/python/requirements-test.txt
# The tools are installed once; the wheel goes into an environment that has never seen another one.
if ! cmp --silent "$requirements" "$environment/requirements.txt"; then
  step "$python" -m venv --clear "$environment"
  step "$environment/bin/pip" install --quiet --disable-pip-version-check --no-compile --requirement "$requirements" ||
    skip "its tools cannot be installed"
  cp "$requirements" "$environment/requirements.txt"
fi

# The settings of the profile `test`, so that what cargo test has compiled is used again. (maturin builds by `cargo rustc`, for which a
# profile of that name means a program of tests.)
wheels=$CARGO_TARGET_DIR/wheels
rm -rf "$wheels"
step "$environment/bin/maturin" build --locked --quiet --profile dev --config 'profile.dev.debug=false' --out "$wheels" --interpreter "$environment/bin/python"
step "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheels"/delphic-*.whl

export PATH="$environment/bin:$PATH" PYTHONPYCACHEPREFIX="$CARGO_TARGET_DIR/pycache"
step mypy --cache-dir "$CARGO_TARGET_DIR/mypy"
step pyright --pythonpath "$environment/bin/python"
step python -m doctest docs/python.md
step python -m pytest -p no:cacheprovider --doctest-modules --pyargs delphic
step python -m pytest -p no:cacheprovider crates/python/tests -rP -k 'overhead or beside'
step python -m pytest -p no:cacheprovider crates/python/tests -k 'not overhead and not beside'
