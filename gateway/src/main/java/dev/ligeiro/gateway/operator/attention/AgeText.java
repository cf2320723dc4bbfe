package dev.ligeiro.gateway.operator.attention;

import java.time.Duration;

/** How operators read a time span, in lists, in the console and in {@code GET /admin/status}. */
public final class AgeText {

    private AgeText() {}

    /** In its two largest units, whose signs all languages of the console share: {@code 2 d 5 h}, {@code 12 min}. From a minute on without seconds. */
    public static String of(Duration age) {
        if (age.isNegative()) {
            return "−" + of(age.negated());
        }
        if (age.toDays() > 0) {
            return age.toDays() + " d" + (age.toHoursPart() == 0 ? "" : " " + age.toHoursPart() + " h");
        }
        if (age.toHours() > 0) {
            return age.toHours() + " h" + (age.toMinutesPart() == 0 ? "" : " " + age.toMinutesPart() + " min");
        }
        return age.toMinutes() > 0 ? age.toMinutes() + " min" : age.toSeconds() + " s";
    }
}
