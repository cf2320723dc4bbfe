"""Prometheus with the alerts, and what has fired when."""
import pathlib
import re
import subprocess
import threading
import time

from ligeiro import request

FOLDER = pathlib.Path(__file__).resolve().parents[1]

# A day and half an hour are too long for a run.
REDUCED_AGES = {"EndpointFails": 120, "RailOutcomeUnknown": 120}


def rules(divisor):
    """alerts.yml with reduced ages. Pauses, the other ages of more than 10 s, and windows of rates are divided by the divisor."""
    text = (FOLDER / "alerts.yml").read_text()
    if divisor > 1:
        text = re.sub(r"for: (\d+)m", lambda pause: f"for: {int(pause[1]) * 60 // divisor}s", text)
        text = re.sub(r"> (\d{2,})$", lambda age: f"> {max(10, int(age[1]) // divisor)}", text, flags=re.M)
        text = re.sub(r"((?:rate|increase)\(.*?\[| offset )(\d+)([mh])",
                      lambda span: f"{span[1]}{int(span[2]) * {'m': 60, 'h': 3600}[span[3]] // divisor}s", text)
    for alert, seconds in REDUCED_AGES.items():
        text = re.sub(rf"(alert: {alert}\n +expr: .* > )\d+", rf"\g<1>{seconds}", text)
    return text


class Prometheus:
    """On port + 7. Its alerts are read once a second from the start on."""

    def __init__(self, home, port, divisor):
        self._rules = rules(divisor)
        (home / "alerts.yml").write_text(self._rules)
        config = (FOLDER / "local.yml").read_text()
        for distance in (1, 2, 3):
            config = config.replace(f":{8080 + distance}\"", f":{port + distance}\"")
        if divisor > 1:
            config = config.replace("5s", "2s")
        (home / "prometheus.yml").write_text(config)
        address = f"127.0.0.1:{port + 7}"
        self._url = f"http://{address}/api/v1/alerts"
        self._process = subprocess.Popen(
            [FOLDER / "run", "prometheus", f"--config.file={home}/prometheus.yml", f"--storage.tsdb.path={home}/prometheus",
             f"--web.listen-address={address}"], stdout=open(home / "prometheus.out", "w"), stderr=subprocess.STDOUT)
        self._firing = {}
        self._past = []
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while self._process.poll() is None:
            try:
                alerts = request(self._url)["data"]["alerts"]
                self._note({alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}, time.monotonic())
            except OSError:
                pass  # it starts, or ends
            time.sleep(1)

    def _note(self, firing, now):
        for alert in firing - self._firing.keys():
            self._firing[alert] = now
        for alert in self._firing.keys() - firing:
            self._past.append((alert, self._firing.pop(alert), now))

    def firing(self):
        return set(self._firing)

    def fired(self, since):
        """The alerts that have been firing at some time since then."""
        return self.firing() | {alert for alert, _, end in self._past if end > since}

    def fires_from(self, alert, since):
        """When the alert began to fire, or None."""
        begins = [begin for name, begin, _ in self._past if name == alert] + [self._firing.get(alert, -1)]
        return min((begin for begin in begins if begin >= since), default=None)

    def fires_until(self, alert, since):
        """When the alert stopped firing for good, or None while it fires."""
        if alert in self._firing:
            return None
        return max((end for name, _, end in self._past if name == alert and end >= since), default=None)

    def pause_of(self, alert):
        """The pause in the alert's rule, such as 5m; "none" without one."""
        rule = re.search(rf"- alert: {alert}\n(.*?)(?=- alert: |\Z)", self._rules, re.S)[1]
        pause = re.search(r"for: (\w+)", rule)
        return pause[1] if pause else "none"

    def stop(self):
        self._process.terminate()
        self._process.wait(30)
