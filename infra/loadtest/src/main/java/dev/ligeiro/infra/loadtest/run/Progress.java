package dev.ligeiro.infra.loadtest.run;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Tells the person at the terminal how far the load test is. Its figures are not audited yet. */
public final class Progress {

    private Progress() {}

    public static void say(String format, Object... values) {
        System.out.println(
                LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + String.format(Locale.ROOT, format, values));
    }
}
