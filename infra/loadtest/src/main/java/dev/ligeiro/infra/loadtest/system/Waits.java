package dev.ligeiro.infra.loadtest.system;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits of the load test's main thread. */
public final class Waits {

    private Waits() {}

    /** Returns at once when the time has passed already. */
    public static void until(long nanoTime) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }

    /** Checks the condition at this interval; returns whether it became true within {@code max}. */
    public static boolean until(BooleanSupplier condition, Duration interval, Duration max) {
        long giveUpAt = System.nanoTime() + max.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > giveUpAt) {
                return false;
            }
            until(System.nanoTime() + interval.toNanos());
        }
        return true;
    }
}
