import { responseHeaders } from '../../fixtures/contract/headers.ts';

/**
 * Functions that all scripts share. Requires bash 3.2, curl and awk. Never evaluates values of responses, which are
 * only in files and variables.
 */
export const machinery = String.raw`
# --- What follows is the same in every script. ---

say() { printf '%s\n' "$*"; }
wrong() { printf '%s\n' "$0: $*" >&2; exit 2; }
undecided() { say "Cannot decide: $*"; exit 3; }

# Prints text of a response: one line of visible ASCII without keys, cut to 400 characters.
shown() {
  local text key
  text=$(LC_ALL=C tr '\n' ' ' | LC_ALL=C tr -c '\040-\176' '?' | head -c 100000)
  for key in "$@"; do
    if [[ -n $key ]]; then text=${'$'}{text//"$key"/(key)}; fi
  done
  printf '%s\n' "${'$'}{text:0:400}"
}

# Begins step $1, described by $2.
step() {
  n=$1
  headers=()
  : >"$work/request"
  say
  say "$1. $2"
}

header() { headers+=("$1"); }
body() { printf '%s' "$@" >"$work/request"; }

# Sends the request of step $1 by method $2 to $3; the response is kept as $4. Keys reach curl by its standard input.
transfer() {
  local line typed=
  {
    printf 'url = "%s"\n' "$(escaped "$3")"
    for line in ${'$'}{headers[@]+"${'$'}{headers[@]}"}; do
      printf 'header = "%s"\n' "$(escaped "$line")"
      case $line in [Cc]ontent-[Tt]ype:*) typed=1 ;; esac
    done
    if [[ -z $typed ]]; then printf 'header = "content-type:"\n'; fi
    printf 'header = "expect:"\n'
  } | curl -q --config - --silent --show-error --globoff --path-as-is --max-time 60 --request "$2" \
    --data-binary "@$work/request" --dump-header "$work/$4.raw" --output "$work/$4.body" \
    --write-out '%{http_code}' >"$work/$4.status" || printf '000' >"$work/$4.status"
  touch "$work/$4.raw" "$work/$4.body"
  # The last block of headers, names in lower case, values of one name joined.
  tr -d '\r' <"$work/$4.raw" | awk '
    /^HTTP\// { split("", values); next }
    /:/ {
      name = tolower(substr($0, 1, index($0, ":") - 1)); value = substr($0, index($0, ":") + 1)
      sub(/^[ \t]+/, "", value); sub(/[ \t]+$/, "", value)
      if (name in values) values[name] = values[name] ", " value
      else values[name] = value
    }
    END { for (name in values) print name "\t" values[name] }' >"$work/$4.headers"
  tr '\000' '\001' <"$work/$4.body" | awk "$flatten" >"$work/$4.json" || : >"$work/$4.json"
}

escaped() { printf '%s' "$1" | tr -d '\r\n' | sed 's/[\\"]/\\&/g'; }

# Sends the request of this step; waits and sends it again if the key is over its limit.
send() {
  local try
  for try in 1 2 3; do
    transfer "$n" "$1" "$2" "$n"
    if [[ $(part "$n" status) != 429 || -z $patient || $try == 3 ]]; then break; fi
    wait_as_asked "$n"
  done
  report "$n"
}

# Sends the request of this step $1 times at once; the responses are $n-1, $n-2 and so on.
send_together() {
  local index
  for ((index = 1; index <= $1; index++)); do transfer "$n" "$2" "$3" "$n-$index" & done
  wait
  for ((index = 1; index <= $1; index++)); do report "$n-$index"; done
}

# Sends the request of this step until the key is over its limit.
exhaust() {
  local sent
  patient=
  for ((sent = 1; sent <= 1000; sent++)); do
    transfer "$n" "$1" "$2" "$n"
    case $(part "$n" status) in 429) break ;; 000) undecided 'no response' ;; esac
  done
  say "   sent $sent times"
  report "$n"
  [[ $(part "$n" status) == 429 ]] || undecided 'the key was never over its limit'
}

report() { say "   -> HTTP $(part "$1" status) $(head -c 4000 "$work/$1.body" | shown_without_keys)"; }

# Lets time pass on the deployment.
pass() {
  say
  if [[ -z ${'$'}{TCK_CLOCK_URL-} ]]; then
    say "Waiting $1 seconds. Set TCK_CLOCK_URL to advance the clock of the deployment instead."
    sleep "$1"
    return
  fi
  say "Advancing the clock by $1 seconds."
  {
    printf 'url = "%s"\n' "$(escaped "$TCK_CLOCK_URL")"
    if [[ -n ${'$'}{TCK_CLOCK_HEADER-} ]]; then printf 'header = "%s"\n' "$(escaped "$TCK_CLOCK_HEADER")"; fi
  } | curl -q --config - --silent --show-error --fail --output /dev/null --max-time 60 \
    --header 'content-type: application/json' --data-raw "{\"seconds\": $1}" || undecided 'the clock did not advance'
}

# Waits as long as the 429 of response $1 asks.
wait_as_asked() {
  local seconds
  seconds=$(part "$1" 'header ${responseHeaders.retryAfter}')
  if [[ ! $seconds =~ ^[0-9]{1,4}$ ]]; then seconds=60; fi
  pass "$seconds"
}

# Prints a part of response $1: status, body, headers, "header NAME", or a place in the JSON body.
part() {
  case $2 in
    status) cat "$work/$1.status" ;;
    body) cat "$work/$1.body" ;;
    headers) cat "$work/$1.headers" ;;
    header\ *) PART=${'$'}{2#header } awk -F '\t' '$1 == ENVIRON["PART"] { print $2; exit }' "$work/$1.headers" ;;
    *) PART=$2 awk -F '\t' '$1 == ENVIRON["PART"] { value = $2 } END { print value }' "$work/$1.json" ;;
  esac
}

# Prints the text at a place in the body of response $1, still escaped as in JSON. Fails without such a text.
text() {
  local value
  value=$(part "$1" "$2")
  [[ $value == \"?*\" ]] || return 1
  value=${'$'}{value#\"}
  printf '%s' "${'$'}{value%\"}"
}

# --- Conditions: the first argument is the response. ---

is() {
  local value expected
  value=$(part "$1" "$2")
  for expected in "${'$'}{@:3}"; do
    if [[ $value == "$expected" ]]; then return 0; fi
  done
  return 1
}
like() {
  local value
  value=$(part "$1" "$2")
  [[ $value =~ $3 ]]
}
lacks() { ! part "$1" "$2" | grep -qiF -e "$3"; }
agree() { [[ $(part "$1" "$2") == "$(part "$1" "$3")" ]]; }
least() { A=$(part "$1" "$2") B=$(part "$1" "$3") awk 'BEGIN { exit !(ENVIRON["A"] + 0 >= ENVIRON["B"] + 0) }'; }
same() {
  if [[ $3 == body ]]; then
    cmp -s "$work/$1.body" "$work/$2.body"
  else
    [[ $(part "$1" "$3") == "$(part "$2" "$3")" ]]
  fi
}
different() { ! same "$@"; }
only() {
  PART=$2 NAMES=" ${'$'}{*:3} " awk -F '\t' '
    $1 == ENVIRON["PART"] "{}" && !index(ENVIRON["NAMES"], " " $2 " ") { bad = 1 } END { exit bad }' "$work/$1.json"
}
# Member $3 of every entry of array $2 is like $4.
each() {
  local count index
  count=$(part "$1" "$2[]")
  [[ -n $count ]] || return 1
  for ((index = 0; index < count && index < 200; index++)); do like "$1" "$2[$index]$3" "$4" || return 1; done
}
# Some entry of array $2 is like $4 at $3, or like $6 at $5.
some() {
  local count index
  count=$(part "$1" "$2[]")
  for ((index = 0; index < ${'$'}{count:-0} && index < 200; index++)); do
    if like "$1" "$2[$index]$3" "$4"; then return 0; fi
    if [[ $# -gt 4 ]] && like "$1" "$2[$index]$5" "$6"; then return 0; fi
  done
  return 1
}
# So many entries of array $2 differ in the members $4 and so on; all of them if $3 is "all".
distinct() {
  local count index member differing
  count=$(part "$1" "$2[]")
  [[ -n $count ]] || return 1
  differing=$(
    for ((index = 0; index < count && index < 200; index++)); do
      for member in "${'$'}{@:4}"; do printf '%s\t' "$(part "$1" "$2[$index]$member")"; done
      printf '\n'
    done | sort -u | wc -l
  )
  if [[ $3 == all ]]; then ((differing == (count < 200 ? count : 200))); else ((differing >= $3)); fi
}
# Each date in array $2 is the day after the one before it.
consecutive() {
  local count index
  count=$(part "$1" "$2[]")
  for ((index = 0; index < ${'$'}{count:-0} && index < 200; index++)); do part "$1" "$2[$index]"; done | awk '
    function days(date,   y, m, d) {
      y = substr(date, 2, 4) + 0; m = substr(date, 7, 2) + 0; d = substr(date, 10, 2) + 0
      if (m < 3) { y--; m += 12 }
      return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * m - 457) / 5) + d
    }
    NR > 1 && days($0) != last + 1 { bad = 1 }
    { last = days($0) }
    END { exit bad || NR == 0 }'
}
# Just one of the responses $1-1 to $1-$4 is like $3 at $2.
once() {
  local index found=0
  for ((index = 1; index <= $4; index++)); do
    if like "$1-$index" "$2" "$3"; then found=$((found + 1)); fi
  done
  ((found == 1))
}
# Response $2 is a success, or array $3 of response $1 does not list $4.
listed_works() {
  local count index
  if is "$2" .ok true; then return 0; fi
  count=$(part "$1" "$3[]")
  for ((index = 0; index < ${'$'}{count:-0} && index < 200; index++)); do
    if is "$1" "$3[$index]" "$4"; then return 1; fi
  done
}

# --- What has to be so before anything can be decided. ---

succeeded() { is "$1" .ok true || undecided "step $1 has to succeed first"; }
# Response $1 has status $2, and ok $3 where that is known.
comparable() {
  is "$1" status "$2" || undecided "the report has a response with status $2 here"
  if [[ -n $3 ]]; then is "$1" .ok "$3" || undecided "the report has a response with ok $3 here"; fi
}
# Response $1 tells of this request, and not of the state of the deployment, unless its status is one of the others.
answered() {
  local status
  if is "$1" status "${'$'}{@:2}"; then return; fi
  status=$(part "$1" status)
  case $status in
    000) undecided 'no response' ;;
    429) undecided 'the key is over its limit' ;;
    401 | 403) undecided "the deployment refuses the key with status $status" ;;
    5??) undecided "the deployment responds with status $status" ;;
  esac
}

# Writes every value of a JSON text in a line: its place, a tab, and the value. Fails where the text is not JSON.
flatten='
  { text = text $0 "\n" }
  END {
    if (!skip() || !value("") || text != "") exit 1
  }
  function skip() { sub(/^[ \t\r\n]+/, "", text); return 1 }
  function token(length_) { taken = substr(text, 1, length_); text = substr(text, length_ + 1); return skip() }
  function value(place,   first) {
    first = substr(text, 1, 1)
    if (first == "{") return object(place)
    if (first == "[") return array(place)
    if (match(text, /^"([^"\\\001-\037]|\\["\\\/bfnrtu])*"/)) { }
    else if (match(text, /^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?/)) { }
    else if (match(text, /^(true|false|null)/)) { }
    else return 0
    token(RLENGTH)
    if (taken !~ /\\\\/) gsub(/\\\//, "/", taken)
    print (place == "" ? "." : place) "\t" taken
    return 1
  }
  function object(place,   name) {
    print (place == "" ? "." : place) "\t{"
    token(1)
    if (substr(text, 1, 1) == "}") return token(1)
    for (;;) {
      if (!match(text, /^"([^"\\\001-\037]|\\["\\\/bfnrtu])*"/)) return 0
      token(RLENGTH)
      name = taken
      if (name ~ /^"[A-Za-z_][A-Za-z0-9_]*"$/) name = substr(name, 2, length(name) - 2)
      print (place == "" ? "." : place) "{}\t" name
      if (substr(text, 1, 1) != ":") return 0
      token(1)
      if (!value(place (name ~ /^"/ ? "[" name "]" : "." name))) return 0
      if (substr(text, 1, 1) == "}") return token(1)
      if (substr(text, 1, 1) != ",") return 0
      token(1)
    }
  }
  function array(place,   count) {
    print (place == "" ? "." : place) "\t["
    token(1)
    count = 0
    if (substr(text, 1, 1) != "]") for (;;) {
      if (!value(place "[" count "]")) return 0
      count++
      if (substr(text, 1, 1) == "]") break
      if (substr(text, 1, 1) != ",") return 0
      token(1)
    }
    token(1)
    print place "[]\t" count
    return 1
  }
'

main() {
  local yes=
  while (($# > 0)); do
    case $1 in
      --yes) yes=1 ;;
      *) wrong "unknown option $1. The only option is --yes." ;;
    esac
    shift
  done
  command -v curl >/dev/null || wrong 'curl is missing'
  command -v awk >/dev/null || wrong 'awk is missing'
  require
  say "$title"
  if [[ -n $cost && -z $yes ]]; then
    [[ -t 0 ]] || wrong "this script $cost on $base. Pass --yes if that is wanted."
    printf '%s' "This script $cost on $base. Continue? [y/N] "
    local answer
    read -r answer
    [[ $answer == [yY] ]] || wrong 'nothing was sent'
  fi
  export LC_ALL=C
  patient=1
  work=$(mktemp -d) || wrong 'cannot make a temporary folder'
  trap 'rm -rf "$work"' EXIT
  steps
  say
  if decide; then
    say 'Fixed: the response is as expected.'
    exit 0
  fi
  say "Not fixed: expected $expected"
  exit 1
}

main "$@"
`;
