package dev.ligeiro.processor.rail.simulator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the simulated rail misbehaves, for tests.
 *
 * @param slow how much longer the rail works before it does anything
 * @param answers what becomes of the answers to submissions
 * @param notices how the rail notifies of moved money
 * @param downUntil every call fails before this time; null for never
 * @param charges whether the charges of cashins are affected too. They are never notified of
 */
record SimulatorFaults(Duration slow, Answers answers, Notices notices, @Nullable Instant downUntil, boolean charges) {

    static final SimulatorFaults NONE = new SimulatorFaults(Duration.ZERO, Answers.GIVEN, Notices.NONE, null, false);

    boolean isDown(Instant now) {
        return downUntil != null && now.isBefore(downUntil);
    }

    /** What becomes of the answers to submissions; inquiries are answered. */
    enum Answers {
        GIVEN,
        /** The submission is done, and no answer comes. */
        LOST_DONE,
        /** The submission does not reach the rail, and no answer comes. */
        LOST_NOT_DONE
    }

    /** How the rail notifies of a cashout or refund whose money has moved. */
    enum Notices {
        NONE,
        /** Once, before the answer to the submission. */
        EARLY,
        /** Once before the answer and once after it. */
        TWICE
    }
}
