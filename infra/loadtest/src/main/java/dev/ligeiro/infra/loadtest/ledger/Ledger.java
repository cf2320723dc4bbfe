package dev.ligeiro.infra.loadtest.ledger;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Every call of a scenario by its number: when it was due, how it was answered, which webhooks came. In primitive arrays, since there
 * are millions and the test shares the machine with what it measures.
 *
 * <p>The generator's thread opens calls and notes answers, the receiver's thread notes webhooks; anyone may read once both have
 * stopped.
 */
public final class Ledger {

    /** 8 million calls: half an hour at 4,500 a second. */
    public static final int CALLS_MAX = LedgerPage.CALLS * 128;

    private final AtomicReferenceArray<LedgerPage> pages = new AtomicReferenceArray<>(CALLS_MAX / LedgerPage.CALLS);
    private volatile int size;

    /** Notes a call before it is made; returns its number. */
    public int open(Call call, long dueAt) {
        int number = size;
        if (number == CALLS_MAX) {
            throw new IllegalStateException(CALLS_MAX + " calls in one scenario: make it shorter");
        }
        int index = number % LedgerPage.CALLS;
        if (index == 0) {
            pages.set(number / LedgerPage.CALLS, new LedgerPage());
        }
        page(number).open(index, call, dueAt);
        size = number + 1;
        return number;
    }

    /** The call was answered as it should; {@code high} and {@code low} are the id of its transaction. */
    public void answered(int number, long high, long low) {
        page(number).answered(number % LedgerPage.CALLS, high, low);
    }

    /**
     * A valid webhook has come.
     *
     * @return whether it is the first for this change
     */
    public boolean announced(int number, int sequence, long high, long low) {
        return page(number).announced(number % LedgerPage.CALLS, sequence, high, low);
    }

    public int size() {
        return size;
    }

    public Call call(int number) {
        return page(number).call(number % LedgerPage.CALLS);
    }

    /** When the call should have been made, on {@link System#nanoTime}'s clock. */
    public long dueAt(int number) {
        return page(number).dueAt(number % LedgerPage.CALLS);
    }

    public boolean isAnswered(int number) {
        return high(number) != 0;
    }

    /** The first half of the transaction's id. */
    public long high(int number) {
        return page(number).high(number % LedgerPage.CALLS);
    }

    /** The second half of the transaction's id. */
    public long low(int number) {
        return page(number).low(number % LedgerPage.CALLS);
    }

    /** The webhooks that came, a bit for each sequence. */
    public int webhookBits(int number) {
        return page(number).webhookBits(number % LedgerPage.CALLS);
    }

    /** Whether all its webhooks were about the transaction of its answer. */
    public boolean webhooksAgree(int number) {
        return page(number).webhooksAgree(number % LedgerPage.CALLS);
    }

    private LedgerPage page(int number) {
        LedgerPage page = pages.get(number / LedgerPage.CALLS);
        if (page == null) {
            throw new IndexOutOfBoundsException(number);
        }
        return page;
    }
}
