#!/bin/sh
# crontab: 30 6 * * 1-5  cd /path/to/aiden && AIDEN_TOKEN=... examples/clients/nightly.sh
set -eu

# The date is the idempotency key: a second start on one day answers with the run of the first.
npx aiden run chat --key "nightly-$(date -u +%F)" \
  --context 'messages=[{"role":"user","content":"Ada lives in Turin. Where does Ada live?"}]'
