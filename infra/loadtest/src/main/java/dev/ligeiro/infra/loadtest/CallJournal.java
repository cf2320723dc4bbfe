package dev.ligeiro.infra.loadtest;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Every call of a scenario by its number: when it was due, the id in its response, the webhooks that arrived. It uses primitive
 * arrays, because a scenario has millions of calls and the load test shares the machine with the system under test.
 *
 * <p>The generator's thread adds calls and responses, the receiver's thread adds webhooks. Other threads may read when both have
 * stopped. A webhook is added after its call: the request and the webhook travel over sockets, and {@link #size} is volatile.
 */
final class CallJournal {

    private static final int PAGE_CALLS = 1 << 16;
    private static final int PAGES_MAX = 128;

    /** 8 million calls: half an hour at 4,500 a second. */
    private static final int CALLS_MAX = PAGE_CALLS * PAGES_MAX;

    private static final Call[] CALLS = Call.values();

    private final CallIdentifiers identifiers;
    private final AtomicReferenceArray<Page> pages = new AtomicReferenceArray<>(PAGES_MAX);
    private volatile int size;

    /** @param identifiers of the transactions that the calls create */
    CallJournal(CallIdentifiers identifiers) {
        this.identifiers = identifiers;
    }

    CallIdentifiers identifiers() {
        return identifiers;
    }

    /** Adds a call before it is sent; returns its number. Only the generator's thread calls this. */
    int add(Call call, long dueAt) {
        int number = size;
        if (number == CALLS_MAX) {
            throw new IllegalStateException(CALLS_MAX + " calls in one scenario: make it shorter");
        }
        if (number % PAGE_CALLS == 0) {
            pages.set(number / PAGE_CALLS, new Page());
        }
        page(number).call[number % PAGE_CALLS] = (byte) call.ordinal();
        page(number).dueAt[number % PAGE_CALLS] = dueAt;
        size = number + 1;
        return number;
    }

    /** The call got a correct response with this transaction id; reads without an id use any id but {@code (0, 0)}. */
    void addResponse(int number, UUID id) {
        page(number).idHigh[number % PAGE_CALLS] = id.getMostSignificantBits();
        page(number).idLow[number % PAGE_CALLS] = id.getLeastSignificantBits();
    }

    /**
     * A valid webhook arrived.
     *
     * @return whether it is the first for this change
     */
    boolean addWebhook(int number, int sequence, UUID id) {
        Page page = page(number);
        int index = number % PAGE_CALLS;
        if (page.webhookBits[index] == 0) {
            page.webhookHigh[index] = id.getMostSignificantBits();
            page.webhookLow[index] = id.getLeastSignificantBits();
        } else if (page.webhookHigh[index] != id.getMostSignificantBits()
                || page.webhookLow[index] != id.getLeastSignificantBits()) {
            page.webhooksDiffer[index] = true;
        }
        boolean first = (page.webhookBits[index] & 1 << sequence) == 0;
        page.webhookBits[index] |= (byte) (1 << sequence);
        return first;
    }

    int size() {
        return size;
    }

    Call call(int number) {
        return CALLS[page(number).call[number % PAGE_CALLS]];
    }

    /** When the call should have been sent, on {@link System#nanoTime}'s clock. */
    long dueAt(int number) {
        return page(number).dueAt[number % PAGE_CALLS];
    }

    boolean isAnswered(int number) {
        return page(number).idHigh[number % PAGE_CALLS] != 0;
    }

    /** The transaction id in the response. */
    UUID id(int number) {
        return new UUID(page(number).idHigh[number % PAGE_CALLS], page(number).idLow[number % PAGE_CALLS]);
    }

    /** The webhooks that arrived: bit n is set for the change with sequence n. */
    int webhookBits(int number) {
        return page(number).webhookBits[number % PAGE_CALLS];
    }

    /** Whether all its webhooks had the transaction id of its response. */
    boolean webhooksAgree(int number) {
        Page page = page(number);
        int index = number % PAGE_CALLS;
        return !page.webhooksDiffer[index]
                && id(number).equals(new UUID(page.webhookHigh[index], page.webhookLow[index]));
    }

    private Page page(int number) {
        Page page = pages.get(number / PAGE_CALLS);
        if (page == null) {
            throw new IndexOutOfBoundsException(number);
        }
        return page;
    }

    private static final class Page {
        private final byte[] call = new byte[PAGE_CALLS];
        private final long[] dueAt = new long[PAGE_CALLS];
        private final long[] idHigh = new long[PAGE_CALLS];
        private final long[] idLow = new long[PAGE_CALLS];
        private final byte[] webhookBits = new byte[PAGE_CALLS];
        private final long[] webhookHigh = new long[PAGE_CALLS];
        private final long[] webhookLow = new long[PAGE_CALLS];
        private final boolean[] webhooksDiffer = new boolean[PAGE_CALLS];
    }
}
