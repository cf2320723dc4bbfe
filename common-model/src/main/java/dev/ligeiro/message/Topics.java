package dev.ligeiro.message;

/** The names of the Kafka topics. Each is keyed by transaction id, so that one transaction's records keep their order. */
public final class Topics {

    public static final String COMMANDS = "transaction-commands";
    public static final String EVENTS = "transaction-events";

    private static final String DEAD_LETTER_SUFFIX = "-dlt";

    private Topics() {}

    /** Where records of {@code topic} go that can never be processed. */
    public static String deadLetter(String topic) {
        return topic + DEAD_LETTER_SUFFIX;
    }
}
