package dev.ligeiro.transaction;

import java.time.Duration;

/** The clocks of the services, which write the times of one transaction. */
public final class Clocks {

    /** How far two of them may be apart. A larger difference is an alert, and the processor sends no due checks. */
    public static final Duration APART_MAX = Duration.ofSeconds(5);

    private Clocks() {}
}
