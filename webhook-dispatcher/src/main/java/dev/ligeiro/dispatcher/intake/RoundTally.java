package dev.ligeiro.dispatcher.intake;

/**
 * The attempts of a round to one endpoint.
 *
 * @param ended those that ended within the round's window
 * @param running those that did not
 * @param notStarted those that found no free place within the window
 */
record RoundTally(int ended, int running, int notStarted) {

    static final RoundTally NONE = new RoundTally(0, 0, 0);

    /** One running attempt for this number of ended ones holds up too many batches. */
    private static final int ENDED_PER_RUNNING_MIN = 10;

    RoundTally and(RoundTally other) {
        return new RoundTally(ended + other.ended, running + other.running, notStarted + other.notStarted);
    }

    /**
     * Whether the endpoint is too slow for the intake, which waits for the window while an attempt runs: most attempts of the round did not
     * end, or, {@code again}, more than one for ten ended ones. After a pause of this process, or of its cores, the latter happens once. A
     * backlog of an endpoint that responds in 15 ms leaves 20 running ones for 330, and others that have not started.
     *
     * @param again whether an earlier attempt to the endpoint did not end in time or failed
     */
    boolean isSlow(boolean again) {
        boolean most = running + notStarted > ended;
        boolean many = ENDED_PER_RUNNING_MIN * running > ended;
        return running > 0 && (most || (again && many));
    }
}
