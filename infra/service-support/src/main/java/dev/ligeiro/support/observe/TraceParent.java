package dev.ligeiro.support.observe;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code traceparent} (W3C Trace Context §3.2): {@code 00-<trace id>-<span id>-<flags>}. */
public final class TraceParent {

    private static final Pattern FORM = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private TraceParent() {}

    public static String of(SpanContext span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getTraceFlags().asHex();
    }

    /** Empty for null and for any other form. */
    static Optional<SpanContext> parse(@Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        Matcher form = FORM.matcher(value);
        return form.matches()
                ? Optional.of(SpanContext.createFromRemoteParent(
                                form.group(1),
                                form.group(2),
                                TraceFlags.fromHex(form.group(3), 0),
                                TraceState.getDefault()))
                        .filter(SpanContext::isValid)
                : Optional.empty();
    }
}
