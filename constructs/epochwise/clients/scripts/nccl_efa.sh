#!/bin/bash
# Prove from a log that NCCL's traffic goes over EFA: run the job with NCCL_DEBUG=INFO, then read its log here.
# usage: nccl_efa.sh LOG
# Ends with status 1 when the log shows sockets, or does not show EFA.
set -euo pipefail

log=${1:?log of a job that ran with NCCL_DEBUG=INFO}
[ -r "$log" ] || { echo "nccl efa: $log cannot be read" >&2; exit 2; }
if grep -E -q 'NET/Socket *: *Using|Using network Socket|NET plugin Socket' "$log"; then
  echo "nccl efa: NCCL fell back to sockets; is the OFI plugin in the image, and EFA on every node?" >&2
  exit 1
fi
if ! grep -E -i -q 'NET/OFI .*selected provider is efa|Using network (AWS )?Libfabric' "$log"; then
  echo "nccl efa: the log does not say that EFA was chosen; was NCCL_DEBUG=INFO set?" >&2
  exit 1
fi
echo "nccl efa: NCCL uses EFA"
