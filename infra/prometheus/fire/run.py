"""Makes the causes, removes each when its alerts fire, and prints a row for each alert."""
import time

WAIT_SECONDS_MAX = 1500


class Made:
    """A cause that has been made."""

    def __init__(self, cause):
        self.cause, self.begin, self.removed = cause, time.monotonic(), None
        cause.make()

    def remove(self):
        if self.removed is None:
            self.cause.remove()
            self.removed = time.monotonic()


class Run:
    def __init__(self, prometheus):
        self.complete = True
        self._prometheus, self._lasting = prometheus, []
        print("| cause | alert | pause | seconds to fire | seconds to clear | other alerts |\n|---|---|---|---|---|---|", flush=True)

    def step(self, causes):
        self._await(lambda: not self._prometheus.firing() - alerts_of(self._lasting))
        made = [Made(cause) for cause in causes]
        self._await(lambda: self._remove_what_fires(made))
        for one in made:
            one.remove()
        ending = [one for one in made if not one.cause.lasts]
        self._await(lambda: not self._prometheus.firing() & alerts_of(ending))
        others = self._prometheus.fired(made[0].begin) - alerts_of(made + self._lasting)
        for one in ending:
            self._print(one, one.removed, others)
        self._lasting += [one for one in made if one.cause.lasts]

    def _remove_what_fires(self, made):
        for one in made:
            if all(self._prometheus.fires_from(alert, one.begin) for alert in one.cause.alerts):
                one.remove()
        return all(one.removed for one in made)

    def end(self):
        """Waits for the alerts of the causes that cannot be removed. They clear some time after their cause."""
        self._await(lambda: not self._prometheus.firing() & alerts_of(self._lasting), 4 * WAIT_SECONDS_MAX)
        for one in self._lasting:
            self._print(one, one.begin, set())

    @staticmethod
    def _await(condition, seconds_max=WAIT_SECONDS_MAX):
        last = time.monotonic() + seconds_max
        while not condition() and time.monotonic() < last:
            time.sleep(1)

    def _print(self, made, removed, others):
        for alert in made.cause.alerts:
            fired, cleared = self._prometheus.fires_from(alert, made.begin), self._prometheus.fires_until(alert, removed)
            self.complete &= fired is not None and cleared is not None
            columns = [
                made.cause.text, f"`{alert}`", self._prometheus.pause_of(alert),
                "never" if fired is None else f"{fired - made.begin:.0f}",
                "never" if fired is None or cleared is None else f"{cleared - removed:.0f}",
                ", ".join(f"`{other}`" for other in sorted(others))]
            print("| " + " | ".join(columns) + " |", flush=True)


def alerts_of(made):
    return {alert for one in made for alert in one.cause.alerts}
