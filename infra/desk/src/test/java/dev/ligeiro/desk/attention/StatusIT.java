package dev.ligeiro.desk.attention;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ligeiro.desk.fixture.RunningDesk;
import dev.ligeiro.desk.fixture.SharedDesk;
import dev.ligeiro.desk.fixture.Visitor;
import dev.ligeiro.desk.kafka.GroupLag;
import dev.ligeiro.store.BreakFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.ErasureFields;
import dev.ligeiro.store.LaneFields;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.UuidV7;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedDesk.class)
class StatusIT {

    private static final String ALERTS =
            """
            [{"labels":{"alertname":"ConsumerLag","severity":"warning"},"annotations":{"summary":"behind"},
            "startsAt":"2026-11-29T06:00:00.000Z","endsAt":"2026-11-29T07:00:00.000Z","status":{"state":"active"}}]
            """;

    private final RunningDesk desk;
    private final Map<UUID, String> stored = new HashMap<>();

    StatusIT(RunningDesk desk) {
        this.desk = desk;
    }

    /** Counts end at 100: other tests may have left more. */
    @BeforeEach
    void removeOthers() {
        for (String since : List.of(TransactionFields.UNSETTLED_SINCE, TransactionFields.APPROVAL_SINCE)) {
            desk.mongo().remove(Query.query(Criteria.where(since).exists(true)), CollectionNames.TRANSACTIONS);
        }
    }

    /** They have only the fields that are counted. */
    @AfterEach
    void removeStored() {
        stored.forEach((id, collection) ->
                desk.mongo().remove(Query.query(Criteria.where("_id").is(id)), collection));
    }

    @Test
    void openWorkIsCountedWithTheAgeOfTheOldest() {
        Instant now = desk.clock().instant();
        JsonNode before = status(desk).path("open");
        store(CollectionNames.TRANSACTIONS, TransactionFields.UNSETTLED_SINCE, now.minusSeconds(7_200));
        store(CollectionNames.TRANSACTIONS, TransactionFields.UNSETTLED_SINCE, now.minusSeconds(60));
        store(CollectionNames.TRANSACTIONS, TransactionFields.APPROVAL_SINCE, now.minusSeconds(60));
        store(CollectionNames.LANES, LaneFields.FAILING_SINCE, now.minusSeconds(90_000));
        UUID proposed = UuidV7.at(now.minusSeconds(60).toEpochMilli());
        stored.put(proposed, CollectionNames.ERASURES);
        desk.mongo()
                .insert(
                        new Document("_id", proposed).append(ErasureFields.STATE, ErasureFields.State.PROPOSED.code()),
                        CollectionNames.ERASURES);
        for (int i = 0; i < 101; i++) {
            store(CollectionNames.BREAKS, BreakFields.SINCE, now.minusSeconds(3_600));
        }

        JsonNode open = status(desk).path("open");

        assertThat(added(before, open, "unknown_outcomes")).isEqualTo(1);
        assertThat(open.at("/unknown_outcomes/oldest_seconds").asLong()).isGreaterThanOrEqualTo(7_200);
        assertThat(added(before, open, "approvals")).isEqualTo(1);
        assertThat(added(before, open, "failing_endpoints")).isEqualTo(1);
        assertThat(added(before, open, "erasures")).isEqualTo(1);
        assertThat(open.at("/erasures/oldest_seconds").asLong()).isGreaterThanOrEqualTo(60);
        assertThat(open.at("/breaks/count").asLong()).isEqualTo(100);
        assertThat(open.at("/breaks/more").asBoolean()).isTrue();
    }

    @Test
    void theLagIsTheAgeOfTheOldestRecordThatAGroupHasNotPassed() {
        String topic = "lag-" + UUID.randomUUID();
        TestTopics.create(topic, 2);
        GroupLag lag = desk.bean(GroupLag.class);
        assertThat(lag.of("nobody", topic, Instant.now())).isEqualTo(Duration.ZERO);

        desk.kafka().send(new ProducerRecord<>(topic, 0, null, new byte[1])).join();
        desk.kafka().send(new ProducerRecord<>(topic, 1, null, new byte[1])).join();

        assertThat(lag.of("nobody", topic, Instant.now().plusSeconds(60)))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
    }

    @Test
    void alertsAreThoseOfTheAlertmanagerIfOneIsSetAndAnswers() throws IOException {
        assertThat(status(desk).path("alertmanager").asBoolean()).isFalse();
        HttpServer manager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        manager.createContext("/api/v2/alerts", exchange -> {
            byte[] body = ALERTS.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        manager.start();
        String url = "http://localhost:" + manager.getAddress().getPort();

        assertThat(new Alerts(url).active()).singleElement().satisfies(alert -> {
            assertThat(alert.name()).isEqualTo("ConsumerLag");
            assertThat(alert.severity()).isEqualTo("warning");
            assertThat(alert.summary()).isEqualTo("behind");
            assertThat(alert.startsAt()).isEqualTo("2026-11-29T06:00:00Z");
        });
        manager.stop(0);
        assertThat(new Alerts(url).active()).isNull();
    }

    @Test
    void aParameterIsRefused() {
        desk.admin().get("/admin/status?wait=1").expectProblem(422, "validation_failed");
    }

    private void store(String collection, String time, Instant at) {
        UUID id = UUID.randomUUID();
        stored.put(id, collection);
        desk.mongo()
                .insert(new Document("_id", id).append(time, Date.from(at)).append(BreakFields.OPEN, true), collection);
    }

    private static long added(JsonNode before, JsonNode open, String kind) {
        return open.path(kind).path("count").asLong()
                - before.path(kind).path("count").asLong();
    }

    private static JsonNode status(RunningDesk desk) {
        return desk.admin().get("/admin/status").expect(200).json();
    }

    @Test
    void eachLineHasItsNumberItsAgeAndTheWayToItsList() {
        Instant since = desk.clock().instant().minus(Duration.ofDays(400));
        store(CollectionNames.TRANSACTIONS, TransactionFields.UNSETTLED_SINCE, since);
        Visitor visitor = Visitor.signedIn(desk, RunningDesk.READER_TOKEN);

        String page = visitor.get("/console").expect(200).body();

        assertThat(page)
                .contains("<a href=\"/console/unsettled\">Unknown outcomes</a>", "400 d 0 h", "No Alertmanager is set")
                .contains("href=\"/console/dead-letters?topic=transaction-commands\"", "data-refresh=\"5\"");
        assertThat(visitor.speaking("pt").get("/console").body()).contains("Resultados desconhecidos");
    }
}
