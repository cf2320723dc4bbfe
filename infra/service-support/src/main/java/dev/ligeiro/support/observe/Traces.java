package dev.ligeiro.support.observe;

import dev.ligeiro.message.Origin;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Spans of sampled requests. The gateway begins a trace and decides whether it is sampled; the processor and the dispatcher add spans to
 * the traces that the records name, as children of the request's span. Without an exporter nothing happens.
 */
public final class Traces {

    /** Version, trace id, span id and flags. */
    private static final Pattern TRACE_PARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final @Nullable Tracer tracer;

    /** Records traces if Spring Boot has set up an exporter for them. */
    @Autowired
    Traces(ObjectProvider<Tracer> tracer, ObjectProvider<SpanExporter> exporters) {
        this(exporters.stream().findAny().isPresent() ? tracer.getIfAvailable() : null);
    }

    /** @param tracer null: no trace is recorded */
    public Traces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    public boolean isOn() {
        return tracer != null;
    }

    /**
     * Begins the trace of a request; null if it is not sampled. The client's own trace is only linked: a client must not decide how much
     * this system records.
     *
     * @param clientTraceParent the {@code traceparent} that the client sent; null if it sent none
     */
    public @Nullable Span begin(@Nullable String clientTraceParent) {
        if (tracer == null) {
            return null;
        }
        SpanBuilder builder =
                tracer.spanBuilder("request").setSpanKind(SpanKind.SERVER).setNoParent();
        parse(clientTraceParent).ifPresent(builder::addLink);
        Span span = builder.startSpan();
        return span.getSpanContext().isSampled() ? span : null;
    }

    /** Adds a span that has ended to the trace of {@code origin}, if that is traced. */
    public void add(Origin origin, String name, SpanKind kind, Attributes attributes, Instant from, Instant to) {
        if (tracer == null || origin.traceParent() == null) {
            return;
        }
        parse(origin.traceParent()).ifPresent(parent -> tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setParent(Context.root().with(Span.wrap(parent)))
                .setStartTimestamp(from)
                .setAllAttributes(attributes)
                .startSpan()
                .end(to));
    }

    /** The header {@code traceparent} (W3C Trace Context §3.2): {@code 00-<trace id>-<span id>-<flags>}. */
    public static String traceParent(SpanContext span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getTraceFlags().asHex();
    }

    /** Reads {@link #traceParent}. Empty for null and for any other form. */
    static Optional<SpanContext> parse(@Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        Matcher form = TRACE_PARENT.matcher(value);
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
