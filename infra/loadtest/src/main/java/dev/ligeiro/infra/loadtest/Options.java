package dev.ligeiro.infra.loadtest;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is run, and how long. {@code usage.txt} explains each.
 *
 * @param startups how often the gateway's start is measured, 0 for not at all
 * @param home of a running system when {@code attach}, else where the started one lives
 * @param settleSeconds of a new rate, before its window opens
 * @param rates open-loop rates to measure instead of a peak and parts of it
 * @param percents of the peak that are measured in an open loop
 * @param unfinishedMax in closed loops, transactions whose last webhook is still to come
 * @param runOptions for {@code infra/run}
 */
record Options(
        List<Scenario> scenarios,
        int startups,
        Optional<Path> home,
        boolean attach,
        Optional<Path> javaHome,
        Path out,
        int warmSeconds,
        int settleSeconds,
        int windowSeconds,
        List<Double> rates,
        List<Double> percents,
        int connections,
        int unfinishedMax,
        long stored,
        List<String> runOptions) {

    /** A JVM on two cores reads three to five times too high before. */
    static final int WARM_SECONDS_MIN = 35;

    private static final int CONNECTIONS_MAX = 10_000;

    Options {
        require("--warm", warmSeconds, 0, 600);
        require("--settle", settleSeconds, 0, 600);
        require("--seconds", windowSeconds, 1, 600);
        require("--connections", connections, 1, CONNECTIONS_MAX);
        require("--unfinished", unfinishedMax, 1, 1_000_000);
        require("--startups", startups, 0, 50);
        require("--stored", stored, 0, 100_000_000);
        if (attach && home.isEmpty()) {
            throw new IllegalArgumentException("--attach: no --home given");
        }
        if (attach && startups > 0) {
            throw new IllegalArgumentException(
                    "--attach: the startup scenario ends the gateway of a system of its own");
        }
    }

    boolean isCold() {
        return warmSeconds < WARM_SECONDS_MIN;
    }

    private static void require(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s: %d (expected: %d to %d)".formatted(option, value, min, max));
        }
    }
}
