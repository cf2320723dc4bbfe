package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.TestEnvironment;
import dev.ligeiro.dispatcher.attempt.DueDeliveries.Unreadable;
import dev.ligeiro.fixture.Endpoints;
import dev.ligeiro.message.EventId;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The conditions of the writes of deliveries, against a real mongod. */
class DeliveryStoreIT {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Instant NOW = Instant.parse("2026-03-10T14:30:00Z");
    private static final Instant LATER = NOW.plusSeconds(3600);
    private static final TestEnvironment ENVIRONMENT = new TestEnvironment();

    private final DeliveryStore store = new DeliveryStore(ENVIRONMENT.database());
    private final WebhookEndpoint endpoint =
            Endpoints.endpoint(UUID.randomUUID(), ENVIRONMENT.tenant(), "https://shop.example/hooks");
    private final Binary id = new Binary(new DeliveryId(endpoint.id(), new EventId(TransactionId.at(NOW), 2)).bytes());

    @AfterAll
    static void close() {
        ENVIRONMENT.close();
    }

    @Test
    void aDeliveryThatCannotBeReadIsSetAside() {
        insertUnreadable();

        assertThat(setAside(due())).isEqualTo(1);

        assertThat(stored().getDate("nextAttemptAt")).isEqualTo(Date.from(LATER));
        assertThat(due()).isEmpty();
    }

    /** A newer version, which can read it, has completed an attempt, or the merchant has asked for another one. */
    @Test
    void aDeliveryThatHasChangedSinceItWasReadIsNotSetAside() {
        insertUnreadable();
        List<Unreadable> read = due();

        set(new Document("nextAttemptAt", Date.from(NOW.minusSeconds(9))));
        assertThat(setAside(read)).isZero();
        assertThat(stored().getDate("nextAttemptAt")).isEqualTo(Date.from(NOW.minusSeconds(9)));

        set(new Document("nextAttemptAt", Date.from(NOW)).append("status", "delivered"));
        assertThat(setAside(read)).isZero();
        assertThat(stored().getDate("nextAttemptAt")).isEqualTo(Date.from(NOW));
    }

    private void insertUnreadable() {
        TestEnvironment.run(ENVIRONMENT
                .deliveries()
                .collection()
                .insertOne(new Document("_id", id)
                        .append("endpoint", endpoint.id())
                        .append("status", "scheduled")
                        .append("nextAttemptAt", Date.from(NOW))
                        .append("attempts", List.of(new Document("outcome", "melted")))));
    }

    private void set(Document fields) {
        TestEnvironment.run(
                ENVIRONMENT.deliveries().collection().updateOne(new Document("_id", id), new Document("$set", fields)));
    }

    private List<Unreadable> due() {
        return Objects.requireNonNull(store.due(endpoint, NOW, 10).block(WAIT)).unreadable();
    }

    private int setAside(List<Unreadable> unreadable) {
        return Objects.requireNonNull(store.setAside(unreadable, LATER).block(WAIT));
    }

    private Document stored() {
        return Objects.requireNonNull(
                Mono.from(ENVIRONMENT.deliveries().collection().find(new Document("_id", id)))
                        .block(WAIT));
    }
}
