#!/bin/bash
# Free the space of files whose data is in S3 too; they stay visible, and come back when they are read.
# usage: release.sh PATH [DAYS [STREAMS]]
# DAYS without access or change; 0 releases at once. Only files that were exported, and not changed since, are released.
# Ends with status 1 when files failed, 2 when it could not begin.
set -euo pipefail

path=${1:?path of a folder on the file system}
days=${2:-0}
streams=${3:-8}

[ -d "$path" ] || { echo "release: $path is no folder" >&2; exit 2; }
command -v lfs >/dev/null || { echo "release: lfs is not installed" >&2; exit 2; }
age=()
if [ "$days" -gt 0 ]; then
  case ",$(findmnt -n -o OPTIONS --target "$path")," in
    *,noatime,*)
      echo "release: $path is mounted with noatime, so nobody knows when files were read; mount with relatime" >&2
      exit 2
      ;;
  esac
  minutes=$((days * 1440))
  age=(-amin "+$minutes" -mmin "+$minutes" -cmin "+$minutes")
fi
RELEASE_WORK=$(mktemp -d)
export RELEASE_WORK
trap 'rm -rf "$RELEASE_WORK"' EXIT
touch "$RELEASE_WORK/released" "$RELEASE_WORK/kept" "$RELEASE_WORK/failed"

release() {
  local file state outcome
  for file; do
    outcome=kept
    if ! state=$(lfs hsm_state "$file"); then
      outcome=failed
    else
      case "${state#"$file":}" in
        *released* | *dirty*) ;;
        *archived*) if lfs hsm_release "$file"; then outcome=released; else outcome=failed; fi ;;
      esac
    fi
    printf '%s\0' "$file" >>"$RELEASE_WORK/$outcome"
  done
}
export -f release
count() {
  tr -dc '\0' <"$RELEASE_WORK/$1" | wc -c | tr -d ' '
}

find "$path" -type f ${age[@]+"${age[@]}"} -print0 |
  xargs -0 -r -n 16 -P "$streams" bash -c 'release "$@"' release
echo "release: $(count released) released, $(count kept) kept, $(count failed) failed"
if [ -s "$RELEASE_WORK/failed" ]; then
  tr '\0' '\n' <"$RELEASE_WORK/failed" | sed -n '1,20p' >&2
  exit 1
fi
