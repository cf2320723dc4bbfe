package dev.ligeiro.processor.decide;

/** What became of a command. */
public enum CommandOutcome {
    /** It changed its transaction, or took it to the rail. */
    APPLIED("applied"),
    /** Its change was there already, or its transaction does not allow it. */
    UNCHANGED("unchanged"),
    /** It can never be processed. */
    REFUSED("refused");

    private final String word;

    CommandOutcome(String word) {
        this.word = word;
    }

    /** The word of metrics. */
    public String word() {
        return word;
    }
}
