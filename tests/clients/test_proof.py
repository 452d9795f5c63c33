"""The scripts that prove what traffic rides on."""

from pathlib import Path

import pytest

from epochwise.clients.scripts import Script, script_text
from tests.clients.shell import Client
from tests.watching.nccl_lines import LINES, SILENT

LNET = """
n=$(cat "$HSM/calls" 2>/dev/null || echo 0); echo $((n + 1)) >"$HSM/calls"
[ "$n" -ge 2 ] && moved=1 || moved=0
cat <<NET
net:
    - net type: lo
      local NI(s):
        - nid: 0@lo
          statistics:
              send_count: 999
    - net type: tcp
      local NI(s):
        - nid: 10.0.0.1@tcp
          statistics:
              send_count: $((50 + moved * TCP))
    - net type: efa
      local NI(s):
        - nid: 1.1@efa
          statistics:
              send_count: $((7 + moved * EFA))
        - nid: 1.2@efa
          statistics:
              send_count: 3
NET
"""


@pytest.mark.parametrize(
    ("efa", "tcp", "status"), [(100, 2, 0), (4, 0, 0), (3, 0, 1), (0, 100, 1), (100, 100, 1), (100, 101, 1)]
)
def test_f104_counters_tell_whether_lustre_rides_efa(client: Client, efa: int, tcp: int, status: int) -> None:
    client.command("lnetctl", LNET)
    variables = {"EFA": str(efa), "TCP": str(tcp), "DD_OFLAG": "append"}
    done = client.run(script_text(Script.EFA_TRAFFIC), str(client.data), "4", variables=variables)
    assert done.returncode == status, done.stderr
    assert f"4 MiB took {efa} messages over EFA and {tcp} over TCP" in done.stdout
    assert not list(client.data.iterdir())


@pytest.mark.parametrize(
    ("line", "status"), [*((line, int(not efa)) for line, efa in LINES), *((line, 1) for line in SILENT)]
)
def test_f105_a_log_tells_whether_nccl_rides_efa(client: Client, tmp_path: Path, line: str, status: int) -> None:
    log = tmp_path / "log"
    log.write_text(f"epoch 1\n{line}\n", encoding="utf-8")
    assert client.run(script_text(Script.NCCL_EFA), str(log)).returncode == status


def test_f105_a_node_that_fell_back_counts_more_than_one_that_did_not(client: Client, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("NET/OFI Selected Provider is efa\nNET/Socket : Using [0]eth0\n", encoding="utf-8")
    assert client.run(script_text(Script.NCCL_EFA), str(log)).returncode == 1
    assert client.run(script_text(Script.NCCL_EFA), str(tmp_path / "missing")).returncode == 2
