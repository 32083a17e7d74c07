#!/usr/bin/env bash
# A conforming client, or a client with the one mistake that its argument names.
set -u
mistake=${1:-}
answer=$(mktemp) headers=$(mktemp)
trap 'rm -f "$answer" "$headers"' EXIT

field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$answer" | head -1; }

# Calls a tool. Stores the response in $answer, and exits if it is not a successful result.
call() {
  local tool=$1 args=$2 options=(-sS --max-time 10) url status
  url=$TCK_BASE_URL/api/v1/tools/$tool
  options+=(-H "Authorization: Bearer $TCK_KEY_PRIMARY" -H 'Content-Type: application/json')
  # Retries are safe because this tool only reads. curl obeys Retry-After.
  [[ $mistake == *'lets curl retry a read'* ]] && [ "$tool" = credits.balance ] && options+=(--retry 2)
  [ "$mistake" = 'sends its key to the target of a redirect' ] && options+=(--location-trusted --post301 --post302)
  options+=(-D "$headers" -o "$answer" -w '%{http_code}')
  status=$(curl "${options[@]}" -d "$args" "$url") || { echo "no response to $tool"; exit 1; }
  if [ "$status" = 429 ]; then
    sleep "$(sed -n 's/^retry-after: *\([0-9]*\).*/\1/Ip' "$headers")"
    sleep 0.05
    call "$tool" "$args"
    return
  fi
  [ "$mistake" = 'checks only the status' ] && [ "$status" = 200 ] && return
  if ! grep -q '"ok": *true' "$answer"; then
    echo "$tool: $status $(cat "$answer")"
    exit 1
  fi
}

person() {
  local said="{\"act\":\"$1\",\"subject\":\"$2\"}"
  curl -sS -o /dev/null -H "x-control-token: $TCK_CONTROL_TOKEN" -d "$said" "${TCK_CONTROL_URL}worlds/main/person"
}

call credits.balance '{}'
place="\"board\":\"$TCK_BOARD\",\"brief\":\"a cup\",\"count\":1,\"shape\":\"$TCK_SHAPE\""
[ -z "${TCK_WORKSPACE:-}" ] || place="\"workspace\":\"$TCK_WORKSPACE\",$place"
call images.generate "{$place}"
id=$(field confirmation_id)
cat "$answer"
echo
[ -z "$id" ] || person approve "$id"
confirmed="{$place,\"confirmation_id\":\"$id\"}"
if [[ $mistake == *'confirms in another process'* ]]; then
  (sleep 1.1; call images.generate "$confirmed") &
  wait $!
  exit
fi
call images.generate "$confirmed"
echo "run $(field run_id) in $(field workspace)"
