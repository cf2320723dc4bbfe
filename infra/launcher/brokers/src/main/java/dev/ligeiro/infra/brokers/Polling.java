package dev.ligeiro.infra.brokers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition by checking it repeatedly. */
public final class Polling {

    private static final long PAUSE_MILLIS = 50;

    private Polling() {}

    /**
     * Checks every 50 ms.
     *
     * @return whether the condition was met within {@code limit}
     * @throws IllegalStateException when interrupted
     */
    public static boolean until(BooleanSupplier condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
