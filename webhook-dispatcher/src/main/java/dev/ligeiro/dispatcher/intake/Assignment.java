package dev.ligeiro.dispatcher.intake;

/**
 * A partition for as long as this consumer has it. Its first events may be a repetition: the partition's last owner may have processed
 * them without committing their offsets, and may have stored deliveries whose attempts a lane repeats.
 */
final class Assignment {

    private static final long NONE = -1;

    private final long end;
    private final long uncommittedMax;
    private long first = NONE;
    private volatile boolean ended;

    /**
     * @param end the partition's end when it was assigned: nobody can have processed later events before
     * @param uncommittedMax the maximum events that a consumer has begun and not committed
     */
    Assignment(long end, long uncommittedMax) {
        this.end = end;
        this.uncommittedMax = uncommittedMax;
    }

    /** Call it for each event, in the order of their offsets, before {@link #mayAttempt}. */
    void received(long offset) {
        if (first == NONE) {
            first = offset;
        }
    }

    /** Whether a first attempt may be made from memory: no other process has begun the event. */
    boolean mayAttempt(long offset) {
        boolean mayBeRepeated = offset < end && offset < first + uncommittedMax;
        return !ended && !mayBeRepeated;
    }

    /** The consumer has given the partition back, or has lost it. Another one may process its events again. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
