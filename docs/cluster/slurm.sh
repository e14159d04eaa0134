#!/usr/bin/env bash
# A run on a SLURM cluster without a broker, in rounds: `sbatch docs/cluster/slurm.sh` from a folder that all machines see.
# Each round gives out jobs, lets an array of workers do them, and takes the results in.
#SBATCH --job-name=delphic
#SBATCH --time=24:00:00
#SBATCH --cpus-per-task=2
set -euo pipefail

GAME=${GAME:-domineering:8x8}
WORKERS=${WORKERS:-64}
RUN=${RUN:-run}

mkdir -p "$RUN"
while true; do
  # 40 means undecided: there are jobs to do. Four for each worker keep an array busy although jobs differ in length.
  status=0
  delphic cluster manage "$GAME" --ledger "$RUN/ledger" --jobs "$RUN/jobs" --proof "$RUN/bundle" --once \
    --out $((4 * WORKERS)) --target 5m || status=$?
  [ "$status" = 40 ] || exit "$status"
  sbatch --wait --job-name=delphic-work --array="0-$((WORKERS - 1))" --cpus-per-task=1 --mem=2G --time=4:00:00 --wrap \
    "delphic cluster work --jobs '$RUN/jobs' --shard \$SLURM_ARRAY_TASK_ID/$WORKERS --once --quiet" || true
done
