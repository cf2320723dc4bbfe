package dev.ligeiro.gateway;

/**
 * How many bytes of heap a gateway holds at once, at most, by what holds them. The code that takes the memory refers to these numbers. With
 * the default settings all parts together are less than three quarters of {@link #HEAP_BYTES_MIN}; the rest is for the program itself, about
 * 35 MB, for connections without a request, 2.3 kB each, and for garbage. {@code GatewayMemoryBudgetTest} adds the parts up.
 */
public final class GatewayMemoryBudget {

    /** The smallest heap for the default settings: that of {@code infra/run}. */
    public static final long HEAP_BYTES_MIN = 288L * 1024 * 1024;

    // sizes, measured on JDK 17 (2026-11-25)

    /** A stored transaction with 100 refunds and the longest texts, in BSON or decoded. */
    public static final int TRANSACTION_BYTES = 210_000;

    /** What is shown of it in responses, as an object or in JSON. */
    public static final int SHOWN_BYTES = 35_000;

    /** A new transaction with the longest texts. */
    public static final int NEW_TRANSACTION_BYTES = 6_500;

    /** A create that waits: its connection and request, the transaction, and the response. */
    public static final int CREATE_BYTES = 12_500;

    /** An open checkout page: its connection and request, with the 18 headers of a browser. */
    public static final int CHECKOUT_PAGE_BYTES = 16_000;

    public static final int CALLER_BYTES = 1_200;
    public static final int RATE_LIMIT_BYTES = 450;
    public static final int FILTER_TERM_BYTES = 150;
    public static final int SMALL_ENTRY_BYTES = 350;

    /** MongoDB ends a reply when the next document would exceed this. */
    public static final int REPLY_BYTES = 16 * 1024 * 1024;

    // numbers

    /** Creates that wait for their insert. */
    public static final int CREATES_WAITING_MAX = 2_000;

    /** Changes of transactions with many refunds that wait for their turn. */
    public static final int CHANGES_WAITING_MAX = 2_000;

    /** New transactions in the publisher's queue: a second of 3,000 creates/s. */
    public static final int COMMANDS_QUEUED_MAX = 3_000;

    /** New transactions that the sweeper reads and publishes at once. */
    public static final int REPUBLISHED_MAX = 250;

    /** Transactions that are read at once by their ids. */
    public static final int READ_MAX = 48;

    /** Transactions that are read at once by an idempotency key or a reference. */
    public static final int HOLDERS_READ_MAX = 32;

    /** The documents of one read for an export. */
    public static final int EXPORT_READ_BYTES = 512 * 1024;

    /** A bundle while it is made: up to 100 deliveries of 12 kB, stored and decoded, the transaction, and the growing archive. */
    public static final int BUNDLE_BYTES = 4 * 1024 * 1024;

    /** Terms of the filters that are known to match many transactions. */
    public static final int FILTER_TERMS_MAX = 20_000;

    /** Entries of each cache of small values: refused keys, names of merchants, first days of tenants, counts of days. */
    public static final int SMALL_ENTRIES_MAX = 5_000;

    private GatewayMemoryBudget() {}

    // parts of a heap

    /** Bodies above 4 KiB. */
    public static long largeBodies(long heapBytes) {
        return heapBytes / 24;
    }

    public static long checkoutPages(long heapBytes) {
        return heapBytes / 6;
    }

    /**
     * Replies with whole transactions that lists, exports and feeds may get at once; a reply takes a sixteenth of the smallest heap. What is
     * shown of a page is written before the next reply is read.
     */
    public static int repliesMax(long heapBytes) {
        return Math.toIntExact(Math.max(1, heapBytes / 16 / REPLY_BYTES));
    }

    public static int callersMax(long heapBytes) {
        return Math.toIntExact(heapBytes / 48 / CALLER_BYTES);
    }

    public static int rateLimitsMax(long heapBytes) {
        return Math.toIntExact(heapBytes / 64 / RATE_LIMIT_BYTES);
    }

    /** Of the memory outside the heap, which is as large: pages that their clients have not read yet. */
    public static long unsentPages(long heapBytes) {
        return heapBytes / 8;
    }
}
