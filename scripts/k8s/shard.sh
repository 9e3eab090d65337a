#!/bin/sh
# One part of a campaign, as a pod of an Indexed Job runs it. Started again after a kill it goes on where it was.
#
#   CAMPAIGN_DIR          the folder of the campaign, in which each part has its own
#   SEED, VECTORS         of the campaign, and how many vectors each part has
#   SHARDS                how many parts there are
#   JOB_COMPLETION_INDEX  which one this is, from 0: set by Kubernetes
#
# Arguments go to `holodiff run`.
set -eu

out="$CAMPAIGN_DIR/part-$JOB_COMPLETION_INDEX"
journal="$out/journal.ndjson"

# A journal without a whole line holds nothing, and is begun again.
if [ -e "$journal" ] && [ "$(wc -l <"$journal")" -gt 0 ]; then
  set -- --resume "$out" "$@"
else
  set -- --seed "$SEED" --vectors "$VECTORS" --shard "env/$SHARDS" --out "$out" "$@"
fi

code=0
node harness/cli/bin.mjs run --no-table "$@" || code=$?
# 1 is a finding, which the merged result tells.
if [ "$code" -gt 1 ]; then exit "$code"; fi
