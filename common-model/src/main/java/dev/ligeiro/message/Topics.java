package dev.ligeiro.message;

/**
 * The names of the Kafka topics. The record key is the transaction id (but that of the audit), so that the records of a transaction keep
 * their order.
 */
public final class Topics {

    public static final String COMMANDS = "transaction-commands";
    public static final String EVENTS = "transaction-events";

    /** Of the audit of operators, by chain; only with a setting. */
    public static final String AUDIT = "operator-audit";

    private static final String DEAD_LETTER_SUFFIX = "-dlt";

    private Topics() {}

    /** The topic for records of {@code topic} that cannot be processed. */
    public static String deadLetter(String topic) {
        return topic + DEAD_LETTER_SUFFIX;
    }
}
