"""A system of infra/run in a folder of its own, and the transactions that it gets."""
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SERVICES = ("gateway", "processor", "webhook-dispatcher", "mongod", "kafka")
START_SECONDS_MAX = 900
CLIENTS = 2
PAUSE_SECONDS = 0.5  # of a client between two cashins
PAYER = {"name": "Maria Silva", "email": "maria@example.com", "phone": "11987654321", "document": "52998224725"}
CASHOUT = {**PAYER, "description": "Order 2", "amount": 1, "pix_key": "joao@example.com", "key_type": "EMAIL"}
PAID_AT_ONCE = 1.11
# the tokens of this system are for no proxy
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def request(url, body=None, token=None, seconds_max=30):
    """The JSON of the answer; OSError when there is none, or another status than 2xx."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    with DIRECT.open(urllib.request.Request(url, data, headers), timeout=seconds_max) as answer:
        return json.load(answer)


def await_ready(process, management):
    """Returns when the service answers that it is ready."""
    last = time.monotonic() + START_SECONDS_MAX
    while process.poll() is None and time.monotonic() < last:
        try:
            request(management + "/actuator/health/readiness")
            return
        except OSError:
            time.sleep(1)
    raise SystemExit("the second gateway did not start; see second-gateway.out")


class Ligeiro:
    """Its ports are port to port + 6: the API, three management ports, Kafka with its controller, MongoDB. A second gateway has 9 and 10."""

    def __init__(self, home, port, disk):
        settings = {
            # tells the rail to fail
            "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE": "health,metrics,prometheus,simulator",
            # the failing endpoint is tried again within 30 s of its repair
            "LIGEIRO_WEBHOOK_LANE_OPEN_MAX": "30s",
            # the few transactions of this load are too many for an endpoint that is slow
            "LIGEIRO_WEBHOOK_IN_FLIGHT_PER_ENDPOINT_MAX": "2",
        }
        if disk:
            settings["MANAGEMENT_METRICS_SYSTEM_DISKSPACE_PATHS"] = str(disk)
        options = ["--home", home, "--port", port, "--management-port", port + 1, "--kafka-port", port + 4,
                   "--mongodb-port", port + 6, "--mongodb-cache-gb", "0.25"]
        self._home = home
        self._second_port = port + 9
        self._rail = f"http://127.0.0.1:{port + 2}/actuator/simulator"
        self._launcher = subprocess.Popen(
            [ROOT / "infra/run", *map(str, options)], env={**os.environ, **settings},
            stdout=open(home / "run.out", "w"), stderr=subprocess.STDOUT)
        self._env = {}
        self._halted = threading.Event()

    def await_start(self):
        last = time.monotonic() + START_SECONDS_MAX
        while not (self._home / "demo.env").exists():
            if self._launcher.poll() is not None or time.monotonic() > last:
                raise SystemExit(f"infra/run did not start; see {self._home}/run.out")
            time.sleep(1)
        self._env = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', (self._home / "demo.env").read_text(), re.M))

    def post(self, path, body):
        return request(self._env["BASE_URL"] + "/api/v1" + path, body, self._env["API_KEY"])

    def create_cashin(self, **fields):
        common = {"description": "Order 1", "amount": PAID_AT_ONCE, "platform": self._env["PLATFORM_ID"]}
        self.post("/transaction/pix/cashin", {**PAYER, **common, **fields})

    def create_cashout(self):
        self.post("/transaction/pix/cashout", {**CASHOUT, "platform": self._env["PLATFORM_ID"]})

    def start_load(self):
        """Cashins that are paid at once, about 4 a second, and half as many cashouts."""
        for client in range(CLIENTS):
            threading.Thread(target=self._create, args=(client == 0,), daemon=True).start()

    def _create(self, cashouts):
        while not self._halted.is_set():
            try:
                self.create_cashin()
                if cashouts:
                    self.create_cashout()
            except OSError:
                pass  # the cause of an alert
            time.sleep(PAUSE_SECONDS)

    def freeze(self, process):
        self._signal(process, signal.SIGSTOP)

    def resume(self, process):
        self._signal(process, signal.SIGCONT)

    def _signal(self, process, number):
        for pid in self._env.get(process.upper().replace("-", "_") + "_PID", "").split():
            os.kill(int(pid), number)

    def fail_rail(self):
        request(self._rail, {"downFor": "PT2H"})

    def repair_rail(self):
        request(self._rail, {})

    def create_at_missing_rail(self):
        """A live cashout, by a second gateway whose routes lead to a rail that the processor does not have. The gateway is stopped again."""
        base, management = (f"http://127.0.0.1:{self._second_port + distance}" for distance in (0, 1))
        process = pathlib.Path("/proc") / self._env["GATEWAY_PID"].split()[0]
        environment = dict(line.split("=", 1) for line in (process / "environ").read_text().split("\0") if line)
        environment.update({
            "SERVER_PORT": str(self._second_port), "MANAGEMENT_SERVER_PORT": str(self._second_port + 1),
            "LOGGING_FILE_NAME": str(self._home / "second-gateway.log"), "LIGEIRO_RAILS_ROUTES_0_RAIL": "bank",
            "LIGEIRO_RAILS_ROUTES_0_OPERATION": "cashout"})
        command = [argument for argument in (process / "cmdline").read_text().split("\0")[:-1] if "AtExit=" not in argument]
        gateway = subprocess.Popen(
            command, env=environment, stdout=open(self._home / "second-gateway.out", "w"), stderr=subprocess.STDOUT)
        try:
            await_ready(gateway, management)
            admin = functools.partial(request, token=self._env["ADMIN_TOKEN"])
            merchant = self._env["ADMIN_URL"] + "/admin/merchants"
            merchant += "/" + admin(merchant, {"name": "Loja ao Vivo"})["id"]
            platform = admin(merchant + "/platforms", {"name": "Loja", "mode": "live"})["id"]
            key = admin(merchant + "/keys", {"mode": "live", "scopes": ["cashouts:write"]})["key"]
            request(base + "/api/v1/transaction/pix/cashout", {**CASHOUT, "platform": platform, "expires_in": 5}, key)
        finally:
            gateway.terminate()
            gateway.wait(60)

    def append(self, topic, value):
        jars = ROOT / "infra/launcher/brokers/kafka/target/jars/*"
        subprocess.run(
            ["java", "-cp", jars, HERE / "Append.java", self._env["KAFKA_BOOTSTRAP_SERVERS"], topic, str(uuid.uuid4()), value],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        self._halted.set()
        for process in SERVICES:
            self.resume(process)
        self._launcher.terminate()
        self._launcher.wait(120)
