package dev.ligeiro.processor.decide;

import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.transaction.RailCall;
import java.time.Duration;
import java.time.Instant;

/** When a processor looks at a rail call again. */
final class RailSchedule {

    /** For an answer that waits for a person at the bank, too. */
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    /** The rail's answer arrives as a command, which may wait behind others. */
    private static final Duration COMMAND_MAX = Duration.ofSeconds(5);

    /**
     * Each pause is then about a quarter of the time since the call. The next inquiry after an outage of the rail comes at most that much
     * later: within 30 s after an outage of two minutes.
     */
    private static final double GROWTH = 1.25;

    /** Enough to grow from 1 ms to the longest pause. */
    private static final int GROWTHS_MAX = 60;

    private RailSchedule() {}

    /** When the outcome of a call that begins now is missing. */
    static Instant afterCall(RailFacts facts, Instant now) {
        return now.plus(answeredWithin(facts));
    }

    /** Whether the latest question of {@code call} was asked after this time, so that an answer may still come. */
    static boolean isAskedAfter(RailFacts facts, RailCall call, Instant askedAt) {
        return call.dueAt().minus(answeredWithin(facts)).isAfter(askedAt);
    }

    private static Duration answeredWithin(RailFacts facts) {
        Duration answered = facts.callTimeout().plus(COMMAND_MAX);
        return answered.compareTo(facts.inquireAfter()) > 0 ? answered : facts.inquireAfter();
    }

    /** The next inquiry or submission after an answer that settled nothing: each pause is a quarter longer, up to 5 minutes. */
    static Instant afterAnswer(RailFacts facts, RailCall call, Instant now) {
        double factor = Math.pow(GROWTH, Math.min(call.inquiries(), GROWTHS_MAX));
        Duration pause = Duration.ofMillis((long) (facts.inquireAfter().toMillis() * factor));
        return now.plus(pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX);
    }

    /** From then on "not found" means that the submission has not arrived and never will. An earlier inquiry means nothing. */
    static Instant notFoundCountsFrom(RailFacts facts, RailCall call) {
        Duration arrived = facts.lateArrival().multipliedBy(2);
        return call.since().plus(arrived.compareTo(facts.inquireAfter()) > 0 ? arrived : facts.inquireAfter());
    }
}
