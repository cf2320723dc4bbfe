package dev.ligeiro.dispatcher;

import dev.ligeiro.dispatcher.attempt.Dispatch;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Origin;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** Endpoints and dispatches for tests. */
public final class Dispatches {

    public static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");

    private Dispatches() {}

    /** An enabled endpoint of {@code tenant}. */
    public static WebhookEndpoint endpoint(int number, Tenant tenant) {
        return Endpoints.endpoint(new UUID(0, number), tenant, "https://merchant.example/hook");
    }

    /** A first attempt to {@code endpoint}. */
    public static Dispatch to(WebhookEndpoint endpoint) {
        return new Dispatch(
                endpoint,
                new EventId(Transactions.ID, 2),
                EventType.PAID.code(),
                AT,
                "{}".getBytes(StandardCharsets.UTF_8),
                0,
                false,
                null,
                Origin.NONE);
    }
}
