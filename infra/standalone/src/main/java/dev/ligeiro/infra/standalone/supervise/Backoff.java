package dev.ligeiro.infra.standalone.supervise;

import java.time.Duration;

/** The pause before a process is started again: 1 s, doubled up to 30 s, 1 s again after a life of 30 s. */
final class Backoff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration HEALTHY_LIFE = Duration.ofSeconds(30);

    private Duration next = FIRST;

    /** @param lived how long the process ran before it ended */
    Duration after(Duration lived) {
        Duration delay = lived.compareTo(HEALTHY_LIFE) < 0 ? next : FIRST;
        Duration doubled = delay.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        return delay;
    }
}
