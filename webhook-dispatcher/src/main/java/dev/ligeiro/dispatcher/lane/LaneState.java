package dev.ligeiro.dispatcher.lane;

import java.time.Instant;

/**
 * The state of a {@link LaneRun}, apart from its attempts. Pure.
 *
 * @param askFrom MongoDB may be asked from this time on; {@code Instant.MAX} while it is being asked
 */
record LaneState(Phase phase, Instant askFrom) {

    static final LaneState BEGUN = new LaneState(Phase.DELIVERING, Instant.MIN);

    /** From STOPPING only LOST can follow, and LOST never changes. */
    enum Phase {
        /** Further deliveries may be due. */
        DELIVERING,
        /** None was due at the last look. */
        DRAINED,
        /** This process stops, or other lanes wait: the lane is handed over as soon as no attempt is running. */
        STOPPING,
        /** This process has lost the lane, or must not release it: it is left as soon as no attempt is running. */
        LOST
    }

    boolean isDelivering() {
        return phase == Phase.DELIVERING;
    }

    boolean isLost() {
        return phase == Phase.LOST;
    }

    /** Whether no further attempt may start. */
    boolean isEnding() {
        return phase == Phase.STOPPING || phase == Phase.LOST;
    }

    boolean isAsking() {
        return askFrom.equals(Instant.MAX);
    }

    boolean mayAsk(Instant now) {
        return !now.isBefore(askFrom);
    }

    LaneState asking() {
        return new LaneState(phase, Instant.MAX);
    }

    LaneState answered() {
        return new LaneState(phase, Instant.MIN);
    }

    LaneState pausedUntil(Instant until) {
        return new LaneState(phase, until);
    }

    /** After a look: whether further deliveries may be due. */
    LaneState looked(boolean more) {
        return isEnding() ? this : new LaneState(more ? Phase.DELIVERING : Phase.DRAINED, askFrom);
    }

    LaneState stopping() {
        return isLost() ? this : new LaneState(Phase.STOPPING, askFrom);
    }

    LaneState lost() {
        return new LaneState(Phase.LOST, askFrom);
    }
}
