"""Lines that NCCL and its OFI plugin write, and whether they show EFA."""

LINES: list[tuple[str, bool]] = [
    ("node-1:1:1 [0] NCCL INFO NET/OFI Selected Provider is efa (found 4 nics)", True),
    ("node-1:1:1 [0] NCCL INFO NET/OFI Selected provider is efa, fabric is efa (found 16 nics)", True),
    ("node-1:1:1 [0] NCCL INFO Using network AWS Libfabric", True),
    ("node-1:1:1 [0] NCCL INFO Using network Libfabric", True),
    ("node-1:1:1 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>", False),
    ("node-1:1:1 [0] NCCL INFO Using network Socket", False),
    ("node-1:1:1 [0] NCCL INFO Initialized NET plugin Socket", False),
    ("node-1:1:1 [0] NCCL INFO NET/OFI Selected Provider is tcp", False),
]
"""Source: NVIDIA/nccl, issue 1597; aws/aws-ofi-nccl, issues 22 and 67; aws-samples/aws-do-eks, pull request 54."""
SILENT = [
    "loss 0.1",
    "node-1:1:1 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>",
    "node-1:1:1 [0] NCCL INFO NET/OFI Using transport protocol RDMA (platform set)",
    "node-1:1:1 [0] NCCL INFO NET/IB : No device found.",
]
"""Lines beside them that say nothing about it."""
