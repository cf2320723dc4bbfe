package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.StoredData;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.webhook.DeliveryStatus;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** All answers to requests for webhook endpoints, deliveries and replays. */
final class WebhookScenario {

    private final Calls calls;
    private final StoredData stored;

    WebhookScenario(Calls calls, StoredData stored) {
        this.calls = calls;
        this.stored = stored;
    }

    void endpointsAreManaged() {
        for (ObjectNode example : calls.examples("registerWebhook").values()) {
            Answer registered = calls.send("registerWebhook", example).expect(201);
            assertThat(registered.text("secret"))
                    .startsWith(example.path("secret").asString("whsec_"));
        }
        String id = calls.endpoint();
        calls.examples("changeWebhook").values().forEach(example -> calls.send("changeWebhook", example, id)
                .expect(200));
        calls.send("listWebhooks", null).expect(200);
        calls.send("showWebhook", null, id).expect(200);
        calls.send("rotateWebhookSecret", null, id).expect(200);
        calls.send("deleteWebhook", null, id).expect(204);
    }

    /** @param busy a merchant without endpoints */
    void endpointsHaveLimits(TestMerchant busy) {
        String id = "";
        for (int i = 0; i < 20; i++) {
            id = TestEndpoint.of(busy).id().toString();
        }
        calls.send(busy.api(), "registerWebhook", "{\"url\":\"https://example.com/\"}")
                .expectProblem(409, "too_many_endpoints");
        for (int i = 0; i < 4; i++) {
            calls.send(busy.api(), "rotateWebhookSecret", null, id).expect(200);
        }
        calls.send(busy.api(), "rotateWebhookSecret", null, id).expectProblem(409, "too_many_rotations");
    }

    void deliveriesAreListedAndSentAgain() {
        String endpoint = calls.endpoint();
        UUID id = UUID.fromString(endpoint);
        stored.insertAll(List.of(
                Deliveries.delivery(Deliveries.id(id, 1), DeliveryStatus.EXHAUSTED),
                Deliveries.attempted(Deliveries.id(id, 2), 100),
                Deliveries.retried(Deliveries.id(id, 3), Instant.now())));
        JsonNode listed =
                calls.send("listDeliveries", null, endpoint).expect(200).json().path("deliveries");
        String often = listed.path(1).path("id").stringValue();
        String once = listed.path(2).path("id").stringValue();
        calls.send("redeliver", null, endpoint, once).expect(202);
        calls.send("redeliver", null, endpoint, often).expectProblem(409, "too_many_attempts");
        calls.send("sendTestEvent", null, endpoint).expect(202);
        calls.send("listDeliveries", null, endpoint).expect(200);

        calls.send("changeWebhook", "{\"enabled\":false}", endpoint).expect(200);
        calls.send("redeliver", null, endpoint, once).expectProblem(409, "endpoint_disabled");
        calls.send("sendTestEvent", null, endpoint).expectProblem(409, "endpoint_disabled");
        calls.send("startReplay", missed(), endpoint).expectProblem(409, "endpoint_disabled");
    }

    void replaysRun() {
        for (ObjectNode example : calls.examples("startReplay").values()) {
            Answer started =
                    calls.send("startReplay", example, calls.endpoint()).expect(202);
            calls.check("showReplay", calls.merchant().api().get(started.header("Location")))
                    .expect(200);
        }
        String endpoint = calls.endpoint();
        stored.insert(
                CollectionNames.REPLAYS,
                new Document("_id", UUID.randomUUID())
                        .append("endpoint", UUID.fromString(endpoint))
                        .append("leaseUntil", Date.from(Instant.now().plusSeconds(86_400))));
        calls.send("startReplay", missed(), endpoint).expectProblem(409, "replay_running");
    }

    private ObjectNode missed() {
        return calls.example("startReplay", "missed");
    }
}
