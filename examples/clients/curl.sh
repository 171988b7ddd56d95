#!/bin/sh
set -eu
: "${AIDEN_URL:=http://127.0.0.1:4000}"

curl --fail-with-body --silent --show-error "$AIDEN_URL/v1/chat/completions" \
  --header "Authorization: Bearer $AIDEN_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "model": "chat",
    "messages": [{ "role": "user", "content": "Ada lives in Turin. Where does Ada live?" }]
  }'
