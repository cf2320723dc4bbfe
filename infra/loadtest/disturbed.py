"""What infra/compose/try and infra/kubernetes/try share: they disturb a system under load, and print a row of figures for each disturbance.

A system has up(), which starts it; await_ready(); admin(), a context with the address and the token of the operators' API; in_load(ARGUMENTS), a
command that runs ARGUMENTS where the load runs, and in_load_with_input(ARGUMENTS), which hands it its standard input too; url and receiver, addresses as
seen there; key, which is set to that of the load's merchant; and down(), which leaves nothing behind.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "infra/loadtest/target"
KEY_FILE, STOP_FILE = "/tmp/key", "/tmp/stop"
JAVA = ["java", "-Xmx128m", "-XX:+UseSerialGC", "-cp", "/jars/*:/jars/lib/*", "dev.ligeiro.infra.loadtest.DisturbedLoad", "--key-file", KEY_FILE,
        "--stop-file", STOP_FILE]
PORT = 9000  # of the load's receiver
SCOPES = ["transactions:read", "transactions:write", "webhooks:manage"]
COLUMNS = {"due": "due", "created": "created", "refused": "refused", "unpaid": "unpaid", "webhooks_missing": "webhooks missing",
           "longest_ms_without_201": "longest ms without 201", "longest_ms_without_webhook": "longest ms without webhook"}
BEFORE_AND_AFTER = 10  # seconds of load
COMMAND_SECONDS = 900


class CannotRun(Exception):
    """A message for the person who tries."""


class NotHere(Exception):
    """What a disturbance needs and this machine or cluster lacks; nothing was disturbed."""


def say(text):
    print(f"{time.strftime('%T')} {text}", file=sys.stderr, flush=True)


def run(*command, stdin=None, check=True, environment=None):
    """What the command prints. Secrets go to its standard input: a command is in messages and in the list of processes."""
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=COMMAND_SECONDS, env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        raise CannotRun(f"{' '.join(map(str, command))}: no end within {COMMAND_SECONDS} s") from None
    if check and done.returncode:
        raise CannotRun(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def build_load():
    """The jar of the load test; its libraries are in lib beside it."""
    run(ROOT / "infra/loadtest/run", "--help")
    return next(TARGET.glob("loadtest-[0-9]*.jar"))


def new_merchant(system, name):
    """Its key and platform."""
    with system.admin() as (url, token):
        def infra_admin(*arguments):
            return json.loads(run(ROOT / "infra/admin", "--json", *arguments, environment={"ADMIN_URL": url, "ADMIN_TOKEN": token}))
        infra_admin("merchants", "make", "--name", name, "--city", "Recife")
        scopes = [word for scope in SCOPES for word in ("--scopes", scope)]
        key = infra_admin("keys", "make", name, "--mode", "test", "--name", "try", *scopes)
        platform = infra_admin("merchants", "add-platform", name, "--name", "web", "--mode", "test")
        return key["key"], platform["id"]


def row_of(system, name, disturb, rate):
    """Status is that of try_all for this disturbance alone."""
    row = {"disturbance": name, "s": "", "fault": "", "status": 0}
    try:
        system.await_ready()
        system.key, platform = new_merchant(system, f"try {name} {int(time.time())}")
        run(*system.in_load_with_input("sh", "-c", f"umask 077; cat > {KEY_FILE}; rm -f {STOP_FILE}"), stdin=system.key)
    except CannotRun as failed:
        return {**row, "fault": str(failed), "status": 2}
    load = subprocess.Popen(system.in_load(*JAVA, "--url", system.url, "--receiver", system.receiver, "--platform", platform, "--rate", str(rate)),
                            stdout=subprocess.PIPE, text=True)
    try:
        time.sleep(BEFORE_AND_AFTER)
        began = time.monotonic()
        try:
            disturb()
        except NotHere as missing:
            row["fault"] = f"not run: {missing}"
        except CannotRun as failed:
            row.update(fault=str(failed), status=2)
        row["s"] = round(time.monotonic() - began)
        time.sleep(BEFORE_AND_AFTER)
        run(*system.in_load("touch", STOP_FILE))
        out, _ = load.communicate(timeout=COMMAND_SECONDS)
    except (CannotRun, OSError, subprocess.TimeoutExpired) as failed:
        return {**row, "fault": f"the load: {failed}", "status": 2}
    finally:
        load.kill()
    if load.returncode == 1:
        row.update(fault="; ".join(filter(None, ["not whole", row["fault"]])), status=1)
    elif load.returncode:
        row.update(fault="; ".join(filter(None, [f"the load ended with status {load.returncode}", row["fault"]])), status=2)
    return {**row, **(json.loads(out.strip().splitlines()[-1]) if out.strip() else {})}


def table(rows):
    """A Markdown table."""
    lines = [["disturbance", "s", *COLUMNS.values(), "fault"], ["---"] * (len(COLUMNS) + 3)]
    for row in rows:
        refused = ", ".join(f"{count} × {reason}" for reason, count in row.get("refused", {}).items()) or "0"
        fault = row["fault"].replace("|", "/").split("\n")[0]
        lines.append([row["disturbance"], row["s"], *({**row, "refused": refused}.get(column, "") for column in COLUMNS), fault])
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def try_all(program, system, disturbances, only, rate, keep):
    """Exit status 0: after each disturbance every create has one transaction, paid and announced; 1: not so; 2: not all could be run."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that down() runs
    rows, status = [], 0
    try:
        chosen = only.split(",") if only else list(disturbances)
        unknown = [name for name in chosen if name not in disturbances]
        if unknown:
            raise CannotRun(f"--only: {', '.join(unknown)} (expected: of {', '.join(disturbances)})")
        try:
            system.up()
            for name in chosen:
                say(f"{name} ...")
                rows.append(row_of(system, name, disturbances[name], rate))
                say(f"  {rows[-1]}")
        except CannotRun as failure:
            print(f"{program}: {failure}", file=sys.stderr)
            status = 2
        finally:
            if rows:
                print(table(rows), flush=True)
            if not keep:
                system.down()
    except (CannotRun, OSError) as failure:
        print(f"{program}: {failure}", file=sys.stderr)
        status = 2
    found = {row["status"] for row in rows}
    return 1 if 1 in found else max(found | {status})
