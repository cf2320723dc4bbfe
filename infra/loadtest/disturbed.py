"""What infra/compose/try and infra/kubernetes/try share: disturbances of a system under load, and a row of figures for each.

A system has up(), which starts it; admin(), a context with the address and the token of the operators' API; in_load(ARGUMENTS), the command that runs
ARGUMENTS where DisturbedLoad runs; url and receiver, addresses as seen there; and down(), which leaves nothing behind.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "infra/loadtest/target"
JAVA = ["java", "-Xmx128m", "-XX:+UseSerialGC", "-cp", "/jars/*:/jars/lib/*", "dev.ligeiro.infra.loadtest.DisturbedLoad"]
PORT = 9000  # of the load's receiver
COLUMNS = {"due": "due", "created": "created", "refused": "refused", "unpaid": "unpaid", "webhooks_missing": "webhooks missing",
           "longest_ms_without_201": "longest ms without 201", "longest_ms_without_webhook": "longest ms without webhook"}
BEFORE_AND_AFTER = 10  # seconds of load


class CannotRun(Exception):
    """A message for the person who tries."""


def say(text):
    print(f"{time.strftime('%T')} {text}", file=sys.stderr, flush=True)


def run(*command, stdin=None, check=True, environment=None):
    """What the command prints."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if check and done.returncode:
        raise CannotRun(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def build_load():
    """The jar of the load test; its libraries are in lib beside it."""
    run(ROOT / "infra/loadtest/run", "--help")
    return next(TARGET.glob("loadtest-[0-9]*.jar"))


def merchant(system, name):
    """A new merchant's key and platform."""
    with system.admin() as (url, token):
        def admin(*arguments):
            return json.loads(run(ROOT / "infra/admin", "--json", *arguments, environment={"ADMIN_URL": url, "ADMIN_TOKEN": token}))
        admin("merchants", "make", "--name", name, "--city", "Recife")
        key = admin("keys", "make", name, "--mode", "test", "--name", "try",
                    *(word for scope in ("transactions:read", "transactions:write", "webhooks:manage") for word in ("--scopes", scope)))
        platform = admin("merchants", "add-platform", name, "--name", "web", "--mode", "test")
        return key["key"], platform["id"]


def disturbed(system, name, disturb, rate):
    """The row of one disturbance."""
    key, platform = merchant(system, f"try {name} {int(time.time())}")
    run(*system.in_load("rm", "-f", "/tmp/stop"))
    load = subprocess.Popen(system.in_load("env", f"API_KEY={key}", f"PLATFORM_ID={platform}", *JAVA, "--url", system.url, "--receiver", system.receiver,
                                           "--rate", str(rate), "--stop-file", "/tmp/stop"), stdout=subprocess.PIPE, text=True)
    time.sleep(BEFORE_AND_AFTER)
    began, fault = time.monotonic(), ""
    try:
        disturb()
    except CannotRun as failed:
        fault = str(failed)
    lasted = time.monotonic() - began
    time.sleep(BEFORE_AND_AFTER)
    run(*system.in_load("touch", "/tmp/stop"))
    out, _ = load.communicate()
    result = json.loads(out.strip().splitlines()[-1]) if out.strip() else {}
    return {"disturbance": name, "s": round(lasted), **result, "fault": fault or ("" if load.returncode == 0 else "not whole")}


def table(rows):
    """In Markdown."""
    lines = [["disturbance", "s", *COLUMNS.values(), "fault"], ["---"] * (len(COLUMNS) + 3)]
    for row in rows:
        refused = ", ".join(f"{count} × {reason}" for reason, count in row.get("refused", {}).items()) or "0"
        lines.append([row["disturbance"], row["s"], *({**row, "refused": refused}.get(column, "") for column in COLUMNS), row["fault"]])
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def try_all(program, system, disturbances, only, rate, keep):
    """Exit status 0: after each disturbance every create has one transaction, paid and announced; 1: not so; 2: it could not be run."""
    try:
        chosen = only.split(",") if only else list(disturbances)
        unknown = [name for name in chosen if name not in disturbances]
        if unknown:
            raise CannotRun(f"--only: {', '.join(unknown)} (expected: of {', '.join(disturbances)})")
        rows = []
        try:
            system.up()
            for name in chosen:
                say(f"{name} ...")
                rows.append(disturbed(system, name, disturbances[name], rate))
                say(f"  {rows[-1]}")
        finally:
            if rows:
                print(table(rows), flush=True)
            if not keep:
                system.down()
        return 1 if any(row["fault"] for row in rows) else 0
    except (CannotRun, OSError) as failure:
        print(f"{program}: {failure}", file=sys.stderr)
        return 2
