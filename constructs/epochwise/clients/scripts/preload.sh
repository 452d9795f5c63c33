#!/bin/bash
# Bring onto the file system what is in S3 only, before training reads it.
# usage: preload.sh PATH [STREAMS]
# STREAMS workers have up to PRELOAD_BATCH files each under way. A second run goes on where the first stopped: what is
# there already is passed over. Ends with status 1 when files failed, 2 when it could not begin.
set -euo pipefail

path=${1:?path of a folder on the file system}
streams=${2:-8}
batch=${PRELOAD_BATCH:-16}
report_s=${PRELOAD_REPORT_S:-30}
# seconds that one file may take
export PRELOAD_FILE_TIMEOUT_S=${PRELOAD_FILE_TIMEOUT_S:-3600}
export PRELOAD_POLL_S=${PRELOAD_POLL_S:-0.5}

[ -d "$path" ] || { echo "preload: $path is no folder" >&2; exit 2; }
command -v lfs >/dev/null || { echo "preload: lfs is not installed" >&2; exit 2; }
PRELOAD_WORK=$(mktemp -d)
export PRELOAD_WORK
reporter=
trap '[ -z "$reporter" ] || kill "$reporter" 2>/dev/null; rm -rf "$PRELOAD_WORK"' EXIT

is_released() {
  local state
  state=$(lfs hsm_state "$1") || return 2
  case "${state#"$1":}" in *released*) return 0 ;; *) return 1 ;; esac
}

note() {
  printf '%s\0' "$2" >>"$PRELOAD_WORK/$1"
}

# wait until the data of a file is there; a request that ended without it is asked after three times
await() {
  local ended=0 action deadline=$((SECONDS + PRELOAD_FILE_TIMEOUT_S)) status
  while :; do
    status=0
    is_released "$1" || status=$?
    [ "$status" -ne 1 ] || return 0
    action=$(lfs hsm_action "$1" 2>/dev/null || true)
    case "${action#"$1":}" in *NOOP*) ended=$((ended + 1)) ;; *) ended=0 ;; esac
    [ "$status" -eq 0 ] && [ "$ended" -lt 3 ] && [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep "$PRELOAD_POLL_S"
  done
}

restore() {
  local file status
  local -a asked=()
  for file; do
    status=0
    is_released "$file" || status=$?
    if [ "$status" -eq 1 ]; then
      note there "$file"
    elif [ "$status" -eq 0 ] && lfs hsm_restore "$file"; then
      asked+=("$file")
    else
      note failed "$file"
    fi
  done
  for file in ${asked[@]+"${asked[@]}"}; do
    if await "$file"; then note restored "$file"; else note failed "$file"; fi
  done
}
export -f is_released note await restore

touch "$PRELOAD_WORK/there" "$PRELOAD_WORK/restored" "$PRELOAD_WORK/failed"
count() {
  tr -dc '\0' <"$PRELOAD_WORK/$1" | wc -c | tr -d ' '
}
report() {
  echo "preload: $(count files) files, $(count restored) restored, $(count there) there already, $(count failed) failed"
}

find "$path" -type f -print0 >"$PRELOAD_WORK/files"
# the sleep that is left over must not hold the output open
while sleep "$report_s" >/dev/null 2>&1; do report; done &
reporter=$!
xargs -0 -r -n "$batch" -P "$streams" bash -c 'restore "$@"' restore <"$PRELOAD_WORK/files"
kill "$reporter" 2>/dev/null || true
reporter=
report
if [ -s "$PRELOAD_WORK/failed" ]; then
  echo "preload: the first that failed:" >&2
  tr '\0' '\n' <"$PRELOAD_WORK/failed" | sed -n '1,20p' >&2
  exit 1
fi
