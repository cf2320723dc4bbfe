package dev.ligeiro.dispatcher;

/**
 * The sizes and limits of what this service holds at once, in bytes. {@code DispatcherMemoryBudgetTest} adds them up and proves that the sum
 * with the default settings is less than {@value #SHARE_MAX_PERCENT} % of the smallest heap, and that the largest transaction keeps to the
 * sizes. The rest of the heap is for the code, its libraries and the garbage.
 */
public final class DispatcherMemoryBudget {

    /** With less, the collector would run all the time. */
    static final int SHARE_MAX_PERCENT = 60;

    /** A record of an event, or a payload: the largest has 6.9 kB. */
    static final long EVENT_BYTES_MAX = 7_680;
    /** A stored transaction with 100 refunds and the longest texts. */
    static final long TRANSACTION_BYTES_MAX = 256 * 1024;
    /**
     * A running attempt: connection with TLS (25 kB), payload and ten headers of the merchant (25 kB), and a response of 16 kB, whose head
     * HttpCore kept at three bytes a byte. Measured 2026-11-25 with 400 attempts at once: 104 kB. Now it gets at most 4 kB of a head,
     * and a failure keeps 1 kB of the body.
     */
    static final long ATTEMPT_BYTES_MAX = 104 * 1024;

    /** What is kept of the body of a failed attempt's response, in UTF-8. As a string it takes up to twice as much. */
    public static final int KEPT_RESPONSE_BYTES_MAX = 1_024;
    /** The first failures of an attempt batch keep their responses; retries show those of the others. */
    public static final int BATCH_RESPONSES_MAX = 25;
    /** If more results of stored deliveries wait to be written, further ones lose their responses. */
    public static final int WAITING_RESPONSES_MAX = 250;

    /** All but the attempts, with the default settings. */
    static final long OTHER_BYTES_MAX = 48 * 1024 * 1024;

    /** The limit of a part of a batch after a start. */
    public static final long PART_BYTES_START = 256 * 1024;
    /** The largest limit of a part of a batch: 500 usual records fit in one part. */
    public static final long PART_BYTES_MAX = 1024 * 1024;
    /** The most deliveries of an attempt batch: a part may have 20 for each of its events. */
    public static final int BATCH_DELIVERIES_MAX = 1000;
    /** Two of the largest batches run at once, or more smaller ones that hold no more together. */
    public static final int RUNNING_BATCHES_MAX = 2;
    /** The {@link #batchShare} of the largest batch. */
    public static final int BATCH_SHARE_MAX = 1000;
    /** The {@link #batchShare} of the smallest batch: 20 run beside one that begins, at most, each with its own queries. */
    static final int BATCH_SHARE_MIN = 50;
    /** The endpoints of the merchants of a part, as stored: 1,000 usual ones, or those of two merchants with the longest headers. */
    public static final long ENDPOINT_BYTES_MAX = 1024 * 1024;
    /** The most endpoints of one reply of MongoDB. */
    public static final int ENDPOINTS_READ_MAX = 25;
    /** The most transactions of a query that reads payloads; only one such query runs at a time. */
    public static final int TRANSACTIONS_READ_MAX = 16;
    /** The most payloads that are read for waiting attempts at a time. */
    public static final int PAYLOADS_READ_MAX = 64;

    /** The payloads that wait in the windows of all lanes; each lane has an equal part. */
    public static final int LANE_PAYLOADS_MAX = 40;

    /** How many attempts to an endpoint may run at once before it has shown that it is quick enough for more. */
    public static final int WINDOW_MIN = 20;

    /** So many batches of attempts wait in a lane's window, and as many are running or being written. */
    public static final int WINDOW_BATCHES = 2;

    private static final int ATTEMPTS_MIN = 64;

    private DispatcherMemoryBudget() {}

    /** What a batch holds in thousandths of the largest one, by that of its sizes which is nearest to its maximum. */
    public static int batchShare(int records, int recordsMax, long recordBytes, int deliveries, long endpointBytes) {
        double share = Math.max(
                Math.max((double) records / recordsMax, (double) recordBytes / PART_BYTES_MAX),
                Math.max((double) deliveries / BATCH_DELIVERIES_MAX, (double) endpointBytes / ENDPOINT_BYTES_MAX));
        return (int) Math.max(BATCH_SHARE_MIN, Math.min(BATCH_SHARE_MAX, Math.ceil(share * BATCH_SHARE_MAX)));
    }

    /**
     * How many attempts may run at once, {@code wanted} at most, so that everything fits into {@code heap} bytes. A heap that is too small even
     * for the rest gets {@value #ATTEMPTS_MIN}.
     */
    public static int attemptsMax(int wanted, long heap) {
        long fitting = (heap * SHARE_MAX_PERCENT / 100 - OTHER_BYTES_MAX) / ATTEMPT_BYTES_MAX;
        return (int) Math.min(wanted, Math.max(ATTEMPTS_MIN, fitting));
    }
}
