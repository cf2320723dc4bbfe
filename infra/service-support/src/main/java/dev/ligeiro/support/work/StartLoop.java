package dev.ligeiro.support.work;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Starts waiting work, by one thread at a time. Work that ends at once calls {@link #run} inside its own start: that call returns, and the
 * loop goes on. If the call started the next work itself, the stack would grow with all that waits.
 */
public final class StartLoop {

    private final BooleanSupplier startNext;
    private final AtomicInteger calls = new AtomicInteger();

    /** @param startNext starts what is next; false when nothing can start */
    public StartLoop(BooleanSupplier startNext) {
        this.startNext = startNext;
    }

    /** Starts all waiting work that may start. If another thread is already starting work, that thread does it. */
    public void run() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        while (seen > 0) {
            boolean started = true;
            while (started) {
                started = startNext.getAsBoolean();
            }
            seen = calls.addAndGet(-seen);
        }
    }
}
