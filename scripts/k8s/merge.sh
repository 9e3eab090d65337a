#!/bin/sh
# Joins the parts of a campaign. The last line tells how it went, as exit codes do: a finding is no failure of the job.
#
#   CAMPAIGN_DIR  the folder of the campaign
#
# Arguments go to `holodiff merge`.
set -eu

code=0
node harness/cli/bin.mjs merge "$CAMPAIGN_DIR"/part-* --out "$CAMPAIGN_DIR/merged" --no-table "$@" || code=$?
if [ "$code" -gt 1 ]; then exit "$code"; fi
node harness/cli/bin.mjs report "$CAMPAIGN_DIR/merged" --stored --out "$CAMPAIGN_DIR/merged/report.html"
echo "holodiff merge ended with $code"
