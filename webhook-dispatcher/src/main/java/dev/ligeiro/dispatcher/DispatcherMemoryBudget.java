package dev.ligeiro.dispatcher;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.env.PropertyResolver;
import org.springframework.util.unit.DataSize;

/**
 * The most heap that this service's work takes at once, in bytes: everything that it holds has a limit, and this class adds the limits up.
 * {@code DispatcherMemoryBudgetTest} proves that the sum with the default settings is less than {@value #SHARE_MAX_PERCENT} % of the smallest heap,
 * and that the largest transaction keeps to the sizes. The rest of the heap is for the code, its libraries and the garbage.
 */
public final class DispatcherMemoryBudget {

    /** With less, the collector would run all the time. */
    static final int SHARE_MAX_PERCENT = 60;

    /** A record of an event, or a payload: the largest has 5.5 kB. */
    static final long EVENT_BYTES_MAX = 6 * 1024;
    /** A record besides its value. */
    private static final long RECORD_BYTES = 600;
    /** A delivery without its payload: in a lane's window, in an attempt batch, or as a result that waits to be written. */
    private static final long ROW_BYTES = 400;

    private static final long RESULT_BYTES = 500;
    /**
     * A usual endpoint, or those of a usual merchant: the only size here that is not the largest. An endpoint with ten long headers has 20 kB,
     * and a merchant may have 20 of them.
     */
    private static final long ENDPOINT_BYTES = 2 * 1024;
    /** A stored transaction with 100 refunds and the longest texts. */
    static final long TRANSACTION_BYTES_MAX = 256 * 1024;
    /** Decoded, a transaction takes this many times its bytes. */
    private static final int DECODED_FACTOR = 4;
    /**
     * A running attempt: connection with TLS (25 kB), payload and ten headers of the merchant (25 kB), and a response of 16 kB, whose head
     * HttpCore keeps at three bytes a byte. Measured 2026-11-25 with 400 attempts at once: 104 kB.
     */
    static final long ATTEMPT_BYTES_MAX = 104 * 1024;

    /** All but the attempts, with the default settings. */
    static final long OTHER_BYTES_MAX = 44 * 1024 * 1024;

    /** The limit of a part of a batch after a start. */
    public static final long PART_BYTES_START = 256 * 1024;
    /** The largest limit of a part of a batch: 500 usual records fit in one part. */
    public static final long PART_BYTES_MAX = 1024 * 1024;
    /** The most deliveries of an attempt batch: a part may have 20 for each of its events. */
    public static final int BATCH_DELIVERIES_MAX = 1000;
    /** Two batches run at once. */
    public static final int RUNNING_BATCHES_MAX = 2;
    /** The most transactions of a query that reads payloads; only one such query runs at a time. */
    public static final int TRANSACTIONS_READ_MAX = 16;
    /** The most payloads that are read for waiting attempts at a time. */
    public static final int PAYLOADS_READ_MAX = 64;

    /** So many batches of attempts wait in a lane's window, and as many are running or being written. */
    public static final int WINDOW_BATCHES = 2;

    private static final int ATTEMPTS_MIN = 64;
    /** As the processor creates the topic. */
    private static final int PARTITIONS = 24;
    /** As the gateway allows. */
    private static final int MERCHANT_ENDPOINTS_MAX = 20;

    private DispatcherMemoryBudget() {}

    /**
     * How many attempts may run at once, {@code wanted} at most, so that everything fits into {@code heap} bytes. A heap that is too small even
     * for the rest gets {@value #ATTEMPTS_MIN}.
     */
    public static int attemptsMax(int wanted, long heap) {
        long fitting = (heap * SHARE_MAX_PERCENT / 100 - OTHER_BYTES_MAX) / ATTEMPT_BYTES_MAX;
        return (int) Math.min(wanted, Math.max(ATTEMPTS_MIN, fitting));
    }

    /** The most bytes of each kind of work, by its name. */
    static Map<String, Long> items(PropertyResolver settings, long heap) {
        return items(settings, number(settings, "ligeiro.webhook.lane.claimed-max"), attempts(settings, heap));
    }

    /** The same if one merchant has caused all of it, in one mode: all records of the batches, its lanes, and its share of the attempts. */
    static Map<String, Long> itemsOfOneMerchant(PropertyResolver settings, long heap) {
        long attempts = attempts(settings, heap)
                * number(settings, "ligeiro.webhook.in-flight-per-tenant-max")
                / number(settings, "ligeiro.webhook.in-flight-max");
        return items(settings, MERCHANT_ENDPOINTS_MAX, attempts);
    }

    private static long attempts(PropertyResolver settings, long heap) {
        return attemptsMax((int) number(settings, "ligeiro.webhook.in-flight-max"), heap);
    }

    private static Map<String, Long> items(PropertyResolver settings, long lanes, long attempts) {
        long batchRecords = number(settings, "spring.kafka.consumer.max-poll-records");
        long windowRows = 2 * WINDOW_BATCHES * number(settings, "ligeiro.webhook.in-flight-per-endpoint-max");
        long partRows = RUNNING_BATCHES_MAX * BATCH_DELIVERIES_MAX;
        Map<String, Long> items = new LinkedHashMap<>();
        items.put(
                "fetched from Kafka",
                PARTITIONS * number(settings, "spring.kafka.consumer.properties.max.partition.fetch.bytes")
                        + number(settings, "spring.kafka.consumer.properties.fetch.max.bytes"));
        // a third batch is polled and waits for one of the two
        items.put("batches", (RUNNING_BATCHES_MAX + 1) * batchRecords * (EVENT_BYTES_MAX + RECORD_BYTES));
        items.put("parts of batches", RUNNING_BATCHES_MAX * 2 * PART_BYTES_MAX + partRows * 2 * ROW_BYTES);
        items.put("endpoints of batches", RUNNING_BATCHES_MAX * batchRecords * ENDPOINT_BYTES);
        items.put("lanes", lanes * (windowRows * ROW_BYTES + ENDPOINT_BYTES));
        items.put(
                "reads of payloads",
                (TRANSACTIONS_READ_MAX + DECODED_FACTOR) * TRANSACTION_BYTES_MAX + PAYLOADS_READ_MAX * EVENT_BYTES_MAX);
        items.put("results to be written", (lanes * windowRows / 2 + partRows) * RESULT_BYTES);
        items.put("dead letters", size(settings, "spring.kafka.producer.buffer-memory"));
        items.put("attempts", attempts * ATTEMPT_BYTES_MAX);
        return items;
    }

    private static long number(PropertyResolver settings, String key) {
        return settings.getRequiredProperty(key, Long.class);
    }

    private static long size(PropertyResolver settings, String key) {
        return DataSize.parse(settings.getRequiredProperty(key)).toBytes();
    }
}
