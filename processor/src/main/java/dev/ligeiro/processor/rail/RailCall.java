package dev.ligeiro.processor.rail;

/** What a rail is asked. */
public enum RailCall {
    SUBMIT("submit"),
    INQUIRE("inquire");

    private final String word;

    RailCall(String word) {
        this.word = word;
    }

    /** The word of metrics and logs. */
    public String word() {
        return word;
    }
}
