package dev.ligeiro.gateway.api.list.count;

import java.util.concurrent.atomic.AtomicInteger;

/** How far the counting of a range is. */
final class Progress {

    private final AtomicInteger counted = new AtomicInteger();
    private volatile int days;

    /** @param valid days that need no counting */
    void start(int valid, int all) {
        counted.set(valid);
        days = all;
    }

    void counted() {
        counted.incrementAndGet();
    }

    /** In words, for a client that waits. */
    String text() {
        return counted + " of " + days + " days are counted";
    }
}
