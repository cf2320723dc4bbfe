#!/usr/bin/env python3
"""Makes each alert fire on a system of its own, and prints how soon it fires and clears.

It starts infra/run in a temporary folder, Prometheus with alerts.yml, and a receiver of webhooks; it uses 11 ports from --port on. It
creates about 6 transactions a second, makes one cause after the other, removes each when its alerts fire, and waits until they are
cleared. A process is stopped by SIGSTOP. With the alerts as they are this takes about an hour and a half, with --divide 5 half an hour.
Always reduced are the ages of EndpointFails and RailOutcomeUnknown, to 120 s. DiskFull needs the right to mount a small file system.
If an alert does not fire or does not clear, the folder stays and the exit status is 1.
"""
import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from causes import steps
from ligeiro import Ligeiro
from prometheus import Prometheus
from receiver import Receiver
from run import Run

DISK = "8m"


def arguments():
    parser = argparse.ArgumentParser(
        prog="python3 infra/prometheus/fire", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--divide", type=int, default=1, metavar="N", help="divide the pauses, ages and windows of the alerts by N")
    parser.add_argument("--only", default="", metavar="ALERT,…", help="the causes of these alerts only")
    parser.add_argument("--port", type=int, default=18080, help="the first of 11 ports")
    return parser.parse_args()


def small_disk(home):
    """An empty file system of 8 MB, or None without the right to mount one."""
    disk = home / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + DISK, "tmpfs", disk], stderr=subprocess.DEVNULL)
    return disk if mounted.returncode == 0 else None


def main():
    sys.stdout.reconfigure(errors="backslashreplace")
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *received: sys.exit(1))
    home = pathlib.Path(tempfile.mkdtemp(prefix="ligeiro-fire-"))
    disk = small_disk(home)
    ligeiro = Ligeiro(home, given.port, disk)
    prometheus = None
    try:
        ligeiro.await_start()
        receiver = Receiver(given.port + 8)
        for path in ("quick", "slow", "failing"):
            ligeiro.post("/webhooks", {"url": receiver.url(path)})
        ligeiro.start_load()
        prometheus = Prometheus(home, given.port, given.divide)
        wanted = set(filter(None, given.only.split(",")))
        print(f"Logs: {home}\n")
        run = Run(prometheus)
        for causes in steps(ligeiro, receiver, disk):
            chosen = [cause for cause in causes if not wanted or wanted & set(cause.alerts)]
            if chosen:
                run.step(chosen)
        run.end()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if prometheus:
            prometheus.stop()
        ligeiro.stop()
        if disk:
            subprocess.run(["umount", disk])
    if not run.complete:
        sys.exit(f"An alert did not fire or did not clear; logs are in {home}")
    shutil.rmtree(home)


if __name__ == "__main__":
    main()
