package dev.ligeiro.processor;

/** The bounds of what this process holds at once. A test adds them up and compares the sum with the smallest heap. */
public final class ProcessorMemoryBudget {

    /** A part of a batch at the full limit, in bytes: its records, and again the stored transactions that it reads. */
    public static final long PART = 2 * 1024 * 1024;

    /** The first part after a start, in bytes, so that nothing that is stored can keep a process from starting. */
    public static final long FIRST_PART = 256 * 1024;

    /**
     * The submissions to one rail that are waiting or not answered yet, over all accounts; further ones are not started. One tenant has half of
     * them at most.
     */
    public static final int SUBMISSIONS_MAX = 1_000;

    /** The same for inquiries, which one tenant may have alone. */
    public static final int INQUIRIES_MAX = 300;

    /** The bodies of the banks' notices that are read or wait for Kafka, in bytes; further ones are refused. */
    public static final int NOTICES_UNDER_WAY = 512 * 1024;

    /** A notice counts as so many bytes at least: its request takes as much. */
    public static final int NOTICE_MIN = 4 * 1024;

    /**
     * The largest answer of a bank, in bytes: a page of catch-up, whose 100 payments and their refunds mostly have 60 kB. The answers that
     * arrive are outside of the heap, and one at a time is decoded.
     */
    public static final int BANK_ANSWER = 128 * 1024;

    /**
     * The stored transactions of a page of catch-up that are compared with it, in bytes; further ones are not compared. 100 mostly have 200
     * kB.
     */
    public static final long LISTED = 256 * 1024;

    /**
     * The commands of new cashouts that wait here until their merchant's earlier ones are counted, in bytes, about 1 kB each; the gateway sends
     * those of further ones again.
     */
    public static final int CASHOUTS_WAITING = 768 * 1024;

    private ProcessorMemoryBudget() {}
}
