package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.observe.Traces;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.stereotype.Component;

/** Writes one log line per attempt, without secret, payload or URL, updates the metrics, and adds the attempt to its trace. */
@Component
class AttemptJournal {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptJournal.class);

    private final Map<AttemptOutcome, Timer> attempts;
    private final Timer firstAttempt;
    private final Timer latency;
    private final Traces traces;

    AttemptJournal(MeterRegistry metrics, Traces traces) {
        this.traces = traces;
        this.attempts = Arrays.stream(AttemptOutcome.values())
                .collect(Collectors.toMap(
                        Function.identity(),
                        outcome -> Timer.builder("ligeiro.webhook.attempts")
                                .description("Attempts by outcome, with their duration")
                                .tag("outcome", outcome.code())
                                .register(metrics),
                        (one, other) -> one,
                        () -> new EnumMap<>(AttemptOutcome.class)));
        this.firstAttempt = Timer.builder("ligeiro.webhook.first_attempt")
                .description("From an event to the start of the first attempt, without replays")
                .register(metrics);
        this.latency = Timer.builder("ligeiro.webhook.latency")
                .description("From an event to the merchant's 2xx, retries included")
                .register(metrics);
    }

    void record(Completed completed) {
        count(completed);
        trace(completed);
        line(completed).log("A webhook was sent");
    }

    /** @param reason why no request could be built; contains no secret */
    void recordUnsendable(Completed completed, String reason) {
        count(completed);
        trace(completed);
        line(completed).addKeyValue("reason", reason).log("A webhook cannot be sent");
    }

    private void count(Completed completed) {
        Attempt attempt = completed.attempt();
        Dispatch dispatch = completed.dispatch();
        Objects.requireNonNull(attempts.get(attempt.outcome())).record(attempt.duration());
        boolean delivered = attempt.outcome() == AttemptOutcome.DELIVERED;
        if (dispatch.attemptsMade() == 0 && !dispatch.replayed()) {
            firstAttempt.record(Duration.between(dispatch.eventAt(), attempt.at()));
        }
        if (delivered) {
            latency.record(Duration.between(dispatch.eventAt(), attempt.at()).plus(attempt.duration()));
        }
    }

    private void trace(Completed completed) {
        Dispatch dispatch = completed.dispatch();
        if (!traces.isOn() || dispatch.origin().traceParent() == null) {
            return;
        }
        Attempt attempt = completed.attempt();
        AttributesBuilder attributes = Attributes.builder()
                .put("ligeiro.outcome", attempt.outcome().code())
                .put("ligeiro.webhook_id", dispatch.eventId().toString())
                .put("ligeiro.event_type", dispatch.eventType());
        if (attempt.statusCode() != null) {
            attributes.put("http.response.status_code", attempt.statusCode().longValue());
        }
        traces.add(
                dispatch.origin(),
                "attempt " + dispatch.eventType(),
                SpanKind.CLIENT,
                attributes.build(),
                attempt.at(),
                attempt.at().plus(attempt.duration()));
    }

    private static LoggingEventBuilder line(Completed completed) {
        Attempt attempt = completed.attempt();
        Dispatch dispatch = completed.dispatch();
        LoggingEventBuilder line = LOG.atLevel(level(attempt.outcome()))
                .addKeyValue("event.action", "delivery_attempt")
                .addKeyValue("outcome", attempt.outcome().code())
                .addKeyValue("status_code", attempt.statusCode())
                .addKeyValue("duration_ms", attempt.duration().toMillis())
                .addKeyValue("attempt", dispatch.attemptsMade() + 1);
        return LoggedMerchant.add(line, dispatch.endpoint().tenant())
                .addKeyValue("endpoint_id", dispatch.endpoint().id())
                .addKeyValue("webhook_id", dispatch.eventId())
                .addKeyValue("event_type", dispatch.eventType())
                .addKeyValue("request_id", dispatch.origin().requestId());
    }

    private static Level level(AttemptOutcome outcome) {
        return switch (outcome) {
            case DELIVERED -> Level.DEBUG;
            case UNSENDABLE -> Level.WARN;
            default -> Level.INFO;
        };
    }
}
