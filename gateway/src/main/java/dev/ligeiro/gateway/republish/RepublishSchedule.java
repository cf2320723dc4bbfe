package dev.ligeiro.gateway.republish;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Decides which commands may be published again. {@code passed} is a time: the processors' group has passed all records that Kafka
 * appended before it. A command reaches Kafka within {@code appendDelayMax} of its creation (a copy: of the decision to send it), or never.
 * So a command that is older than {@code passed} by more than that is not waiting in Kafka any more.
 *
 * @param every the interval between two passes
 */
record RepublishSchedule(Duration every, Duration appendDelayMax, Duration pauseMax) {

    RepublishSchedule(RepublishProperties properties) {
        this(properties.every(), properties.appendDelayMax(), properties.pauseMax());
    }

    /**
     * The times that a pass asks about, in this order, until the group has passed one of them: {@code latest}, then {@code every} before
     * it, then twice as long before it, and so on. A lag of a day takes about 15 questions. Times that would settle no further transaction
     * are left out.
     */
    Stream<Instant> candidates(Instant latest, Instant settledUntil) {
        Instant known = settledUntil.plus(appendDelayMax);
        return Stream.concat(
                        Stream.of(latest),
                        Stream.iterate(every, back -> back.multipliedBy(2)).map(latest::minus))
                .takeWhile(candidate -> candidate.isAfter(known));
    }

    /** The commands of transactions created before this time do not wait in Kafka. */
    Instant createdBefore(Instant passed) {
        return passed.minus(appendDelayMax);
    }

    /** Whether the pause after the last copy has ended. The pause is long enough that the group has passed this copy, too. */
    boolean isDue(Republished republished, Instant passed) {
        return !republished.lastAt().plus(pause(republished.copies())).isAfter(passed);
    }

    /** After the first copy {@code appendDelayMax}, then twice the previous pause, up to {@code pauseMax}. */
    Duration pause(int copies) {
        Duration longest = pauseMax.compareTo(appendDelayMax) > 0 ? pauseMax : appendDelayMax;
        Duration pause = appendDelayMax;
        for (int copy = 1; copy < copies && pause.compareTo(longest) < 0; copy++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest) > 0 ? longest : pause;
    }

    /** A span of time, from {@code from} inclusive to {@code before} exclusive. */
    record Span(Instant from, Instant before) {}
}
