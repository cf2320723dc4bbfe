"""What makes each alert fire, and what ends it. Causes of one step happen at the same time and do not influence each other."""
import json
import pathlib
import shutil
import threading
import time
import uuid
from typing import Callable, List, NamedTuple

FILLED = 0.95


class Cause(NamedTuple):
    text: str
    alerts: List[str]
    make: Callable
    remove: Callable = lambda: None
    # It cannot be removed: its alerts clear when it has left their windows, during other steps.
    lasts: bool = False


def steps(ligeiro, receiver, disk):
    def stopped(process, *alerts):
        return [Cause(f"{process} stopped", list(alerts), lambda: ligeiro.freeze(process), lambda: ligeiro.resume(process))]

    def endpoint(fault, text, *alerts):
        return Cause(text, list(alerts), lambda: receiver.faults.add(fault), lambda: receiver.faults.discard(fault))

    def record(text, topic, value, alert):
        return Cause(text, [alert], lambda: ligeiro.append(topic, value), lasts=True)

    stutter = Stutter(ligeiro)
    kafka = stopped("kafka", "KafkaAway", "DueWorkLate")[0]
    full = [Cause("a disk filled to 95 %", ["DiskFull"], lambda: fill(disk), lambda: (disk / "filled").unlink())] if disk else []
    return [
        [record("a command that is not JSON", "transaction-commands", "{", "CommandsDead"),
         record("an event that is not JSON", "transaction-events", "{", "EventsDead"),
         record("a report of a payment of no transaction", "transaction-commands", report(), "UnmatchedPayment"),
         Cause("a transaction of a rail that the processor does not have", ["RailMissing"], ligeiro.create_at_missing_rail, lasts=True)],
        stopped("gateway", "GatewaysDown"),
        stopped("mongod", "MongodbAway", "CreatesFail"),
        [Cause("the rail does not answer cashouts", ["RailFails", "RailOutcomeUnknown"], ligeiro.fail_rail, ligeiro.repair_rail),
         endpoint("slow", "an endpoint responds after 3 s to 2 attempts at a time", "WebhooksLate", "DeliveriesWait"),
         *full],
        [endpoint("failing", "an endpoint responds 500", "EndpointFails")],
        [Cause("mongod stopped for 1.5 of every 2 s", ["CreatesSlow"], stutter.begin, stutter.end)],
        stopped("webhook-dispatcher", "DispatchersDown", "ConsumerLag"),
        stopped("processor", "ProcessorsDown", "ConsumerStandsStill", "TransactionsNotAccepted"),
        [kafka._replace(make=lambda: (expire_soon(ligeiro), kafka.make()))],
    ]


class Stutter:
    def __init__(self, ligeiro):
        self._ligeiro, self._ended = ligeiro, threading.Event()

    def begin(self):
        self._ended.clear()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while not self._ended.is_set():
            self._ligeiro.freeze("mongod")
            time.sleep(1.5)
            self._ligeiro.resume("mongod")
            time.sleep(0.5)

    def end(self):
        self._ended.set()


def expire_soon(ligeiro):
    for _ in range(20):
        ligeiro.create_cashin(amount=2, expires_in=5)


def report():
    """The rail reports money of a transaction that does not exist. The id is a UUID of version 7 of now."""
    transaction = uuid.UUID(int=int(time.time() * 1000) << 80 | 7 << 76 | 2 << 62 | int(time.time()))
    return json.dumps({"type": "transaction.rail_notice", "transactionId": str(transaction), "rail": "simulator",
                       "endToEndId": "E-" + uuid.uuid4().hex, "amount": 1000})


def fill(disk: pathlib.Path):
    with open(disk / "filled", "wb") as file:
        file.write(bytes(int(shutil.disk_usage(disk).free * FILLED)))
