package dev.ligeiro.support.observe;

import dev.ligeiro.message.Origin;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Spans of sampled requests. The gateway begins a trace and decides whether it is sampled; the processor and the dispatcher add spans to
 * the traces that the records name, as children of the request's span. Without an exporter nothing happens.
 */
public final class Traces {

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
        TraceParent.parse(clientTraceParent).ifPresent(builder::addLink);
        Span span = builder.startSpan();
        return span.getSpanContext().isSampled() ? span : null;
    }

    /** Adds a span that has ended to the trace of {@code origin}, if that is traced. */
    public void add(Origin origin, String name, SpanKind kind, Attributes attributes, Instant from, Instant to) {
        if (tracer == null || origin.traceParent() == null) {
            return;
        }
        TraceParent.parse(origin.traceParent()).ifPresent(parent -> tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setParent(Context.root().with(Span.wrap(parent)))
                .setStartTimestamp(from)
                .setAllAttributes(attributes)
                .startSpan()
                .end(to));
    }
}
