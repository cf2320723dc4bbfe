package dev.ligeiro.gateway.api.webhook.replay;

import dev.ligeiro.gateway.api.webhook.delivery.StatusFilter;
import dev.ligeiro.gateway.api.webhook.delivery.TestEvent;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.TimeText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to send the events of a time again: {@code {from, to, status?}}.
 *
 * @param from the time of the first event
 * @param to the time of the last event
 * @param status the deliveries to send again, as they are when the replay comes to them; {@code undelivered} if the request names none
 */
record ReplayRequest(Instant from, Instant to, StatusFilter status) {

    /** Ended deliveries are kept for as long. */
    private static final Duration SPAN_MAX = Duration.ofDays(30);

    static ReplayRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        Instant from = fields.requiredParsed("from", TimeText::parse);
        Instant to = fields.requiredParsed("to", TimeText::parse);
        StatusFilter status = fields.optionalParsed("status", ReplayRequest::status);
        checkRange(fields, from, to);
        fields.orThrow();
        if (from == null || to == null) {
            throw new IllegalStateException("from or to is missing without an error");
        }
        return new ReplayRequest(from, to, status == null ? StatusFilter.UNDELIVERED : status);
    }

    /**
     * Whether the replay sends the delivery again. A test event is no event that the endpoint has missed, and its payload is not kept; the
     * merchant sends another one.
     */
    boolean selects(StoredDelivery delivery) {
        return includes(delivery.eventAt())
                && status.statuses().contains(delivery.status())
                && !delivery.eventType().equals(TestEvent.TYPE);
    }

    /** Whether the time is in the range, both ends included. */
    boolean includes(Instant eventAt) {
        return !eventAt.isBefore(from) && !eventAt.isAfter(to);
    }

    private static void checkRange(Fields fields, @Nullable Instant from, @Nullable Instant to) {
        if (from == null || to == null) {
            return;
        }
        if (from.isAfter(to)) {
            fields.reject(FieldError.invalid("to", "expected a time that is not before from"));
        } else if (Duration.between(from, to).compareTo(SPAN_MAX) > 0) {
            fields.reject(FieldError.invalid("to", "expected at most " + SPAN_MAX.toDays() + " days after from"));
        }
    }

    private static StatusFilter status(String code) {
        StatusFilter status = StatusFilter.parse(code);
        if (status == StatusFilter.SCHEDULED) {
            throw new IllegalArgumentException("expected another status: scheduled deliveries are sent anyway");
        }
        return status;
    }
}
