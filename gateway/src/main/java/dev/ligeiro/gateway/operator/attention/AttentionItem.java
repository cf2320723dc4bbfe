package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.gateway.operator.attention.AttentionRules.Rule;
import dev.ligeiro.transaction.Coded;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that needs a person, as {@code GET /admin/status} shows it.
 *
 * @param name that of the alert in {@code infra/prometheus/alerts.yml}
 * @param about the rail, consumer group, bundle or machine; null for all
 * @param value the figure, in {@code unit}; null for none
 * @param since null unless the figure is an age
 */
record AttentionItem(
        String name,
        Severity severity,
        @Nullable String about,
        @Nullable Double value,
        Unit unit,
        @Nullable Instant since,
        String summary,
        String runbook,
        String route,
        String page) {

    private static final int PERCENT = 100;

    static AttentionItem of(Rule rule, String about, double value, Instant now) {
        return new AttentionItem(
                rule.name(),
                rule.severity(),
                about.isEmpty() ? null : about,
                rule.limit().unit() == Unit.NONE ? null : value,
                rule.limit().unit(),
                rule.limit().unit() == Unit.AGE ? now.minusSeconds((long) value) : null,
                rule.summary().formatted(about, text(value, rule.limit().unit())),
                rule.runbook(),
                rule.route(),
                rule.page());
    }

    private static String text(double value, Unit unit) {
        return switch (unit) {
            case AGE, SECONDS -> AgeText.of(Duration.ofSeconds((long) value));
            case RATIO -> Math.round(value * PERCENT) + " %";
            case COUNT, NONE -> Long.toString((long) value);
        };
    }

    /** critical: money may be wrong, or nothing moves. warning: late, but still right. */
    enum Severity implements Coded {
        CRITICAL,
        WARNING
    }

    /** What a value counts. An age is in seconds. */
    enum Unit implements Coded {
        AGE,
        SECONDS,
        RATIO,
        COUNT,
        NONE
    }
}
