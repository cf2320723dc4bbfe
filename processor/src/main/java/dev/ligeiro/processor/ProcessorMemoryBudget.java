package dev.ligeiro.processor;

import java.util.Map;

/**
 * What this process holds at once, in bytes. Together it fits into the smallest heap with room for the classes' own objects. A test
 * compares the sum with that heap, and the settings of Kafka's client with {@code application.yml}.
 */
public final class ProcessorMemoryBudget {

    private static final long KB = 1024;
    private static final long MB = 1024 * KB;

    /** The heap for which the sum is made; {@code infra/run} gives this one. */
    static final long HEAP_MIN = 96 * MB;

    /** A part of a batch at the full limit: its records, and again the stored transactions that it reads. */
    public static final long PART = 2 * MB;

    /** The first part after a start, so that nothing that is stored can keep a process from starting. */
    public static final long FIRST_PART = 256 * KB;

    /** The submissions to one rail that are waiting or not answered yet, over all accounts; further ones are not started. */
    public static final int SUBMISSIONS_MAX = 1_000;

    /** The same for inquiries. */
    public static final int INQUIRIES_MAX = 300;

    /** A transaction with one refund, all texts at their maximum, and the objects around them. */
    static final long RAIL_CALL = 6 * KB;

    /** The simulator and a live rail. */
    private static final int RAILS = 2;

    /** A transaction takes up to three times its BSON: the document, its decoded form, and its changed form. */
    private static final int DECODED = 3;

    /** The largest reply of MongoDB, if all transactions of a part are much larger than those before. */
    private static final long MONGODB_REPLY = 16 * MB;

    static final int POLL_RECORDS_MAX = 500;
    /** The command of the largest new transaction. */
    static final long COMMAND_MAX = 12 * KB;
    /** One fetch is read while the next one arrives. */
    static final long FETCH_MAX = 2 * MB;

    static final long PRODUCER_BUFFER = 8 * MB;

    private ProcessorMemoryBudget() {}

    /** The shares by name. */
    static Map<String, Long> shares() {
        return Map.of(
                "fetched from Kafka", 2 * FETCH_MAX,
                "polled records", POLL_RECORDS_MAX * COMMAND_MAX,
                "reply of MongoDB", MONGODB_REPLY,
                "transactions of a part", DECODED * PART,
                "updates and events of a part", 2 * PART,
                "producer", PRODUCER_BUFFER,
                "calls to rails", RAILS * (SUBMISSIONS_MAX + INQUIRIES_MAX) * RAIL_CALL);
    }
}
