package dev.ligeiro.dispatcher;

import dev.ligeiro.dispatcher.delivery.CompletedDispatch;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch.Failed;
import dev.ligeiro.dispatcher.delivery.CompletedDispatch.Successful;
import dev.ligeiro.dispatcher.delivery.PendingDispatch;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.EventType;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dispatches for tests. */
public final class Dispatches {

    public static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");
    public static final UUID ENDPOINT_ID = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");

    private Dispatches() {}

    public static PendingDispatch pending(int failuresBefore) {
        WebhookEndpoint endpoint =
                Endpoints.endpoint(ENDPOINT_ID, Transactions.TENANT, "https://merchant.example/hook");
        return new PendingDispatch(
                endpoint,
                new EventId(Transactions.ID, 2),
                EventType.PAID.code(),
                AT,
                "{}".getBytes(StandardCharsets.UTF_8),
                Collections.nCopies(failuresBefore, attempt(AttemptOutcome.REJECTED)));
    }

    /** A dispatch that has failed {@code failuresBefore} times, then ended in {@code outcome}. */
    public static CompletedDispatch completed(int failuresBefore, AttemptOutcome outcome) {
        return outcome == AttemptOutcome.DELIVERED
                ? new Successful(pending(failuresBefore), attempt(outcome))
                : failed(failuresBefore, outcome, null);
    }

    public static CompletedDispatch failed(int failuresBefore, AttemptOutcome outcome, @Nullable Duration retryAfter) {
        return new Failed(pending(failuresBefore), attempt(outcome), retryAfter);
    }

    public static Attempt attempt(AttemptOutcome outcome) {
        return new Attempt(AT, outcome, 200, Duration.ofMillis(12));
    }
}
