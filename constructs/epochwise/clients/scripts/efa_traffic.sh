#!/bin/bash
# Prove by counters that Lustre's data goes over EFA: write a file past the page cache, and see which network moved.
# usage: efa_traffic.sh PATH [MIB]
# Ends with status 1 when EFA moved less than one message a MiB, or less than TCP.
set -euo pipefail

path=${1:?path of a folder on the file system}
mib=${2:-100}

sent() {
  lnetctl net show -v | awk -v net="$1" '
    /net type:/ {current = $NF}
    /send_count:/ && current == net {total += $NF}
    END {print total + 0}'
}

file=$(mktemp "$path/.efa-traffic.XXXXXX")
trap 'rm -f "$file"' EXIT
efa=$(sent efa)
tcp=$(sent tcp)
dd if=/dev/zero of="$file" bs=1M count="$mib" oflag="${DD_OFLAG:-direct}" conv=fsync 2>/dev/null
efa=$(($(sent efa) - efa))
tcp=$(($(sent tcp) - tcp))
echo "efa traffic: $mib MiB took $efa messages over EFA and $tcp over TCP"
if [ "$efa" -lt "$mib" ] || [ "$efa" -le "$tcp" ]; then
  echo "efa traffic: Lustre does not use EFA; look at lnetctl net show and at the rules between the groups" >&2
  exit 1
fi
