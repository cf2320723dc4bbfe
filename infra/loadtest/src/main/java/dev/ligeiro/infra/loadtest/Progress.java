package dev.ligeiro.infra.loadtest;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Progress messages for the person at the terminal. Their figures are not audited yet. */
final class Progress {

    private Progress() {}

    static void say(String format, Object... values) {
        System.out.println(
                LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + String.format(Locale.ROOT, format, values));
    }
}
