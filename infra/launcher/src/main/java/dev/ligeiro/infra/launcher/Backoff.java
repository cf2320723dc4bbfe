package dev.ligeiro.infra.launcher;

import java.time.Duration;

/** The pause before a restart: none after an uptime of 30 s; otherwise 1 s, doubled at each restart up to 30 s. */
final class Backoff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration HEALTHY_UPTIME = Duration.ofSeconds(30);

    private Duration next = FIRST;

    /** @param uptime of the process that has exited */
    Duration after(Duration uptime) {
        if (uptime.compareTo(HEALTHY_UPTIME) >= 0) {
            next = FIRST;
            return Duration.ZERO;
        }
        Duration delay = next;
        Duration doubled = delay.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        return delay;
    }

    Duration afterFailedStart() {
        return after(Duration.ZERO);
    }
}
