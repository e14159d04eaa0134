#!/usr/bin/env bash
# A run on machines that share a folder and are reached by ssh: docs/cluster/shell.sh FOLDER HOST...
# The manager runs here and looks at the folder all the time; a worker runs on each host until the answer is known.
set -euo pipefail

folder=$1
shift
GAME=${GAME:-domineering:8x8}
count=$#
nth=0
for host in "$@"; do
  ssh "$host" delphic cluster work --jobs "$folder/jobs" --shard "$nth/$count" --quiet &
  nth=$((nth + 1))
done
delphic cluster manage "$GAME" --ledger "$folder/ledger" --jobs "$folder/jobs" --proof "$folder/bundle" --out $((2 * count))
wait
