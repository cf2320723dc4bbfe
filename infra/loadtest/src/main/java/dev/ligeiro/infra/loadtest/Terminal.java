package dev.ligeiro.infra.loadtest;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The load test's main thread: its progress for the person at the terminal, whose figures are not audited yet, and its waits. */
final class Terminal {

    private Terminal() {}

    static void say(String format, Object... values) {
        System.out.println(
                LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + String.format(Locale.ROOT, format, values));
    }

    /** Returns at once when the time has passed already. */
    static void waitUntil(long nanoTime) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }
}
